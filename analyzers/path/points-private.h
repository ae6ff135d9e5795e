/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What points.c and joint-path.c share.
 */
#pragma once

#include "analyzers/path/call-waits.h"
#include "analyzers/path/points.h"
#include "analyzers/waits/finder.h"

typedef struct
{
  guint32 process;
  guint64 event;
} TtPathCall;

typedef struct
{
  TtPathPoints *points;
  TtCallWaits *waits;
  TtWaitFinder *finder;
  GArray *calls; /* of TtPathCall, of one function and communicator */
  const char *function;
  gint64 comm;
  GArray *dropped; /* of guint64: events of calls that are not followed */
} TtPathCollector;

/* Without any, and threads without events. */
void tt_path_points_init (TtPathPoints *self, TtStore *store, gint32 step);
/* FALSE, @error: times of the run cannot be compared. */
gboolean tt_path_points_check_clocks (TtStore *store, GError **error);
/* Whether an event is of a thread that there is, and of the run. */
gboolean tt_path_points_has (const TtPathPoints *self, const TtEvent *event);
/* If so: how long its thread is there, and what it waits for by @waits. In the order of ids. */
void tt_path_points_take (TtPathPoints *self, TtCallWaits *waits, const TtEvent *event);
/* What devices wait for. */
void tt_path_points_add_devices (TtPathPoints *self);
/* What is dropped is in order. */
void tt_path_points_add_wait (TtPathCollector *self, const TtWait *wait);
/* Of the run, where no step is wanted. */
gboolean tt_path_points_set_range (TtPathPoints *self, TtStore *store, GError **error);
