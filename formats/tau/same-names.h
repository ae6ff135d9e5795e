/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTauSameNames: how many rows of definitions have a name that a row before them has.
 *
 * Known at the end only, from hashes that are sorted: a table of millions of names would cost more than all else that is
 * done with a row. Memory is bounded.
 */
#pragma once

#include <glib.h>

typedef struct _TtTauSameNames TtTauSameNames;

TtTauSameNames *tt_tau_same_names_new (void);
void tt_tau_same_names_free (TtTauSameNames *self);

/* @place: of the row, after those of the rows before. */
void tt_tau_same_names_add (TtTauSameNames *self, const char *name, gsize len, guint64 place);

/* The name of the row at @place; until the next call. */
typedef const char *(*TtTauNameAt) (guint64 place, gpointer data);
/* *@n rows, the first of them at *@first. Once, at the end. FALSE with @error: a temporary file has failed. */
gboolean tt_tau_same_names_count (TtTauSameNames *self,
                                  TtTauNameAt name_at,
                                  gpointer data,
                                  guint64 *n,
                                  guint64 *first,
                                  GError **error);
