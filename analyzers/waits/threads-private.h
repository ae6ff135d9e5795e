/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What threads.c and thread-deal.c share.
 */
#pragma once

#include "analyzers/waits/critical-pairs.h"
#include "analyzers/waits/threads.h"

typedef struct
{
  guint64 event; /* the last to end; 0: none */
  gint64 end_ns;
  guint32 name;
} TtThreadEnd;

struct _TtThreadWaits
{
  TtStore *store;
  GArray *joins, *locks, *barriers, *finalizes; /* of TtWaitSpan */
  TtThreadEnd *ends;                            /* by thread */
  TtCriticalPairs criticals;
  guint32 max_thread;
};
