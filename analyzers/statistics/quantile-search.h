/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds which keys of a duration log stand at given places, in bounded memory and without a sort of all: what is known is
 * a range of keys around each place; each pass over the log counts the keys of a range in buckets, which leaves one of them,
 * or, where they are few, gathers them. Where there are so many rows that this would take many passes, all are sorted.
 */
#pragma once

#include "analyzers/statistics/quantile-sort.h"

/* As tt_quantiles_sort(), of @n_rows. */
gboolean tt_quantiles_find (TtTape *log,
                            TtQuantileRow *rows,
                            guint32 n_rows,
                            const guint32 (*rows_of_group)[2],
                            gsize memory_bytes,
                            GError **error);

/* The key at place @rank, from 0, of @keys between @from and @n, if they were in order; then no key before that place is greater, and
 * none behind it smaller. */
guint64 tt_quantile_select (guint64 *keys, gsize from, gsize n, gsize rank);
