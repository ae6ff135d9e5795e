/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtComm and TtPairWaits by the ranks of a crew. Waits for late senders and receivers need all messages and calls at once: one rank, not the first, finds
 * them, so that nothing is read twice, while the others count messages, and read the spans in which they are received, each those
 * of some sources. Ranks say sums.
 */
#pragma once

#include "analyzers/communication/comm.h"
#include "analyzers/waits/pair-waits.h"
#include "src/base/crew.h"

/* All ranks ask the same. @with_waits: *@waits is wanted, else it is empty. Rank 0, which calls the others, gets what tt_comm_new() and
 * tt_pair_waits_new() say; the others get nothing of use. */
gboolean tt_joint_comm_new (TtStore *store,
                            const TtSelection *selection,
                            const TtCrew *crew,
                            gboolean with_waits,
                            TtComm **comm,
                            TtPairWaits **waits,
                            GError **error);
