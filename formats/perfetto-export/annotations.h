/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arguments of an event as DebugAnnotations: they are collected, and the next event takes them.
 */
#pragma once

#include "formats/perfetto-export/interned.h"

/* Field numbers: in TrackEvent, and in another annotation. */
#define PERFETTO_EVENT_ANNOTATIONS 4
#define PERFETTO_DICT_ENTRIES 11
#define PERFETTO_ARRAY_VALUES 12

typedef struct
{
  PerfettoInterned *interned; /* borrowed */
  WireBytes bytes;            /* of the arguments */
  guint field;                /* what each argument is; PERFETTO_EVENT_ANNOTATIONS at first */

  /* private */
  GString *scratch;
} PerfettoArgs;

void tt_perfetto_args_init (PerfettoArgs *self, PerfettoInterned *interned);
void tt_perfetto_args_clear (PerfettoArgs *self);

/* @key: a number from tt_perfetto_intern_key(). */
void tt_perfetto_add_int (PerfettoArgs *self, guint64 key, gint64 value);
void tt_perfetto_add_bool (PerfettoArgs *self, guint64 key, gboolean value);
void tt_perfetto_add_text (PerfettoArgs *self, guint64 key, const char *text);
/* @value: a number of an interned value. */
void tt_perfetto_add_value (PerfettoArgs *self, guint64 key, guint64 value);
/* @items: of values, each a PERFETTO_ARRAY_VALUES. */
void tt_perfetto_add_array (PerfettoArgs *self, guint64 key, const WireBytes *items);

/*
 * The members of the JSON object @json, of which the first of equal keys counts; those with a name of ours get a
 * prefix (own-args.h). What is no JSON ends the list. Integers of up to 64 bits stay exact, other numbers are doubles.
 * A null is the text "null", an empty object or array the text "{}" or "[]", because Perfetto has no word for them;
 * what is nested deeper than readers go is its JSON as a text.
 */
void tt_perfetto_add_json (PerfettoArgs *self, const char *json, gsize len);
