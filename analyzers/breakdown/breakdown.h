/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtBreakdown: what the time of each rank went to, nothing counted twice.
 *
 * Of a rank with work on devices, the devices are looked at: kernels and copies of all their queues together, not the
 * marks in them of what calls of the host wait for (cuda_sync), whose times are the calls'. Of any other rank, its threads:
 * on each the innermost span counts; calls of MPI that synchronise communicate, and where a call waits for another rank
 * (waits.h) it does nothing else. Of what runs at once the first class of TtWorkClass counts, so that communication is what
 * no computation hides, and copies hide nothing. What runs in none is idle, for devices with its cause (TtSweep).
 *
 *   per rank     from the first begin to the last end of the rank's work
 *   per stream   the same for each queue of a device, or thread of the host, by itself
 *   per step     from the begin of the step's own span (of the first of its work, where nothing names the step) to its
 *                end, or that of the step's last work on devices, if later: work belongs to the step that launched it.
 *                What another step did there is other_ns, and no part of the rest.
 *
 * A filter of spans changes none of this: the time of what it leaves out is told as such, not by class, and rows of which it
 * leaves nothing are not there.
 *
 * The classes' ns, left_out_ns, other_ns and idle_ns of a row add up to end - begin.
 */
#pragma once

#include "analyzers/breakdown/efficiency.h"
#include "analyzers/breakdown/row-places.h"
#include "analyzers/breakdown/sweep.h"
#include "analyzers/waits/waits.h"
#include "src/select/selection.h"

typedef struct
{
  guint place;     /* of TtRowPlace */
  guint32 process; /* that leads the rank */
  guint32 thread;  /* per stream: the queue or thread */
  gint32 step;     /* TT_NO_STEP: all */
  gboolean is_device;
  gint64 begin_ns, end_ns;
  gint64 other_ns;   /* work of other steps only */
  TtWorkTimes times; /* idle_ns without other_ns; of a step, causes are not known */
} TtBreakdownRow;

typedef struct _TtBreakdown TtBreakdown;

/* @selection: bound; its time window cuts spans. One scan, and those of TtWaits where messages or collectives are of the
 * host; memory is bounded but for TtLaunches, TtWaits, TtIdealNetwork and rows. */
TtBreakdown *tt_breakdown_new (TtStore *store,
                               const TtSelection *selection,
                               TtBreakdownRows rows,
                               TtBreakdownPlace place,
                               GError **error);
/* Of everything, by ranks. @waits: gets what is found of waits on the way, if any is looked for. */
TtBreakdown *
tt_breakdown_new_with_waits (TtStore *store, const TtSelection *selection, TtAllWaits *waits, GError **error);
void tt_breakdown_free (TtBreakdown *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtBreakdown, tt_breakdown_free)

/* Whether there are filters. */
gboolean tt_breakdown_is_filtered (const TtBreakdown *self);
/* Of TtBreakdownRow, by rank, then step or stream. */
const GArray *tt_breakdown_rows (const TtBreakdown *self);
/* Of the rows of ranks. NULL: there are filters, some have devices, or see tt_efficiency_times_judge(). */
const TtEfficiency *tt_breakdown_efficiency (const TtBreakdown *self);
