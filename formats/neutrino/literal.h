/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers and strings as Python writes them.
 */
#pragma once

#include "formats/neutrino/arena.h"
#include "formats/neutrino/messages.h"

typedef struct
{
  gsize len;      /* in the source */
  guint64 value;  /* of a float: bits of the nearest f64 */
  guint64 narrow; /* and of the nearest f32 */
  gboolean is_huge;
  const char *type; /* "float", "complex"; NULL: an integer */
} TtNlNumber;

/* @text begins with a digit, or with a point and a digit. NULL, or what is wrong with it. */
const char *tt_nl_number_read (const char *text, gsize len, TtNlNumber *number);

typedef struct
{
  gsize len; /* in the source, with prefix and quotes */
  gboolean is_triple, is_terminated;
  const char *type; /* "bytes", "f-string"; NULL: a string */
  const char *text; /* decoded */
} TtNlString;

/* Of the source: where the literal begins, with @n_prefix letters before its quotes. */
typedef struct
{
  const char *source;
  gsize len, start, n_prefix;
} TtNlStringAt;

/* FALSE: reported in @messages. */
gboolean tt_nl_string_read (const TtNlStringAt *at, TtNlArena *arena, TtNlString *string, TtNlMessages *messages);
