#include "config.h"

#include "formats/tau/definitions.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_DENSE ((int64_t) 1 << 20)
#define BLOCK ((size_t) 64 << 10)

void
tt_tau_definitions_clear (TtTauDefinitions *self)
{
  for (size_t i = 0; i < self->groups.n; i++)
    free (self->groups.names[i]);
  free (self->groups.names);
  free (self->groups.places);
  free (self->announced);
  free (self->dense);
  free (self->sparse);
  *self = (TtTauDefinitions){ .habits = self->habits };
}

static uint64_t
mix (uint64_t x)
{
  x ^= x >> 31;
  x *= UINT64_C (0x9e3779b97f4a7c15);
  x ^= x >> 29;
  x *= UINT64_C (0xbf58476d1ce4e5b9);
  return x ^ x >> 32;
}

/* -- ids ----------------------------------------------------------------------------------------- */

static TtTauSparse *
sparse_place (TtTauSparse *table, size_t room, int64_t id)
{
  size_t i = mix ((uint64_t) id) & (room - 1);

  while (table[i].action != TT_TAU_DO_UNKNOWN && table[i].id != id)
    i = (i + 1) & (room - 1);
  return &table[i];
}

TtTauAction
tt_tau_definitions_sparse (const TtTauDefinitions *self, int64_t id)
{
  if (self->n_sparse == 0)
    return TT_TAU_DO_UNKNOWN;
  return (TtTauAction) sparse_place (self->sparse, self->sparse_room, id)->action;
}

static bool
grow_sparse (TtTauDefinitions *self)
{
  size_t room = self->sparse_room == 0 ? 64 : 2 * self->sparse_room;
  TtTauSparse *table = calloc (room, sizeof *table);

  if (table == NULL)
    return false;
  for (size_t i = 0; i < self->sparse_room; i++)
    if (self->sparse[i].action != TT_TAU_DO_UNKNOWN)
      *sparse_place (table, room, self->sparse[i].id) = self->sparse[i];
  free (self->sparse);
  self->sparse = table;
  self->sparse_room = room;
  return true;
}

static bool
set_action (TtTauDefinitions *self, int64_t id, TtTauAction action)
{
  if (id >= 0 && id < MOST_DENSE)
    {
      if ((size_t) id >= self->n_dense)
        {
          size_t n = 2 * (size_t) id + 1024;
          if (n > (size_t) MOST_DENSE)
            n = (size_t) MOST_DENSE;
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
  if (2 * (self->n_sparse + 1) > self->sparse_room && !grow_sparse (self))
    return false;
  *sparse_place (self->sparse, self->sparse_room, id) = (TtTauSparse){ id, (uint8_t) action };
  self->n_sparse++;
  return true;
}

/* -- groups --------------------------------------------------------------------------------------- */

static uint64_t
hash_of (const char *text, size_t len)
{
  uint64_t hash = UINT64_C (0xcbf29ce484222325);

  for (size_t i = 0; i < len; i++)
    hash = (hash ^ (uint8_t) text[i]) * UINT64_C (0x100000001b3);
  return mix (hash);
}

/* Where a group is, or the free place for it. */
static uint32_t *
group_place (const TtTauGroups *self, uint32_t *places, size_t room, const char *text, size_t len)
{
  size_t i = hash_of (text, len) & (room - 1);

  for (; places[i] != 0; i = (i + 1) & (room - 1))
    {
      const char *name = self->names[places[i] - 1];
      if (strlen (name) == len && memcmp (name, text, len) == 0)
        break;
    }
  return &places[i];
}

static bool
grow_groups (TtTauDefinitions *self)
{
  TtTauGroups *groups = &self->groups;
  size_t room = groups->room == 0 ? 64 : 2 * groups->room;
  uint32_t *places = calloc (room, sizeof *places);
  char **names = realloc (groups->names, room * sizeof *names);

  if (names != NULL)
    groups->names = names;
  uint8_t *announced = realloc (self->announced, room);
  if (announced != NULL)
    self->announced = announced;
  if (places == NULL || names == NULL || announced == NULL)
    {
      free (places);
      return false;
    }
  for (size_t i = 0; i < groups->n; i++)
    *group_place (groups, places, room, groups->names[i], strlen (groups->names[i])) = (uint32_t) i + 1;
  free (groups->places);
  groups->places = places;
  groups->room = room;
  return true;
}

/* The token of a group, from 1; 0: no memory. */
static uint32_t
group_token (TtTauDefinitions *self, const TtTauPiece *group, bool *is_new)
{
  TtTauGroups *groups = &self->groups;

  *is_new = false;
  if (2 * (groups->n + 1) > groups->room && !grow_groups (self))
    return 0;
  uint32_t *place = group_place (groups, groups->places, groups->room, group->text, group->len);
  if (*place != 0)
    return *place;

  char *name = malloc (group->len + 1);
  if (name == NULL)
    return 0;
  memcpy (name, group->text, group->len);
  name[group->len] = '\0';
  groups->names[groups->n] = name;
  self->announced[groups->n] = 0;
  groups->n++;
  *is_new = true;
  return *place = (uint32_t) groups->n;
}

/* -- rows ------------------------------------------------------------------------------------------ */

typedef struct
{
  TtTauDefinitions *self;
  const Ttf_CallbacksT *callbacks;
} Reading;

static TtTauAction
action_of (const TtTauRowText *row, unsigned habits)
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
announce (TtTauDefinitions *self,
          const Ttf_CallbacksT *callbacks,
          const TtTauRowText *row,
          uint32_t group,
          bool is_new,
          const char *name)
{
  if (action_of (row, self->habits) == TT_TAU_DO_VALUE)
    {
      if (callbacks->DefUserEvent != NULL)
        callbacks->DefUserEvent (callbacks->UserData, (unsigned) row->id, name, (int) row->tag);
      return;
    }
  bool is_due = self->habits & TTF_HABIT_GROUPS ? is_new : !self->announced[group - 1];
  if (is_due && callbacks->DefStateGroup != NULL)
    callbacks->DefStateGroup (callbacks->UserData, group, self->groups.names[group - 1]);
  self->announced[group - 1] = 1;
  if (callbacks->DefState != NULL)
    callbacks->DefState (callbacks->UserData, (unsigned) row->id, name, group);
}

static bool
take_row (const TtTauRowText *row, void *data)
{
  const Reading *reading = data;
  TtTauDefinitions *self = reading->self;
  TtTauAction action = action_of (row, self->habits);
  bool is_new;

  if (tt_tau_definitions_find (self, row->id) != TT_TAU_DO_UNKNOWN)
    return true;
  uint32_t group = group_token (self, &row->group, &is_new);
  if (group == 0 || !set_action (self, row->id, action))
    return false;
  if (reading->callbacks == NULL || (action != TT_TAU_DO_STATE && action != TT_TAU_DO_VALUE))
    return true;

  char *name = malloc (row->quoted.len + 1);
  if (name == NULL)
    return false;
  memcpy (name, row->quoted.text, row->quoted.len);
  name[row->quoted.len] = '\0';
  announce (self, reading->callbacks, row, group, is_new, name);
  free (name);
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

  tt_tau_rows_init (&rows, &(TtTauRowTaker){ .row = take_row, .skips_bad = true, .data = &reading });
  while (is_good && (n = read (file, block, BLOCK)) > 0)
    is_good = tt_tau_rows_feed (&rows, block, (size_t) n);
  is_good = is_good && n == 0 && tt_tau_rows_end (&rows);
  tt_tau_rows_clear (&rows);
  if (file >= 0)
    close (file);
  free (block);
  return is_good;
}
