/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtMessageHalf: one side of a message before it is joined, and the order in which halves are joined.
 *
 * First in, first out per channel (source, destination, tag, communicator): the store and the
 * exporters that have no store join by this one rule. `order_ns` is the time, but never less than that of
 * the half before it on its thread, so that a thread's file order is kept where several threads
 * share a side.
 */
#pragma once

#include "src/base/key-sort.h"
#include "src/base/sorter.h"
#include "src/trace/batch.h"

typedef struct
{
  guint32 src, dst; /* processes */
  gint64 tag, comm;
  gint64 ts_ns, order_ns;
  gint64 bytes;
  guint32 thread;
  guint32 owner;             /* see TtOwnerColumns */
  guint32 is_send, onesided; /* TtOnesided */
} TtMessageHalf;

/* Fields of the sort key; those before TT_HALF_ORDER are the channel. */
enum
{
  TT_HALF_SRC,
  TT_HALF_DST,
  TT_HALF_TAG,
  TT_HALF_COMM,
  TT_HALF_ONESIDED,
  TT_HALF_ORDER,
  TT_HALF_THREAD,
  TT_N_HALF_FIELDS,
};

TtMessageHalf tt_message_half_of_row (const TtHalfColumns *halves, guint i);

/* A TtKeyFields of records that begin with a TtMessageHalf. */
void tt_message_half_fields (const void *record, guint64 *fields);
/* Ranges for a key sort of such records; `ranges` has TT_N_HALF_FIELDS. */
void tt_message_half_ranges_init (TtKeyRange *ranges);
void tt_message_half_widen (TtKeyRange *ranges, const TtMessageHalf *half);
int tt_message_half_compare_channels (const TtMessageHalf *a, const TtMessageHalf *b);

/* A receive may only know the size of its buffer, so its length counts only where there is no send, or nothing else is
 * known of a one-sided transfer; -1: unknown. Either side may be NULL. */
gint64 tt_message_half_bytes (const TtMessageHalf *send, const TtMessageHalf *recv);
