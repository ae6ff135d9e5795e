/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What `info` gathers beside TtRunFacts: series, metadata.
 */
#pragma once

#include "src/store/store.h"

typedef struct
{
  const TtSeries *series;
  guint64 n_values, n_metrics; /* of counter and of metric rows */
} TtSeriesCount;

/* Of TtSeriesCount, in id order. NULL with @error. */
GArray *tt_count_series (TtStore *store, GError **error);

typedef struct
{
  guint32 process, thread;
  char *key, *value;
} TtMetadataRow;

/* Of TtMetadataRow, sorted by key, value, process, thread. NULL with @error. */
GArray *tt_read_metadata (TtStore *store, GError **error);

/* "node0, node2 thread 1 and 3 more" for rows [from, to) of one key and value. Free it. */
char *tt_metadata_owners (TtStore *store, const GArray *rows, guint from, guint to);
