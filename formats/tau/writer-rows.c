#include "config.h"

#include "formats/tau/writer-rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Ids of moved tokens count down from the top, and hold tokens that are there themselves. */
#define MOVED_FROM INT32_MAX
#define MOST_MOVED 65536
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
  for (size_t i = 0; i < self->groups_room; i++)
    free (self->groups[i].name);
  free (self->rows);
  free (self->places);
  free (self->groups);
  *self = (TtTauWriterRows){ 0 };
}

/* A name must stay in its line. */
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

static size_t
slot_of (uint32_t token, size_t room)
{
  return (size_t) ((token * UINT64_C (0x9e3779b97f4a7c15)) >> 32) & (room - 1);
}

static uint32_t *
place_of (const TtTauWriterRows *self, uint32_t *places, size_t room, uint32_t token)
{
  size_t i = slot_of (token, room);

  while (places[i] != 0 && self->rows[places[i] - 1].token != token)
    i = (i + 1) & (room - 1);
  return &places[i];
}

static bool
grow (TtTauWriterRows *self)
{
  size_t room = self->room == 0 ? 64 : 2 * self->room;
  TtTauWriterRow *rows = realloc (self->rows, room * sizeof *rows);
  uint32_t *places = calloc (2 * room, sizeof *places);

  if (rows != NULL)
    self->rows = rows;
  if (rows == NULL || places == NULL)
    {
      free (places);
      return false;
    }
  for (size_t i = 0; i < self->n; i++)
    *place_of (self, places, 2 * room, rows[i].token) = (uint32_t) i + 1;
  free (self->places);
  self->places = places;
  self->places_room = 2 * room;
  self->room = room;
  return true;
}

static bool
is_free (uint32_t token)
{
  for (size_t i = 0; i < TT_TAU_N_SPECIAL; i++)
    if (token == (uint32_t) specials[i].id)
      return false;
  return token <= (uint32_t) (MOVED_FROM - MOST_MOVED);
}

static bool
add_row (TtTauWriterRows *self, const TtTauWriterRow *row, const char *text)
{
  int32_t id;

  if (tt_tau_writer_rows_id (self, row->token, &id))
    return true;
  if (self->n == self->room && !grow (self))
    return false;
  bool is_moved = !is_free (row->token);
  if (is_moved && self->n_moved == MOST_MOVED)
    return false;
  char *name = copy_name (text, false);
  if (name == NULL)
    return false;
  self->rows[self->n] = *row;
  self->rows[self->n].name = name;
  self->rows[self->n].id = is_moved ? MOVED_FROM - (int32_t) self->n_moved++ : (int32_t) row->token;
  *place_of (self, self->places, self->places_room, row->token) = (uint32_t) ++self->n;
  return true;
}

static TtTauWriterRow *
find_group (const TtTauWriterRows *self, uint32_t token)
{
  if (self->groups_room == 0)
    return NULL;
  size_t i = slot_of (token, self->groups_room);
  while (self->groups[i].name != NULL && self->groups[i].token != token)
    i = (i + 1) & (self->groups_room - 1);
  return &self->groups[i];
}

bool
tt_tau_writer_rows_group (TtTauWriterRows *self, uint32_t token, const char *name)
{
  if (2 * (self->n_groups + 1) > self->groups_room)
    {
      TtTauWriterRows grown = { .groups_room = self->groups_room == 0 ? 64 : 2 * self->groups_room };
      grown.groups = calloc (grown.groups_room, sizeof *grown.groups);
      if (grown.groups == NULL)
        return false;
      for (size_t i = 0; i < self->groups_room; i++)
        if (self->groups[i].name != NULL)
          *find_group (&grown, self->groups[i].token) = self->groups[i];
      free (self->groups);
      self->groups = grown.groups;
      self->groups_room = grown.groups_room;
    }
  TtTauWriterRow *place = find_group (self, token);
  if (place->name != NULL)
    return true;
  place->name = copy_name (*name == '\0' ? NO_GROUP : name, true);
  place->token = token;
  self->n_groups += place->name != NULL;
  return place->name != NULL;
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
tt_tau_writer_rows_id (const TtTauWriterRows *self, uint32_t token, int32_t *id)
{
  if (self->n == 0)
    return false;
  uint32_t place = *place_of (self, self->places, self->places_room, token);
  if (place != 0)
    *id = self->rows[place - 1].id;
  return place != 0;
}

void
tt_tau_writer_rows_print (const TtTauWriterRows *self, FILE *out)
{
  for (size_t i = 0; i < self->n; i++)
    {
      const TtTauWriterRow *row = &self->rows[i];
      const TtTauWriterRow *group = row->is_state ? find_group (self, row->group) : NULL;
      const char *name = !row->is_state ? "TAUEVENT" : group != NULL && group->name != NULL ? group->name : NO_GROUP;
      fprintf (out, "%" PRId32 " %s %" PRId32 " \"%s\" %s\n", row->id, name, row->tag, row->name,
               row->is_state ? "EntryExit" : "TriggerValue");
    }
  for (size_t i = 0; i < TT_TAU_N_SPECIAL; i++)
    fprintf (out, "%" PRId32 " %s %d \"%s\" %s\n", specials[i].id, specials[i].group, specials[i].tag, specials[i].name,
             specials[i].params);
}
