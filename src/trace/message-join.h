/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which halves are one message: the one rule of the store and of the exporters that have none.
 */
#pragma once

#include "src/trace/lost-order.h"

/* The k-th send of a channel belongs to its k-th receive, where @lost (may be NULL) leaves that sure. @pair gets records of
 * the sorts (either may be NULL: no partner) with their number in the channel; FALSE with its error ends the pairing.
 * Finishes the sorts. *n_unsure: pairs that were left apart; may be NULL. */
typedef gboolean (*TtPairFunc) (gconstpointer send, gconstpointer recv, gint64 ordinal, gpointer data, GError **error);
gboolean tt_message_half_pair (TtKeySort *sends,
                               TtKeySort *recvs,
                               const TtLostOrder *lost,
                               TtPairFunc pair,
                               gpointer data,
                               guint64 *n_unsure,
                               GError **error);
