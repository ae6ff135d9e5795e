/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtEqualCalls: calls of collectives that ranks make a different number of times, which the measured path does not follow, found by the ranks of a
 * crew, each of which reads a share; and those of host-collectives.h, which go to who has their threads.
 */
#pragma once

#include "analyzers/waits/deal.h"
#include "src/store/store.h"

typedef struct
{
  guint64 n_collectives, n_dropped; /* on rank 0: of all */
  gboolean has_host_collectives;    /* of any rank */
} TtEqualCalls;

/* Whether all processes make as many, and there are several. @counts: by process. */
gboolean tt_calls_are_equal (GHashTable *counts);
/* On all ranks. @dropped, of guint64: gets the spans of such calls that are this rank's, ascending; @transfers, of TtHostCall: those of its
 * threads. */
gboolean tt_equal_calls_find (TtEqualCalls *self,
                              TtStore *store,
                              const TtWaitDeal *deal,
                              guint32 n_threads,
                              GArray *dropped,
                              GArray *transfers,
                              GError **error);
