/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/virtual-private.h"

#define BIT(column) (1u << (column))

guint
tt_virtual_column_needs (const TtVirtualEvents *events, TtEventColumn column)
{
  const guint clock = events->pieces->len == 0 ? 0 : BIT (TT_BLOCK_ID) | BIT (TT_BLOCK_THREAD) | BIT (TT_BLOCK_TS_NS);

  switch (column)
    {
    case TT_EVENT_ID:
    case TT_EVENT_SOURCE:
    case TT_EVENT_RUN:
      return BIT (TT_BLOCK_ID);
    case TT_EVENT_PID:
    case TT_EVENT_TID:
      return BIT (TT_BLOCK_THREAD);
    case TT_EVENT_OP_LONG_NAME:
      return BIT (TT_BLOCK_ID) | BIT (TT_BLOCK_THREAD) | BIT (TT_BLOCK_NAME);
    case TT_EVENT_TS_NS:
      return BIT (TT_BLOCK_TS_NS) | clock;
    case TT_EVENT_DUR_NS:
      return BIT (TT_BLOCK_DUR_NS) | clock;
    case TT_EVENT_SELF_NS:
      return BIT (TT_BLOCK_SELF_NS);
    case TT_EVENT_DEPTH:
    case TT_EVENT_FLAGS:
      return BIT (TT_BLOCK_SHAPE);
    case TT_EVENT_STEP:
      return BIT (TT_BLOCK_STEP);
    case TT_EVENT_ARGS:
      return BIT (TT_BLOCK_ARGS);
    case TT_EVENT_OWN_TS_NS:
      return BIT (TT_BLOCK_TS_NS);
    case TT_EVENT_OWN_DUR_NS:
      return BIT (TT_BLOCK_DUR_NS);
    default:
      return BIT (TT_BLOCK_NAME);
    }
}

guint
tt_virtual_column_keys (TtEventColumn column)
{
  switch (column)
    {
    case TT_EVENT_SOURCE:
    case TT_EVENT_RUN:
      return BIT (TT_KEY_RANGE);
    case TT_EVENT_PID:
    case TT_EVENT_TID:
      return BIT (TT_BLOCK_THREAD);
    case TT_EVENT_OP_LONG_NAME:
      return BIT (TT_BLOCK_THREAD) | BIT (TT_BLOCK_NAME);
    case TT_EVENT_FLAGS:
      return BIT (TT_KEY_FLAGS);
    case TT_EVENT_STEP:
      return BIT (TT_BLOCK_STEP);
    case TT_EVENT_ID:
    case TT_EVENT_TS_NS:
    case TT_EVENT_DUR_NS:
    case TT_EVENT_SELF_NS:
    case TT_EVENT_DEPTH:
    case TT_EVENT_ARGS:
    case TT_EVENT_OWN_TS_NS:
    case TT_EVENT_OWN_DUR_NS:
    case TT_EVENT_N:
      return 0;
    default:
      return BIT (TT_BLOCK_NAME);
    }
}

gboolean
tt_virtual_can_group (TtEventColumn column)
{
  return tt_virtual_column_keys (column) != 0;
}
