/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino-trace/map.h"

#include <string.h>

static void
clear_field (gpointer data)
{
  g_free (((TtNeutrinoField *) data)->name);
}

TtNeutrinoMap *
tt_neutrino_map_new (const char *name)
{
  TtNeutrinoMap *self = g_new0 (TtNeutrinoMap, 1);

  self->name = g_strdup (name);
  self->cap = 1;
  self->start = self->end = self->unit = -1;
  self->fields = g_array_new (FALSE, TRUE, sizeof (TtNeutrinoField));
  g_array_set_clear_func (self->fields, clear_field);
  return self;
}

void
tt_neutrino_map_free (TtNeutrinoMap *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->fields);
  g_free (self->name);
  g_free (self);
}

static TtNeutrinoField *
field_at (const TtNeutrinoMap *self, guint i)
{
  return &g_array_index (self->fields, TtNeutrinoField, i);
}

static gboolean
has_field (const TtNeutrinoMap *self, const char *name)
{
  for (guint i = 0; i < self->fields->len; i++)
    if (g_str_equal (field_at (self, i)->name, name))
      return TRUE;
  return FALSE;
}

/* These names are arguments of an event already. */
static gboolean
is_taken (const TtNeutrinoMap *self, const char *name)
{
  return has_field (self, name) || g_str_equal (name, "block") || g_str_equal (name, "warp") ||
         g_str_equal (name, "thread") || g_str_equal (name, "slot") || g_str_equal (name, "shared") || *name == '\0';
}

gboolean
tt_neutrino_map_add (TtNeutrinoMap *self, const char *name, gboolean is_u64)
{
  TtNeutrinoField field = { .name = g_strdup (name), .is_u64 = is_u64 };

  while (is_taken (self, field.name))
    {
      char *longer = g_strconcat (field.name, "_", NULL);
      g_free (field.name);
      field.name = longer;
    }
  g_array_append_val (self->fields, field);
  return self->fields->len <= TT_NEUTRINO_MAX_FIELDS;
}

guint
tt_neutrino_map_arrange (TtNeutrinoMap *self)
{
  guint at = 0;

  for (guint i = 0; i < self->fields->len; i++)
    {
      field_at (self, i)->offset = at;
      at += field_at (self, i)->is_u64 ? 8 : 4;
    }
  return at;
}

TtNeutrinoMap *
tt_neutrino_map_of_words (const char *name, gboolean is_warp, guint bytes, guint64 cap)
{
  TtNeutrinoMap *self = tt_neutrino_map_new (name);

  self->is_warp = is_warp;
  self->record_bytes = bytes;
  self->cap = cap;
  self->is_dynamic = cap == 0;
  for (guint at = 0; at < bytes; at += 8)
    {
      g_autofree char *word = g_strdup_printf ("w%u", at / 8);
      tt_neutrino_map_add (self, word, bytes - at >= 8);
    }
  tt_neutrino_map_arrange (self);
  return self;
}

/* -- meaning by name ------------------------------------------------------------------------------------------ */

/* Earlier ones go before later ones. */
static const struct
{
  const char *name;
  TtNeutrinoRole role;
  TtNeutrinoClock clock; /* of an elapsed time: NO_CLOCK fits every start */
} meanings[] = {
  { "start", TT_NEUTRINO_START, TT_NEUTRINO_CYCLES },      { "gstart", TT_NEUTRINO_START, TT_NEUTRINO_NS },
  { "clock", TT_NEUTRINO_START, TT_NEUTRINO_CYCLES },      { "lstart", TT_NEUTRINO_START, TT_NEUTRINO_CYCLES },
  { "begin", TT_NEUTRINO_START, TT_NEUTRINO_CYCLES },      { "gbegin", TT_NEUTRINO_START, TT_NEUTRINO_NS },
  { "time", TT_NEUTRINO_START, TT_NEUTRINO_NS },           { "gtime", TT_NEUTRINO_START, TT_NEUTRINO_NS },
  { "timestamp", TT_NEUTRINO_START, TT_NEUTRINO_NS },      { "elapsed", TT_NEUTRINO_ELAPSED, TT_NEUTRINO_NO_CLOCK },
  { "elapse", TT_NEUTRINO_ELAPSED, TT_NEUTRINO_NO_CLOCK }, { "gelapsed", TT_NEUTRINO_ELAPSED, TT_NEUTRINO_NS },
  { "lelapsed", TT_NEUTRINO_ELAPSED, TT_NEUTRINO_CYCLES }, { "duration", TT_NEUTRINO_ELAPSED, TT_NEUTRINO_NO_CLOCK },
  { "end", TT_NEUTRINO_END, TT_NEUTRINO_NO_CLOCK },        { "gend", TT_NEUTRINO_END, TT_NEUTRINO_NS },
  { "lend", TT_NEUTRINO_END, TT_NEUTRINO_CYCLES },         { "cuid", TT_NEUTRINO_UNIT, TT_NEUTRINO_NO_CLOCK },
  { "smid", TT_NEUTRINO_UNIT, TT_NEUTRINO_NO_CLOCK },      { "sm", TT_NEUTRINO_UNIT, TT_NEUTRINO_NO_CLOCK },
  { "cu", TT_NEUTRINO_UNIT, TT_NEUTRINO_NO_CLOCK },
};

static guint
find_meaning (const TtNeutrinoField *field)
{
  for (guint i = 0; i < G_N_ELEMENTS (meanings); i++)
    if (g_ascii_strcasecmp (meanings[i].name, field->name) == 0)
      return i;
  return G_N_ELEMENTS (meanings);
}

/* The code shows which clock it is, the name whether it is a start or an end. */
static void
guess_field (TtNeutrinoField *field)
{
  guint rank = find_meaning (field);

  if (rank == G_N_ELEMENTS (meanings))
    return;
  if (field->role == TT_NEUTRINO_VALUE)
    {
      field->role = meanings[rank].role;
      field->clock = meanings[rank].clock;
    }
  else if (field->role == TT_NEUTRINO_START && meanings[rank].role == TT_NEUTRINO_END)
    field->role = TT_NEUTRINO_END;
  if (field->role == TT_NEUTRINO_START && !field->is_u64)
    field->role = TT_NEUTRINO_VALUE; /* half a clock is no time */
}

/* Of the fields of @role that go with @clock, the first by name; -1: there is none. */
static int
choose_field (const TtNeutrinoMap *self, TtNeutrinoRole role, TtNeutrinoClock clock)
{
  int best = -1;

  for (guint i = 0; i < self->fields->len; i++)
    {
      const TtNeutrinoField *field = field_at (self, i);
      if (field->role != role ||
          (field->clock != clock && clock != TT_NEUTRINO_NO_CLOCK && field->clock != TT_NEUTRINO_NO_CLOCK))
        continue;
      if (best < 0 || find_meaning (field) < find_meaning (field_at (self, (guint) best)))
        best = (int) i;
    }
  return best;
}

static int
choose_end (const TtNeutrinoMap *self, TtNeutrinoClock clock)
{
  int elapsed = choose_field (self, TT_NEUTRINO_ELAPSED, clock), end = choose_field (self, TT_NEUTRINO_END, clock);

  /* An end of 32 bits is no time of a clock of 64. */
  if (elapsed < 0 && end >= 0 && !field_at (self, (guint) end)->is_u64)
    return -1;
  return elapsed >= 0 ? elapsed : end;
}

void
tt_neutrino_map_guess (TtNeutrinoMap *self)
{
  for (guint i = 0; i < self->fields->len; i++)
    guess_field (field_at (self, i));
  self->unit = choose_field (self, TT_NEUTRINO_UNIT, TT_NEUTRINO_NO_CLOCK);
  self->start = choose_field (self, TT_NEUTRINO_START, TT_NEUTRINO_NO_CLOCK);
  self->end = self->start < 0 ? -1 : choose_end (self, field_at (self, (guint) self->start)->clock);

  /* A start with an end is better than an earlier name without. */
  for (guint i = 0; self->start >= 0 && self->end < 0 && i < self->fields->len; i++)
    if (field_at (self, i)->role == TT_NEUTRINO_START && choose_end (self, field_at (self, i)->clock) >= 0)
      {
        self->start = (int) i;
        self->end = choose_end (self, field_at (self, i)->clock);
      }
}
