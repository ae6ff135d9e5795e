/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtArgsForm: what is the same in the arguments of many events, as a format of SQLite's printf(): '{"stream":%d,"to":"0x%x"}',
 * with %d, %x, and %% for '%'. Who has arguments as numbers gives these to a sink that wants them so (tt_sink_takes_forms()), and
 * no digits are written that would be read again.
 *
 * Forms belong to their sink, and are good as long as it is.
 */
#pragma once

#include <glib.h>

/* Of a source: one that has more gives the arguments of others as texts. */
#define TT_ARGS_FORMS_OF_SOURCE 1024u
/* Of a form. */
#define TT_ARGS_FORM_MOST_NUMBERS 30u
/* Of a text with a form: longer ones are kept as texts, and the memory of a sink is bounded. */
#define TT_ARGS_FORM_MOST_BYTES 2048u
/* A %d stands for 0 up to one less than this; a %x for any 64 bits. */
#define TT_ARGS_FORM_DECIMAL_END G_GINT64_CONSTANT (1000000000000000000)

typedef struct
{
  guint32 number; /* of its sink, from 0 */
  guint n_numbers;
  gsize len;
  char format[]; /* ends with a NUL */
} TtArgsForm;
