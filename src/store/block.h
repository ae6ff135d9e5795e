/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtBlock: a piece of a scan of events, filled by tt_collect() of a statement or from pages (table-pages.h). Used by
 * src/store only.
 */
#pragma once

#include "src/store/args-pages.h"
#include "src/store/private.h"
#include "src/store/table-pages.h"
#include "src/trace/span.h"

/* Columns of an event, in the order of the parameters of tt_collect(). Two more, where there are arguments. */
typedef enum
{
  TT_BLOCK_ID,
  TT_BLOCK_THREAD,
  TT_BLOCK_NAME,
  TT_BLOCK_TS_NS,
  TT_BLOCK_DUR_NS,
  TT_BLOCK_SELF_NS,
  TT_BLOCK_SHAPE,
  TT_BLOCK_STEP,
  TT_BLOCK_COLUMNS,
  TT_BLOCK_ARGS = TT_BLOCK_COLUMNS,
  TT_BLOCK_JSON,
} TtBlockColumn;

void tt_store_register_collect (TtStore *self);
/* What rows refer to: the store's, or copies for another thread, of which only the caches are its own. */
typedef struct
{
  TtPlaces *threads, *names;
} TtBlockPlaces;

/* Forgets its rows, and has room for those from @first to @last of @source. */
void tt_block_clear (TtBlock *block, guint64 first, guint64 last, guint32 source);
/* Adds its rows, with the times of the tables. FALSE: they are not as they should be. */
gboolean tt_block_read (TtBlock *block, const TtBlockPlaces *places, TtTablePages *pages);
/* The texts of their arguments, as many as a block holds and @pages have; the others are looked up. */
void tt_block_read_args (TtBlock *block, TtArgsPages *pages);

/* What readers count on. */
static inline gboolean
tt_block_row_is_sound (const TtBlockRow *row)
{
  return row->thread != 0 && row->name != 0 && tt_time_is_kept (row->ts_ns) &&
         (row->dur_ns == TT_NO_TIME || (row->dur_ns >= 0 && row->self_ns >= 0 && row->self_ns <= row->dur_ns &&
                                        row->dur_ns <= TT_TIME_MAX_NS - row->ts_ns));
}

/* There is room. A column of @nulls, a bit set of 1 << TtBlockColumn, is 0 in @values. Returns the row, which has no
 * arguments yet. */
static inline TtBlockRow *
tt_block_add (TtBlock *block, const TtBlockPlaces *places, const gint64 *values, guint nulls)
{
  guint64 expected = block->first + block->n, shape = (guint64) values[TT_BLOCK_SHAPE];
  TtBlockRow *row = &block->rows[block->n++];

  row->id = (guint64) values[TT_BLOCK_ID];
  row->thread = tt_places_find (places->threads, values[TT_BLOCK_THREAD]);
  row->name = tt_places_find (places->names, values[TT_BLOCK_NAME]);
  row->ts_ns = values[TT_BLOCK_TS_NS];
  row->dur_ns = values[TT_BLOCK_DUR_NS];
  if ((nulls & 1u << TT_BLOCK_DUR_NS) != 0)
    row->dur_ns = TT_NO_TIME;
  else if (G_UNLIKELY (row->dur_ns == TT_NO_TIME))
    row->dur_ns = -1; /* not sound */
  row->own_ns = row->dur_ns;
  row->self_ns = values[TT_BLOCK_SELF_NS];
  row->flags = shape & ((1u << TT_SCHEMA_SHAPE_BITS) - 1);
  row->depth = (guint32) (shape >> TT_SCHEMA_SHAPE_BITS);
  row->step = (nulls & 1u << TT_BLOCK_STEP) != 0 ? TT_NO_STEP : (gint32) values[TT_BLOCK_STEP];
  row->args_id = row->args = 0;
  block->is_damaged |= !tt_block_row_is_sound (row) || row->id != expected;
  return row;
}
