/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Times and sizes as people read them. Conversions from ns are exact in integers.
 */
#pragma once

#include "src/base/int128.h"

typedef enum
{
  TT_UNIT_NS,
  TT_UNIT_US,
  TT_UNIT_MS,
  TT_UNIT_S,
} TtUnit;

const char *tt_unit_text (TtUnit unit); /* "ns", "us", "ms", "s" */
gint64 tt_unit_ns (TtUnit unit);        /* 1, 1000, 1000000, 1000000000 */
extern const char *const tt_unit_words[]; /* NULL-ended; by TtUnit */
gboolean tt_unit_parse (const char *text, TtUnit *unit, GError **error);
/* The same or "auto", which leaves *unit as it is. */
extern const char *const tt_unit_choice_words[];
gboolean tt_unit_choice_parse (const char *text, TtUnit *unit, gboolean *is_auto, GError **error);

/* @ns in @unit with @decimals digits after the point, half away from zero: "12.345". Returns buffer. */
#define TT_TIME_TEXT 64
char *tt_time_text (char buffer[TT_TIME_TEXT], gint64 ns, TtUnit unit, int decimals);
/* tt_time_text() for sums; at most 9 decimals; @decimals -1: as many as are needed to be exact. */
char *tt_time_text_int128 (char buffer[TT_TIME_TEXT], tt_int128 ns, TtUnit unit, int decimals);
/* The unit chosen by size, for running text: "1.25 s", "840 us"; from ten minutes "20 min 34 s", "2 h 5 min", "47 d 6 h". */
char *tt_time_auto (char buffer[TT_TIME_TEXT], gint64 ns);
/* A size of time for tables, which tells its unit: four digits, "1.234 ms", "12.30 s", more of what is above 10,000 s;
 * what is not 0 never reads as 0. */
char *tt_time_shown (char buffer[TT_TIME_TEXT], tt_int128 ns);
char *tt_time_shown_real (char buffer[TT_TIME_TEXT], double ns);
/* "12.4 MB" (powers of 1000). */
char *tt_bytes_auto (char buffer[TT_TIME_TEXT], guint64 bytes);
/* 12,345,678 */
char *tt_count_text (char buffer[TT_TIME_TEXT], guint64 count);

/* Decimal text ("12", "-0.25", "1e-3") in @unit to ns without a double in between. Overflow, junk,
 * and digits below 1 ns that are not 0 are handled: the first two are errors, the last is rounded half away. */
gboolean tt_time_parse (const char *text, gssize len, TtUnit unit, gint64 *ns, GError **error);
/* The same of a whole text that may end in a unit of its own ("1.5 ms", "20us"); without one in @unit. */
gboolean tt_time_parse_as_said (const char *text, TtUnit unit, gint64 *ns, GError **error);
