/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtWaitPart: the waits of a run, found by the ranks of a crew together: each of the threads whose events it reads. Ends of messages and
 * parts of calls go between ranks (deal.h), no other rows do.
 *
 * Work on devices is found by who reads its source: what launched it, what it waits for and what waits for it are in the same.
 *
 * Not shared are a time window that is less than one rank's part of the run, runs of which one rank has all events, and runs in
 * which a thread is in the files of several ranks, or work on devices speaks of the spans and threads of another rank.
 */
#pragma once

#include "analyzers/spans/each-event.h"
#include "analyzers/waits/deal.h"
#include "analyzers/waits/waits-private.h"

typedef struct
{
  TtStore *store;
  TtWaitDeal deal;
  TtWaitReader reader;
  TtWaits *waits;   /* of this rank's threads, without n_ranks and time_ns */
  TtEventFunc also; /* before: gets the events of the part, too; NULL: nobody asks */
  gpointer data;    /* of it */
  gboolean is_raw;  /* waits are as tt_wait_finder_finish() has them */
  TtWaitsOf of;
  const guint8 *claimed; /* by thread, likewise before: no other rank must have them, either; NULL: none */
  gboolean is_entangled; /* the same: what the caller has found cannot be told from what others find */
  TtDevicePart events;   /* that it reads */
} TtWaitPart;

void tt_wait_part_clear (TtWaitPart *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtWaitPart, tt_wait_part_clear)

/* On rank 0, before it calls the others: whether it is worth while. */
gboolean
tt_wait_part_can (TtStore *store, const TtWaitWindow *window, const TtCrew *crew, gboolean *can, GError **error);

/* On all ranks, after rank 0 has called them. @hearer: as tt_waits_find() has it, of the rows that this rank reads, which are those after what ranks before
 * it read; NULL: nobody asks.
 * *@is_alone: threads are in files of several ranks: rank 0 has to find the waits otherwise, the others have nothing to do. FALSE: @error, or
 * another has failed. */
gboolean tt_wait_part_find (TtWaitPart *self,
                            TtStore *store,
                            const TtSelection *selection,
                            const TtWaitWindow *window,
                            const TtCrew *crew,
                            const TtWaitHearer *hearer,
                            gboolean *is_alone,
                            GError **error);
/* Then: rank 0 gets those of all, the others are done. */
TtWaits *tt_wait_part_gather (TtWaitPart *self, GError **error);

/* tt_waits_new() by the ranks of @crew, which rank 0 calls, if that helps, and dismisses. Others get NULL; without @error they are done. */
TtWaits *tt_joint_waits_new (TtStore *store, const TtSelection *selection, const TtCrew *crew, GError **error);
