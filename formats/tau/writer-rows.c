/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau/writer-rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Tokens that cannot be ids get ids that count down from the top; tokens that are up there are moved too. */
#define MOVED_FROM INT32_MAX
#define MAX_MOVED 65536
#define NO_GROUP "TAU_DEFAULT"

static const struct
{
  int32_t id;
  int tag;
  const char *group, *name, *params;
} specials[TT_TAU_N_SPECIAL] = {
  { TT_TAU_ID_INIT, 0, "TRACER", "EV_INIT", "none" },
  { TT_TAU_ID_CLOSE, 0, "TRACER", "FLUSH_CLOSE", "none" },
  { TT_TAU_ID_CLOCK, 0, "TRACER", "WALL_CLOCK", "none" },
  { TT_TAU_ID_SEND, -7, "TAU_MESSAGE", "MESSAGE_SEND", "par" },
  { TT_TAU_ID_RECV, -8, "TAU_MESSAGE", "MESSAGE_RECV", "par" },
};

void
tt_tau_writer_rows_clear (TtTauWriterRows *self)
{
  for (size_t i = 0; i < self->n; i++)
    free (self->rows[i].name);
  for (size_t i = 0; i < self->n_groups; i++)
    free (self->groups[i].name);
  free (self->rows);
  free (self->groups);
  tt_tau_index_clear (&self->rows_by_token);
  tt_tau_index_clear (&self->rows_by_id);
  tt_tau_index_clear (&self->groups_by_token);
  *self = (TtTauWriterRows){ 0 };
}

/* A copy that stays within its line of the file; @is_word: and is one word. NULL: no memory. */
static char *
copy_name (const char *name, bool is_word)
{
  char *copy = strdup (name);

  for (char *p = copy; p != NULL && *p != '\0'; p++)
    if (*p == '\n' || *p == '\r')
      *p = ' ';
  for (char *p = copy; is_word && p != NULL && *p != '\0'; p++)
    if (*p == ' ' || *p == '\t' || *p == '"')
      *p = '_';
  return copy;
}

/* -- rows ------------------------------------------------------------------------------------------------- */

typedef struct
{
  uint32_t token;
  bool is_state;
} RowKey;

static bool
is_row (const void *items, uint32_t item, const void *key)
{
  const TtTauWriterRow *row = (const TtTauWriterRow *) items + item;
  const RowKey *wanted = key;

  return row->token == wanted->token && row->is_state == wanted->is_state;
}

static uint32_t
find_row (const TtTauWriterRows *self, uint32_t token, bool is_state)
{
  RowKey key = { token, is_state };

  return tt_tau_index_find (&self->rows_by_token, tt_tau_hash_number (token), is_row, self->rows, &key);
}

static bool
has_id (const void *items, uint32_t item, const void *key)
{
  return ((const TtTauWriterRow *) items)[item].id == *(const int32_t *) key;
}

static bool
grow_rows (TtTauWriterRows *self)
{
  size_t room = self->room == 0 ? 64 : 2 * self->room;
  TtTauWriterRow *rows = realloc (self->rows, room * sizeof *rows);

  if (rows == NULL)
    return false;
  self->rows = rows;
  self->room = room;
  return true;
}

/* Whether a token can be an id. */
static bool
is_free (const TtTauWriterRows *self, uint32_t token)
{
  int32_t id = (int32_t) token;

  for (size_t i = 0; i < TT_TAU_N_SPECIAL; i++)
    if (token == (uint32_t) specials[i].id)
      return false;
  return token <= (uint32_t) (MOVED_FROM - MAX_MOVED) &&
         tt_tau_index_find (&self->rows_by_id, tt_tau_hash_number (token), has_id, self->rows, &id) == TT_TAU_NO_ITEM;
}

static bool
add_row (TtTauWriterRows *self, const TtTauWriterRow *row, const char *text)
{
  if (find_row (self, row->token, row->is_state) != TT_TAU_NO_ITEM)
    return true;
  if (self->n == self->room && !grow_rows (self))
    return false;
  bool is_moved = !is_free (self, row->token);
  if (is_moved && self->n_moved == MAX_MOVED)
    return false;
  int32_t id = is_moved ? MOVED_FROM - (int32_t) self->n_moved : (int32_t) row->token;
  uint32_t number = (uint32_t) self->n;
  char *name = copy_name (text, false);
  self->rows[self->n] = *row;
  self->rows[self->n].name = name;
  self->rows[self->n].id = id;
  if (name == NULL || !tt_tau_index_add (&self->rows_by_id, tt_tau_hash_number ((uint32_t) id), number) ||
      !tt_tau_index_add (&self->rows_by_token, tt_tau_hash_number (row->token), number))
    {
      free (name);
      return false;
    }
  self->n_moved += is_moved;
  self->n++;
  return true;
}

bool
tt_tau_writer_rows_state (TtTauWriterRows *self, uint32_t token, const char *name, uint32_t group)
{
  return add_row (self, &(TtTauWriterRow){ .token = token, .group = group, .is_state = true }, name);
}

bool
tt_tau_writer_rows_value (TtTauWriterRows *self, uint32_t token, const char *name, int tag)
{
  return add_row (self, &(TtTauWriterRow){ .token = token, .tag = tag }, name);
}

bool
tt_tau_writer_rows_id (const TtTauWriterRows *self, uint32_t token, bool is_state, int32_t *id)
{
  uint32_t row = find_row (self, token, is_state);

  if (row == TT_TAU_NO_ITEM)
    return false;
  *id = self->rows[row].id;
  return true;
}

/* -- groups ----------------------------------------------------------------------------------------------- */

static bool
is_group (const void *items, uint32_t item, const void *key)
{
  return ((const TtTauWriterGroup *) items)[item].token == *(const uint32_t *) key;
}

/* NULL: none with this token. */
static const TtTauWriterGroup *
find_group (const TtTauWriterRows *self, uint32_t token)
{
  uint32_t item =
      tt_tau_index_find (&self->groups_by_token, tt_tau_hash_number (token), is_group, self->groups, &token);

  return item == TT_TAU_NO_ITEM ? NULL : &self->groups[item];
}

static bool
grow_groups (TtTauWriterRows *self)
{
  size_t room = self->groups_room == 0 ? 32 : 2 * self->groups_room;
  TtTauWriterGroup *groups = realloc (self->groups, room * sizeof *groups);

  if (groups == NULL)
    return false;
  self->groups = groups;
  self->groups_room = room;
  return true;
}

bool
tt_tau_writer_rows_group (TtTauWriterRows *self, uint32_t token, const char *name)
{
  if (find_group (self, token) != NULL)
    return true;
  if (self->n_groups == self->groups_room && !grow_groups (self))
    return false;
  char *copy = copy_name (*name == '\0' ? NO_GROUP : name, true);
  if (copy == NULL || !tt_tau_index_add (&self->groups_by_token, tt_tau_hash_number (token), (uint32_t) self->n_groups))
    {
      free (copy);
      return false;
    }
  self->groups[self->n_groups++] = (TtTauWriterGroup){ .token = token, .name = copy };
  return true;
}

static int
compare_ids (const void *a, const void *b)
{
  int32_t x = (*(const TtTauWriterRow *const *) a)->id, y = (*(const TtTauWriterRow *const *) b)->id;

  return (x > y) - (x < y);
}

static void
print_row (const TtTauWriterRows *self, const TtTauWriterRow *row, FILE *out)
{
  const TtTauWriterGroup *group = row->is_state ? find_group (self, row->group) : NULL;
  const char *name = !row->is_state ? "TAUEVENT" : group != NULL ? group->name : NO_GROUP;

  fprintf (out, "%" PRId32 " %s %" PRId32 " \"%s\" %s\n", row->id, name, row->tag, row->name,
           row->is_state ? "EntryExit" : "TriggerValue");
}

bool
tt_tau_writer_rows_print (const TtTauWriterRows *self, FILE *out)
{
  const TtTauWriterRow **rows = calloc (self->n + 1, sizeof *rows);
  size_t n_printed = 0;

  if (rows == NULL)
    return false;
  for (size_t i = 0; i < self->n; i++)
    rows[i] = &self->rows[i];
  qsort (rows, self->n, sizeof *rows, compare_ids);
  for (size_t i = 0; i <= TT_TAU_N_SPECIAL; i++)
    {
      while (n_printed < self->n && (i == TT_TAU_N_SPECIAL || rows[n_printed]->id < specials[i].id))
        print_row (self, rows[n_printed++], out);
      if (i < TT_TAU_N_SPECIAL)
        fprintf (out, "%" PRId32 " %s %d \"%s\" %s\n", specials[i].id, specials[i].group, specials[i].tag,
                 specials[i].name, specials[i].params);
    }
  free (rows);
  return true;
}
