/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau/definitions.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/tau/kept-names.h"

#define MAX_DENSE ((int64_t) 1 << 20)
#define BLOCK ((size_t) 64 << 10)

void
tt_tau_definitions_clear (TtTauDefinitions *self)
{
  free (self->groups);
  free (self->dense);
  free (self->sparse);
  tt_tau_index_clear (&self->sparse_by_id);
  tt_tau_index_clear (&self->groups_by_name);
  *self = (TtTauDefinitions){ .habits = self->habits };
}

/* -- ids ----------------------------------------------------------------------------------------- */

static bool
is_sparse (const void *items, uint32_t item, const void *key)
{
  return ((const TtTauSparse *) items)[item].id == *(const int64_t *) key;
}

TtTauAction
tt_tau_definitions_sparse (const TtTauDefinitions *self, int64_t id)
{
  uint32_t item =
      tt_tau_index_find (&self->sparse_by_id, tt_tau_hash_number ((uint64_t) id), is_sparse, self->sparse, &id);

  return item == TT_TAU_NO_ITEM ? TT_TAU_DO_UNKNOWN : (TtTauAction) self->sparse[item].action;
}

static bool
add_sparse (TtTauDefinitions *self, int64_t id, TtTauAction action)
{
  if (self->n_sparse == self->sparse_room)
    {
      size_t room = self->sparse_room == 0 ? 32 : 2 * self->sparse_room;
      TtTauSparse *grown = realloc (self->sparse, room * sizeof *grown);
      if (grown == NULL)
        return false;
      self->sparse = grown;
      self->sparse_room = room;
    }
  if (!tt_tau_index_add (&self->sparse_by_id, tt_tau_hash_number ((uint64_t) id), (uint32_t) self->n_sparse))
    return false;
  self->sparse[self->n_sparse++] = (TtTauSparse){ id, (uint8_t) action };
  return true;
}

static bool
set_action (TtTauDefinitions *self, int64_t id, TtTauAction action)
{
  if (id >= 0 && id < MAX_DENSE)
    {
      if ((size_t) id >= self->n_dense)
        {
          size_t n = 2 * (size_t) id + 1024;
          if (n > (size_t) MAX_DENSE)
            n = (size_t) MAX_DENSE;
          uint8_t *grown = realloc (self->dense, n);
          if (grown == NULL)
            return false;
          memset (grown + self->n_dense, TT_TAU_DO_UNKNOWN, n - self->n_dense);
          self->dense = grown;
          self->n_dense = n;
        }
      self->dense[id] = (uint8_t) action;
      return true;
    }
  return add_sparse (self, id, action);
}

/* -- groups --------------------------------------------------------------------------------------- */

static bool
is_group (const void *items, uint32_t item, const void *key)
{
  const char *name = ((const TtTauGroup *) items)[item].name;
  const TtTauPiece *text = key;

  return strlen (name) == text->len && memcmp (name, text->text, text->len) == 0;
}

static bool
grow_groups (TtTauDefinitions *self)
{
  size_t room = self->groups_room == 0 ? 32 : 2 * self->groups_room;
  TtTauGroup *groups = realloc (self->groups, room * sizeof *groups);

  if (groups == NULL)
    return false;
  self->groups = groups;
  self->groups_room = room;
  return true;
}

/* The token of a group, from 1; 0: no memory. */
static uint32_t
get_group (TtTauDefinitions *self, const TtTauPiece *text, bool *is_new)
{
  uint32_t hash = tt_tau_hash_text (text->text, text->len);
  uint32_t item = tt_tau_index_find (&self->groups_by_name, hash, is_group, self->groups, text);

  *is_new = item == TT_TAU_NO_ITEM;
  if (!*is_new)
    return item + 1;
  if (self->n_groups == self->groups_room && !grow_groups (self))
    return 0;
  const char *name = tt_tau_keep_name (*text);
  if (name == NULL || !tt_tau_index_add (&self->groups_by_name, hash, (uint32_t) self->n_groups))
    return 0;
  self->groups[self->n_groups++] = (TtTauGroup){ .name = name };
  return (uint32_t) self->n_groups;
}

/* -- rows ------------------------------------------------------------------------------------------ */

typedef struct
{
  TtTauDefinitions *self;
  const Ttf_CallbacksT *callbacks;
} Reading;

static TtTauAction
choose_action (const TtTauRowText *row, unsigned habits)
{
  if (row->has_inner_quotes && habits & TTF_HABIT_QUOTED_NAMES)
    return TT_TAU_DO_NOTHING;
  switch (row->kind)
    {
    case TT_TAU_STATE:
    case TT_TAU_FLUSH:
      return TT_TAU_DO_STATE;
    case TT_TAU_VALUE:
    case TT_TAU_METADATA:
    case TT_TAU_SINGLE:
    case TT_TAU_METRIC:
    case TT_TAU_ONESIDED_SEND:
    case TT_TAU_ONESIDED_RECV:
    case TT_TAU_ONESIDED:
    case TT_TAU_ONESIDED_ID1:
    case TT_TAU_ONESIDED_ID2:
      return TT_TAU_DO_VALUE;
    case TT_TAU_SEND:
      return TT_TAU_DO_SEND;
    case TT_TAU_RECV:
      return TT_TAU_DO_RECV;
    case TT_TAU_CLOSE:
      return TT_TAU_DO_CLOSE;
    case TT_TAU_WALL_CLOCK:
      return TT_TAU_DO_CLOCK;
    case TT_TAU_INIT:
      return TT_TAU_DO_INIT;
    case TT_TAU_FLUSH_ENTER:
    case TT_TAU_FLUSH_EXIT:
    case TT_TAU_NOT_DEFINED:
    case TT_TAU_SILENT:
    case TT_TAU_OTHER:
      break;
    }
  return TT_TAU_DO_NOTHING;
}

static void
announce_value (const TtTauRowText *row, const char *name, const Ttf_CallbacksT *callbacks)
{
  if (callbacks->DefUserEvent != NULL)
    callbacks->DefUserEvent (callbacks->UserData, (unsigned) row->id, name, (int) row->tag);
}

/* @is_new: this row is the first of the group; @token: the group's. */
static void
announce_state (Reading *reading, const TtTauRowText *row, const char *name, uint32_t token, bool is_new)
{
  TtTauGroup *group = &reading->self->groups[token - 1];
  const Ttf_CallbacksT *callbacks = reading->callbacks;
  bool is_due = reading->self->habits & TTF_HABIT_GROUPS ? is_new : !group->is_announced;

  if (is_due && callbacks->DefStateGroup != NULL)
    callbacks->DefStateGroup (callbacks->UserData, token, group->name);
  group->is_announced = true;
  if (callbacks->DefState != NULL)
    callbacks->DefState (callbacks->UserData, (unsigned) row->id, name, token);
}

static bool
consume_row (const TtTauRowText *row, void *data)
{
  Reading *reading = data;
  TtTauDefinitions *self = reading->self;
  TtTauAction action = choose_action (row, self->habits);
  bool is_new;

  if (tt_tau_definitions_find (self, row->id) != TT_TAU_DO_UNKNOWN)
    return true;
  uint32_t group = get_group (self, &row->group, &is_new);
  if (group == 0 || !set_action (self, row->id, action))
    return false;
  if (reading->callbacks == NULL || (action != TT_TAU_DO_STATE && action != TT_TAU_DO_VALUE))
    return true;

  const char *name = tt_tau_keep_name (row->quoted);
  if (name == NULL)
    return false;
  if (action == TT_TAU_DO_VALUE)
    announce_value (row, name, reading->callbacks);
  else
    announce_state (reading, row, name, group, is_new);
  return true;
}

bool
tt_tau_definitions_read (TtTauDefinitions *self, const char *path, const Ttf_CallbacksT *callbacks)
{
  Reading reading = { self, callbacks };
  TtTauRows rows;
  char *block = malloc (BLOCK);
  int file = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  bool is_good = block != NULL && file >= 0;
  ssize_t n = 0;

  tt_tau_rows_init (&rows, &(TtTauRowTaker){ .row = consume_row, .skips_bad = true, .data = &reading });
  while (is_good && (n = read (file, block, BLOCK)) > 0)
    is_good = tt_tau_rows_feed (&rows, block, (size_t) n);
  is_good = is_good && n == 0 && tt_tau_rows_end (&rows);
  tt_tau_rows_clear (&rows);
  if (file >= 0)
    close (file);
  free (block);
  return is_good;
}
