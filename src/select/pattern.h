/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtPattern: a regular expression (Perl's, as PCRE2 has them) whose search is bounded.
 *
 * A search that backtracks more than 10 million times or in more than 64 MiB, and searches that together take more
 * than 5 s and 50 us a text, are given up: that is left with tt_failure_leave(), with the expression, the text and what
 * to do, and from then on nothing matches.
 */
#pragma once

#include <glib.h>

typedef struct _TtPattern TtPattern;

TtPattern *tt_pattern_new (const char *expression, GError **error);
void tt_pattern_free (TtPattern *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtPattern, tt_pattern_free)

/* Whether it is found anywhere in @text, whose bytes that are not UTF-8 count as U+FFFD. */
gboolean tt_pattern_matches (TtPattern *self, const char *text);
