/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtIdTable: rows of one size by small numbers that count up, such as ids.
 *
 * The first 65,536 lie in memory and are found as in an array; the others, whose number the input decides, in a
 * TtSpill. Errors of the temporary file are sticky: tt_id_table_check() reports them.
 */
#pragma once

#include "src/base/spill.h"

#define TT_ID_TABLE_FIRST 65536u

typedef struct
{
  gsize row_size; /* a power of two */
  guint8 *first;
  guint32 n_first; /* allocated */
  TtSpill *more;   /* NULL: not needed yet */
} TtIdTable;

/* Zeroed with its row_size set, a table is empty. */
void tt_id_table_clear (TtIdTable *self);
gboolean tt_id_table_check (const TtIdTable *self, GError **error);

/* Use tt_id_table_at(). */
void *tt_id_table_find (TtIdTable *self, guint32 id);

/* The row, zeroed when new, to be read and written until the next call. */
static inline void *
tt_id_table_at (TtIdTable *self, guint32 id)
{
  return G_LIKELY (id < self->n_first) ? self->first + id * self->row_size : tt_id_table_find (self, id);
}
