/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arguments as a form and numbers: '{"stream":7,"bytes":4096}' is the form '{"stream":%d,"bytes":%d}' with 7 and 4096. Texts
 * that look alike have one form, and a row of numbers takes a fifth of the text.
 *
 * A form is a format of SQLite's printf(), so that any client reads them: %d, %x, and %% for '%'. Filled with its numbers it
 * is the text, byte by byte.
 */
#pragma once

#include <glib.h>

/* Of a form at most; columns v1 ... of args_filled_row. Further ones stand in the form as they are. */
#define TT_ARGS_NUMBERS 30u
/* Of a text that is taken apart, in bytes. */
#define TT_ARGS_FORM_BYTES 2048u
/* Room for the form of any of these: a text of nothing but '%'. */
#define TT_ARGS_FORM_ROOM (2 * TT_ARGS_FORM_BYTES + 1)

/* @text: at most TT_ARGS_FORM_BYTES; without zeros in it, else 0 is returned. Writes the form without a zero at its end, and
 * returns its length. */
gsize tt_args_take_apart (const char *text,
                          gsize len,
                          char form[TT_ARGS_FORM_ROOM],
                          gint64 numbers[TT_ARGS_NUMBERS],
                          guint *n_numbers);

/* Appends what @form is with @numbers. FALSE: it is no form of so many numbers; @text is as before. */
gboolean tt_args_fill (const char *form, gsize len, const gint64 *numbers, guint n_numbers, GString *text);
