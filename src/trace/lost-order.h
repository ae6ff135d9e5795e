/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtLostOrder: up to when it is known which message or collective of a process is the n-th.
 *
 * Halves and calls are joined by their order. Behind records that are missing that order is not known, unless the other side
 * proves that none of the missing ones counts: its records are whole, and there are as many.
 */
#pragma once

#include "src/trace/message-half.h"

/* The key of a process' or thread's metadata: its last time before records are missing, in ns. */
#define TT_ORDER_LOST_KEY "order_lost_after_ns"

typedef struct _TtLostOrder TtLostOrder;

TtLostOrder *tt_lost_order_new (void);
void tt_lost_order_free (TtLostOrder *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtLostOrder, tt_lost_order_free)

/* The earliest time counts. */
void tt_lost_order_lose (TtLostOrder *self, guint32 process, gint64 after_ns);
/* @value: of TT_ORDER_LOST_KEY. */
void tt_lost_order_lose_text (TtLostOrder *self, guint32 process, const char *value);
gboolean tt_lost_order_has_any (const TtLostOrder *self);
/* @after_ns: NULL, or where its last sure time is put. */
gboolean tt_lost_order_is_lost (const TtLostOrder *self, guint32 process, gint64 *after_ns);

/* All halves, once it is known who lost what, before any are joined. */
void tt_lost_order_count (TtLostOrder *self, const TtMessageHalf *half);
/* Whether two of the same number in their channel are one message. */
gboolean tt_lost_order_is_sure (const TtLostOrder *self, const TtMessageHalf *send, const TtMessageHalf *recv);
