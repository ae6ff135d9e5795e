/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The columns of a batch as a table: what writes them, and what puts them into another run, goes over it.
 */
#pragma once

#include "src/trace/batch.h"

/* What a value counts: another run has other numbers for it. */
typedef enum
{
  TT_COLUMN_PLAIN,
  TT_COLUMN_PROCESS, /* these four by definitions */
  TT_COLUMN_THREAD,
  TT_COLUMN_NAME,
  TT_COLUMN_SERIES,
  TT_COLUMN_EVENT, /* these three go on from one input to the next; 0: none */
  TT_COLUMN_ARGS,
  TT_COLUMN_OWNER,
  TT_COLUMN_TEXT, /* offset of a piece, whose length is in the next column */
  TT_COLUMN_KIND, /* a pointer to a TtFlowKind */
  TT_N_COLUMN_SPACES,
} TtColumnSpace;

typedef struct
{
  guint16 at;   /* in TtBatch: the pointer to the first value */
  guint8 size;  /* bytes of a value; 4 and less: without a sign */
  guint8 space; /* TtColumnSpace */
} TtShardColumn;

typedef struct
{
  guint16 n_at;     /* in TtBatch: the number of rows */
  guint16 first, n; /* of tt_shard_columns */
} TtShardGroup;

#define TT_N_SHARD_GROUPS 11u

extern const TtShardColumn tt_shard_columns[];
extern const TtShardGroup tt_shard_groups[TT_N_SHARD_GROUPS]; /* the first is of events */

static inline guint *
tt_shard_group_rows (TtBatch *batch, const TtShardGroup *group)
{
  return (guint *) (gpointer) ((char *) batch + group->n_at);
}

static inline gpointer
tt_shard_column_values (const TtBatch *batch, const TtShardColumn *column)
{
  return *(const gpointer *) (gconstpointer) ((const char *) batch + column->at);
}
