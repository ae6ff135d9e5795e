/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The line below a table that has not all rows.
 */
#pragma once

#include <glib.h>

/* "and 12 more (3.45 % of time; --top 0 shows all)". @part: what is in brackets, NULL: nothing; @tells_how: to see all.
 * Free it. */
char *tt_more_text (guint64 n_more, const char *part, gboolean tells_how);
