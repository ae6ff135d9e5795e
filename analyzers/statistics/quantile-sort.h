/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds which keys of a duration log stand at given places by a sort of all: for so many rows that a search
 * (quantile-search.h) would read the log time and again.
 */
#pragma once

#include "analyzers/statistics/duration-log.h"

#define TT_QUANTILES 3u

/* Keys of one group, or of several together. Those that are not within @min and @max are passed over. */
typedef struct
{
  guint64 min, max; /* both are among its keys */
  guint64 n;        /* of the keys */
  /* Asked: where the keys stand in the order of all @n, ascending; then overwritten with the keys. */
  guint64 quantile[TT_QUANTILES];
} TtQuantileRow;

/* Where there is none of the two. */
#define TT_NO_QUANTILE_ROW G_MAXUINT32

/* The keys of @log's group g belong to rows[rows_of_group[g][0]] and [1]. FALSE: the temporary file failed. */
gboolean tt_quantiles_sort (TtTape *log,
                            TtQuantileRow *rows,
                            const guint32 (*rows_of_group)[2],
                            gsize memory_bytes,
                            GError **error);
