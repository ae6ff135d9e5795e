/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/message-half.h"

#include "src/base/compare.h"

TtMessageHalf
tt_message_half_of_row (const TtHalfColumns *halves, guint i)
{
  gboolean is_send = halves->is_send[i] != 0;

  return (TtMessageHalf){
    .src = is_send ? halves->own[i] : halves->peer[i],
    .dst = is_send ? halves->peer[i] : halves->own[i],
    .tag = halves->tag[i],
    .comm = halves->comm[i],
    .ts_ns = halves->ts_ns[i],
    .order_ns = halves->ts_ns[i],
    .bytes = halves->bytes[i],
    .thread = halves->thread[i],
    .owner = halves->owner[i],
    .is_send = is_send,
    .onesided = halves->onesided[i],
  };
}

void
tt_message_half_fields (const void *record, guint64 *fields)
{
  const TtMessageHalf *half = record;

  fields[TT_HALF_SRC] = half->src;
  fields[TT_HALF_DST] = half->dst;
  fields[TT_HALF_TAG] = tt_sort_key (half->tag);
  fields[TT_HALF_COMM] = tt_sort_key (half->comm);
  fields[TT_HALF_ONESIDED] = half->onesided;
  fields[TT_HALF_ORDER] = tt_sort_key (half->order_ns);
  fields[TT_HALF_THREAD] = half->thread;
}

void
tt_message_half_ranges_init (TtKeyRange *ranges)
{
  for (int i = 0; i < TT_N_HALF_FIELDS; i++)
    ranges[i] = (TtKeyRange) TT_KEY_RANGE_INIT;
}

/* The order is a highest time so far, so it stays within the range of the times. */
void
tt_message_half_widen (TtKeyRange *ranges, const TtMessageHalf *half)
{
  guint64 fields[TT_N_HALF_FIELDS];

  tt_message_half_fields (half, fields);
  for (int i = 0; i < TT_N_HALF_FIELDS; i++)
    tt_key_range_add (&ranges[i], fields[i]);
}

int
tt_message_half_compare_channels (const TtMessageHalf *a, const TtMessageHalf *b)
{
  guint64 x[TT_N_HALF_FIELDS], y[TT_N_HALF_FIELDS];

  tt_message_half_fields (a, x);
  tt_message_half_fields (b, y);
  for (int i = 0; i < TT_HALF_ORDER; i++)
    if (x[i] != y[i])
      return TT_COMPARE (x[i], y[i]);
  return 0;
}

gint64
tt_message_half_bytes (const TtMessageHalf *send, const TtMessageHalf *recv)
{
  if (send != NULL && send->bytes >= 0)
    return send->bytes;
  return recv != NULL && (recv->onesided || send == NULL) ? recv->bytes : -1;
}
