/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What finder.c and finder-part.c share.
 */
#pragma once

#include "analyzers/waits/collectives.h"
#include "analyzers/waits/devices.h"
#include "analyzers/waits/finder.h"
#include "analyzers/waits/messages.h"
#include "analyzers/waits/threads.h"

struct _TtWaitFinder
{
  TtStore *store;
  const TtSelection *selection;
  TtWaitWindow window;
  TtSyncs *syncs;
  TtWaitCounts counts;
  TtCallClasses classes;
  TtPolls *polls;
  TtMessageWaits *messages;
  TtCollectiveWaits *collectives;
  TtThreadWaits *threads;
  TtDeviceWaits *devices;        /* NULL: not asked for */
  gboolean has_begun;            /* the first span was taken */
  gboolean is_narrow, has_polls; /* has_polls: polls and probes in the window, which wait for what comes later */
  guint8 *has_begun_span;        /* by thread: one in the window; NULL: nobody asks */
  guint64 next;                  /* spans of class TT_CALL_OTHER before it change nothing but when their thread ended */
};

/* Before the first span. */
void tt_wait_finder_begin (TtWaitFinder *self);
