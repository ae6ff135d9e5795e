/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words and shares that an option takes.
 */
#pragma once

#include <glib.h>

/* Sets *choice to the index of @text in @words, which is NULL-ended. FALSE with @error, which calls it @what and names
 * the nearest word, or all. */
gboolean tt_word_choose (const char *what, const char *text, const char *const *words, guint *choice, GError **error);

/* "5", "5%", "0.5 %", from 0; @option without its dashes. FALSE with @error: it is none, and *@percent stays. */
gboolean tt_percent_parse (const char *option, const char *text, double *percent, GError **error);
