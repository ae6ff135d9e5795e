/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Databases as they are written, and as nobody writes them, for tests of queries; and answers as lines of text.
 */
#pragma once

#include <glib.h>

#include "src/store/query.h"

extern const guint n_odd_databases;
/* Makes one of them in @directory. Its path, which is the caller's. */
char *odd_database_make (const char *directory, guint number);

/* For tt_store_query(): a line in a GPtrArray of char * each. */
gboolean odd_database_write_names (const char *const *names, guint n, gpointer data);
gboolean odd_database_write_row (const TtCell *cells, guint n, gpointer data);
