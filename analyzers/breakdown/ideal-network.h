/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtIdealNetwork: how long a run would last if its communication took no time.
 *
 * All threads begin at once, and their stretches of work last as long as they did; all else takes no time but for what it
 * needs of others:
 *
 *   message      is received when it has been sent
 *   collective   all to all, barrier: nobody leaves before all have come; from a root: the others not before the root;
 *                to a root: the root not before all
 *   wait         of any other kind for another rank (waits.h): ends when the moment that ended it has come
 *
 * A send waits for its receiver only where it did. What cannot be, a message that is received before it was sent, counts
 * as nothing. Where all is as it was the run can not end later than it did.
 *
 * Time: linear in messages, parts of collectives and waits, but for sorting them. Memory: 32 bytes for each of their
 * ends, 16 while the waits are looked for.
 */
#pragma once

#include "analyzers/waits/deal.h"
#include "analyzers/waits/hearer.h"
#include "src/store/store.h"

typedef struct _TtIdealNetwork TtIdealNetwork;

/* What is not between @begin_ns and @end_ns as a whole does not count. */
TtIdealNetwork *tt_ideal_network_new (TtStore *store, gint64 begin_ns, gint64 end_ns);
/* Hears of messages and calls; then the waits come, of TtWait, and all begins. */
TtWaitHearer tt_ideal_network_hearer (TtIdealNetwork *self);
void tt_ideal_network_add_waits (TtIdealNetwork *self, const GArray *waits);
void tt_ideal_network_begin (TtIdealNetwork *self);
void tt_ideal_network_free (TtIdealNetwork *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtIdealNetwork, tt_ideal_network_free)

/* A stretch of work. Those of a thread come latest first and do not overlap. */
void tt_ideal_network_work (TtIdealNetwork *self, guint32 thread, gint64 begin_ns, gint64 end_ns);
/* Once, after all stretches: from the begin of all threads to the last end of those that count. @counts: by thread. */
gint64 tt_ideal_network_replay (TtIdealNetwork *self, const guint8 *counts);

/* -- by several ranks: each measures the work between the points of its threads, and rank 0 replays all ----------------- */

/* How many things are waited for that this rank has heard of. */
guint tt_ideal_network_n_gatherings (const TtIdealNetwork *self);
/* Before tt_ideal_network_begin(), after the waits: hands out the points to those who have their threads. @base: how many things
 * ranks before this one have heard of. */
void tt_ideal_network_deal (TtIdealNetwork *self, guint base, const TtWaitDeal *deal, GByteArray **bytes);
gboolean tt_ideal_network_take_dealt (TtIdealNetwork *self, const TtWaitDeal *deal, GByteArray **bytes);
/* After all stretches: what rank 0 needs of the others, who are taken in the order of their numbers. */
void tt_ideal_network_pack (TtIdealNetwork *self, GByteArray *bytes);
gboolean tt_ideal_network_take (TtIdealNetwork *self, TtUnpack *from);
/* After the last: points are of things that somebody has heard of. */
gboolean tt_ideal_network_is_whole (const TtIdealNetwork *self);
