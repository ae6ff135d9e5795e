/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands on the stacks of threads while spans are read backwards, and the items that come of it. Ids follow the ends: so with the
 * depths enters and leaves come out exactly nested. The items of a thread are appended from its last to its first.
 */
#pragma once

#include "formats/record-export/items.h"
#include "src/base/sorter.h"
#include "src/trace/lane.h"

typedef struct
{
  guint32 name, depth;
  gint64 ts_ns, enter_time;
  GArray *attached; /* of TtRecordExportAttached: halves not yet written in order of time, then metrics; or NULL */
  guint n_halves;
  TtRecordExportBeside beside;
  gint64 detail;                      /* 0: none */
  GArray *flows;                      /* of TtRecordExportAttached, or NULL */
  gint64 dur_ns, self_ns, stacked_ns; /* the last: of the spans inside it that are on the stack */
  gboolean is_told;                   /* its depth is not its place on the stack, or may not be */
} TtRecordExportFrame;

/* A span on no stack, until what comes is no later than its end: such do not come in the order of their ends. */
typedef struct
{
  gint64 time;
  guint32 name;
  gint64 detail;
  GArray *flows; /* of TtRecordExportAttached, or NULL */
} TtRecordExportWaiting;

typedef struct
{
  GArray *frames;  /* of TtRecordExportFrame */
  GArray *waiting; /* of TtRecordExportWaiting, by time; or NULL */
  GArray *root;    /* of TtRecordExportAttached: halves outside of any span, or NULL */
  gint64 key_time; /* no later than any item added so far, which all come after the next */
  gint64 last_time;
  guint64 n;
  gboolean is_used;
  gboolean is_crossed; /* spans that cross have come in the lane: depths are no places in `frames` any more */
  TtLane lane;
  GHashTable *metrics; /* series -> gint64: value before what was written so far; or NULL */
} TtRecordExportThread;

struct _TtRecordExportItems
{
  TtRecordExportRun run;
  TtSorter *items;
  gboolean has_onesided;
  guint64 n_counters;
  TtRecordExportThread *threads;
  GArray *names, *series;         /* of gboolean: used */
  TtRecordExportDetails *details; /* NULL: they are not wanted */
  gboolean has_overlaps;          /* spans may cross: nesting does not tell all depths and self times */
  GArray *flow_kinds;             /* of TtRecordExportFlowKind */
};

void tt_record_export_back_use (GArray *used, guint32 id);
/* A new item before all that were appended to the thread. */
TtRecordExportItem *tt_record_export_back_item (TtRecordExportItems *self, guint32 thread, gint64 time);
/* The pending halves with time >= @time, of the innermost span or of none. */
void tt_record_export_back_halves (TtRecordExportItems *self, guint32 thread, gint64 time);
/* The values at a leave are those reached; those at an enter lie the span's share below. */
void tt_record_export_back_metrics (TtRecordExportItems *self,
                                    guint32 thread,
                                    const TtRecordExportFrame *frame,
                                    gint64 time,
                                    gboolean is_enter);
/* The values of metrics at the leave are kept for the enter. */
void tt_record_export_back_note_metrics (TtRecordExportItems *self, guint32 thread, TtRecordExportFrame *frame);
void tt_record_export_back_call (TtRecordExportItem *item, const TtRecordExportFrame *frame);
/* Spans on no stack that end at @time or later. */
void tt_record_export_back_waiting (TtRecordExportItems *self, guint32 thread, gint64 time);
void tt_record_export_back_pop (TtRecordExportItems *self, guint32 thread);
/* What is read may be of another lane than before: nothing is inside what is open. */
void tt_record_export_back_lane (TtRecordExportItems *self, const TtEvent *event);
/* Takes @flows. */
void tt_record_export_back_off_stack (TtRecordExportItems *self,
                                      const TtEvent *event,
                                      const TtRecordExportBeside *beside,
                                      GArray *flows);
void
tt_record_export_back_instant (TtRecordExportItems *self, const TtEvent *event, const TtRecordExportBeside *beside);
