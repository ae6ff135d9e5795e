/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What breakdown.c, breakdown-rows.c and joint-breakdown.c share.
 */
#pragma once

#include "analyzers/breakdown/breakdown.h"
#include "analyzers/breakdown/busy-time.h"
#include "analyzers/breakdown/segments.h"
#include "analyzers/breakdown/thread-times.h"
#include "analyzers/breakdown/wait-cuts.h"
#include "analyzers/devices/launches.h"
#include "analyzers/waits/deal.h"
#include "src/base/sorter.h"

/* By lane, then begin. Lanes are those of the rows, and in a table by step before them one of the whole rank. */
typedef struct
{
  guint64 lane; /* place << 33 | (step + 1) << 1 | 1 but for the step's own span */
  guint64 ts_key;
  gint64 end_ns;
  guint32 launch; /* of TtLaunches; above TT_HEARD_LAUNCHES that of another rank */
  guint16 work, is_left_out;
} TtBreakdownRecord;

#define TT_HEARD_LAUNCHES ((guint32) 1 << 31)

struct _TtBreakdown
{
  TtStore *store;
  const TtSelection *selection;
  TtBreakdownRows rows_are;
  TtBreakdownPlace where;
  gint64 begin_ns, end_ns; /* of --time-window */
  gboolean is_filtered;    /* rows of which nothing is chosen are not shown */

  guint8 *work_of_name, *host_work_of_name;
  guint8 *is_openmp, *is_unknown; /* by name; is_unknown: that a thread is there is all that it says */
  gboolean has_openmp;
  TtDeviceRoles roles;
  TtLaunches *launches;
  GArray *places;           /* of TtRowPlace */
  guint32 *place_of_thread; /* + 1; 0: the thread is not looked at */
  guint8 *is_device;        /* by thread: whether the work of devices counts there, or the host's spans */
  TtSegments *segments;
  TtAllWaits *all_waits;    /* gets them; NULL: only those of the time window are found */
  TtWaitCuts *cuts;         /* NULL: no rank waits for another */
  TtEfficiencyTimes *times; /* NULL: as above, or not rows of ranks */
  TtEfficiency efficiency;
  gboolean has_efficiency;
  TtSorter *records;
  TtThreadTimes *alone; /* by place, for those of one thread of the host; NULL: all are sorted */
  gboolean overlaps;    /* which a thread that several files tell of may do */
  TtBusyTime *busy;     /* of the rank, per step */
  GArray *rows;
  const TtDevicePart *part; /* that is read; NULL: all */
  const TtWaitDeal *deal;   /* of the waits that several ranks have found; NULL: none were looked for */
  guint8 *has_records;      /* by place; NULL: nobody asks */
  TtDealt of_others;        /* records of places of other ranks */
  GArray *heard;            /* of gint64: when the work in records of others was launched */
};

TtBreakdown *
tt_breakdown_begin (TtStore *store, const TtSelection *selection, TtBreakdownRows rows, TtBreakdownPlace place);
/* Then reads definitions, before waits are looked for. */
gboolean tt_breakdown_look_up (TtBreakdown *self, gboolean is_sorted, GError **error);
/* *@has: threads of the host that count may wait for other ranks. */
gboolean tt_breakdown_has_messages (TtBreakdown *self, gboolean *has, GError **error);
/* TRUE: efficiencies are looked for, and *@hearer hears of messages and calls for them. */
gboolean tt_breakdown_begin_times (TtBreakdown *self, TtWaitHearer *hearer);
/* Reads the events. */
gboolean tt_breakdown_collect (TtBreakdown *self, GError **error);
void tt_breakdown_judge (TtBreakdown *self);
/* What is not needed any more goes. */
void tt_breakdown_end (TtBreakdown *self);
