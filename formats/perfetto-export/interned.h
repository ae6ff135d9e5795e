/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts that a trace has once and its events name by number ("iid", never 0): categories, keys and values of
 * arguments. The tables have a cap each; what comes after it stands in every event instead.
 *
 * What is new collects in `pending` as fields of InternedData; the packet that first needs it carries it.
 */
#pragma once

#include "formats/perfetto-export/wire.h"

/* Field numbers of InternedData; the messages in them have the number in field 1 and the text in field 2. */
#define INTERNED_CATEGORY 1
#define INTERNED_EVENT_NAME 2
#define INTERNED_KEY 3
#define INTERNED_VALUE 29

/* What an event name and the values that repeat for each name are numbered by: the id of the name and which text. */
typedef enum
{
  PERFETTO_EVENT_NAME,
  PERFETTO_NAME_VALUE,
  PERFETTO_RAW_VALUE,
  PERFETTO_N_NAME_TEXTS
} PerfettoNameText;

typedef struct _PerfettoInterned PerfettoInterned;

struct _PerfettoInterned
{
  WireBytes pending;
  gboolean keeps_values; /* tt_perfetto_intern_value() has numbers at all; TRUE at first */

  /* private */
  GHashTable *categories, *keys; /* text -> number */
  GByteArray *sent_categories;   /* a bit each, by number, and so are the next two */
  GByteArray *sent_names;        /* PERFETTO_N_NAME_TEXTS a name */
  GByteArray *sent_values;
  struct _PerfettoValue *values; /* by hash; a later text takes the place of an earlier one */
  guint64 n_values;
};

void tt_perfetto_interned_init (PerfettoInterned *self);
void tt_perfetto_interned_clear (PerfettoInterned *self);

/* All return a number; 0: the table is full. */
guint64 tt_perfetto_intern_category (PerfettoInterned *self, const char *text);
guint64 tt_perfetto_intern_key (PerfettoInterned *self, const char *text, gsize len);
/* 0 also for what was not seen lately, or is too long to be worth it. */
guint64 tt_perfetto_intern_value (PerfettoInterned *self, const char *text, gsize len);
/* One of the texts of name @id; never 0. One bit of memory each, so there can be millions. */
guint64 tt_perfetto_intern_name (PerfettoInterned *self, guint32 id, PerfettoNameText which, const char *text);

/* For texts whose first event may never come: the number now, the text with that event. Values and names of which the
 * caller keeps the number; a bit of memory each. */
guint64 tt_perfetto_reserve_category (PerfettoInterned *self, const char *text);
guint64 tt_perfetto_reserve_value (PerfettoInterned *self);
guint64 tt_perfetto_name_number (guint32 id, PerfettoNameText which);
/* TRUE once for each reserved value, and then it must come with tt_perfetto_send_value(). */
gboolean tt_perfetto_must_send (PerfettoInterned *self, guint64 value);
void tt_perfetto_send_value (PerfettoInterned *self, guint64 value, const char *text);
