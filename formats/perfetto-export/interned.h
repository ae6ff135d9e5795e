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

  /* private */
  GHashTable *categories, *keys; /* text -> number */
  struct _PerfettoValue *values; /* by hash; a later text takes the place of an earlier one */
  GByteArray *is_named;          /* PERFETTO_N_NAME_TEXTS bits a name */
  guint64 n_values;
};

void tt_perfetto_interned_init (PerfettoInterned *self);
void tt_perfetto_interned_clear (PerfettoInterned *self);

/* All return a number; 0: the table is full. */
guint64 tt_perfetto_intern_category (PerfettoInterned *self, const char *text);
guint64 tt_perfetto_intern_key (PerfettoInterned *self, const char *text, gsize len);
/* 0 also for what was not seen lately, or is too long to be worth it. */
guint64 tt_perfetto_intern_value (PerfettoInterned *self, const char *text, gsize len);
/* Without a look at whether it is there already: for those who remember the number. */
guint64 tt_perfetto_intern_new_value (PerfettoInterned *self, const char *text);
/* One of the texts of name @id; never 0. One bit of memory each, so there can be millions. */
guint64 tt_perfetto_intern_name (PerfettoInterned *self, guint32 id, PerfettoNameText which, const char *text);
