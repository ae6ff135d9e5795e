/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of a store. There may be millions: they are loaded when they are asked for.
 */
#pragma once

#include "src/store/handle.h"

typedef struct
{
  guint32 id;
  const char *op_cat, *op_name, *sub_op, *suffix, *text, *raw, *group, *file; /* NULL = SQL null */
  gint64 line;
  gboolean is_collective;
  guint64 communicator; /* of a collective */
} TtStoredName;

/* By id, 1, 2, 3 ... in the selected runs. NULL: there are not so many. It stays in memory; what cannot be read, or is
 * missing in a damaged database, is a failure (src/base/failure.h), and the name that is answered harmless. */
const TtStoredName *tt_store_name (TtStore *self, guint32 id);
/* As tt_store_name(), but valid until the next call only. For answers that need few of many names. */
const TtStoredName *tt_store_peek_name (TtStore *self, guint32 id);
guint32 tt_store_max_name (TtStore *self); /* how many there are, and the greatest id */
/* The id of a name that an importer knows by the @row of the database; TT_NO_ID: none. */
guint32 tt_store_name_of_row (TtStore *self, guint32 row);

/* The first id with the same text and suffix as each name: an array indexed by name, of
 * tt_store_max_name() + 1 elements. Does not load the names. Free it. */
guint32 *tt_store_first_names (TtStore *self, GError **error);

/* All names in id order, none of them retained: @name is valid during the call. FALSE ends it. */
typedef gboolean (*TtNameFunc) (const TtStoredName *name, gpointer data);
gboolean tt_store_each_name (TtStore *self, TtNameFunc func, gpointer data, GError **error);

/* "pid->name[~>suffix]". Free it. */
char *tt_store_long_name (TtStore *self, guint32 process, guint32 name);
/* The long name of a name at hand; NULL: of none. */
char *tt_store_long_name_of (TtStore *self, guint32 process, const TtStoredName *name);
/* Whether any name of the selected runs has a suffix. */
gboolean tt_store_has_suffixes (TtStore *self, gboolean *has_suffixes, GError **error);
