/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtOpTable: numbers for operations (op_long_name), in the order they are first asked for.
 *
 * Several names of a database can have one text and suffix; they are one operation. Texts belong to the
 * table.
 */
#pragma once

#include "src/store/store.h"

typedef struct _TtOpTable TtOpTable;

typedef struct
{
  guint32 process;   /* TT_NO_ID when ranks are merged */
  guint32 name;      /* first id seen */
  const char *label; /* op_long_name, or name[~>suffix] when ranks are merged */
} TtOp;

TtOpTable *tt_op_table_new (TtStore *store, gboolean merge_ranks);
void tt_op_table_free (TtOpTable *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtOpTable, tt_op_table_free)

guint32 tt_op_table_find (TtOpTable *self, guint32 process, guint32 name);
guint32 tt_op_table_count (const TtOpTable *self);
const TtOp *tt_op_table_op (const TtOpTable *self, guint32 op);

/* All operations of the selected runs, from their statistics (or, without any, from the events). */
gboolean tt_op_table_fill (TtOpTable *self, GError **error);

/* Operations that @text means: the op_long_name, else the name (of any pid), else the only name that
 * contains it. GArray of guint32; NULL with an error that names the nearest. */
GArray *tt_op_table_match (const TtOpTable *self, const char *text, GError **error);
