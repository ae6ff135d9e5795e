/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Merges two JSON objects as texts: no tree is made, only the outer members are looked at.
 */
#pragma once

#include <glib.h>

/* Callers do not merge longer ones than this: both are in memory. */
#define TT_MAX_MERGED_ARGS ((gsize) 8 << 20)

/*
 * Appends to @out the members of @first and then those of @more that @first does not have; a key that both have
 * keeps its place and gets @more's value. Of a key that one object has several times the last value
 * counts. Keys are compared as they read ("\u0061" is "a"). Values are copied as they stand.
 * Missing and trailing commas are passed over. FALSE, with @out as it was: one of the two is no object.
 */
gboolean tt_args_merge (const char *first, gsize first_len, const char *more, gsize more_len, GString *out);

/* Whether no member of @more is called as one of @first, or as a text in it; both are valid, and have no blanks outside of their
 * texts. */
gboolean tt_args_share_no_key (const char *first, gsize first_len, const char *more, gsize more_len);
