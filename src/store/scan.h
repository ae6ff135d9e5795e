/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of the selected runs, and when they were.
 *
 * A scan sees every event once, by ids upwards or downwards, in a snapshot: another process may import meanwhile.
 */
#pragma once

#include "src/store/handle.h"
#include "src/trace/event.h"

typedef struct
{
  guint64 id;
  guint32 source; /* of the database */
  guint32 thread, name;
  guint32 depth, flags;
  gint32 step;
  gint64 ts_ns, dur_ns;   /* by the clock of the run (clocks.h); dur_ns TT_NO_TIME: an instant */
  gint64 own_ns, self_ns; /* duration and self time by the clock of its process: of these are statistics made */
  const char *args;       /* JSON, NULL = none; only with TT_SCAN_ARGS; until the next row */
  gsize args_len;         /* with args NULL not 0: there are some, longer than TT_LONG_ARGS */
} TtEvent;

/* Arguments of more bytes are not read into memory. */
#define TT_LONG_ARGS (16 << 20)

typedef enum
{
  TT_SCAN_DEFAULT = 0,
  TT_SCAN_ARGS = 1 << 0,
  TT_SCAN_REVERSE = 1 << 1, /* ids downwards: on each thread a span comes before its children */
} TtScanFlags;

typedef struct _TtEventScan TtEventScan;
TtEventScan *tt_event_scan_new (TtStore *self, TtScanFlags flags, GError **error);
/* Only events that touch the time window, both ends included: what is around one of them does, too. Pieces of some
 * thousand that do not are not read. */
TtEventScan *
tt_event_scan_new_between (TtStore *self, TtScanFlags flags, gint64 begin_ns, gint64 end_ns, GError **error);
/* Before the first event: only those from @first to @last. */
void tt_event_scan_limit (TtEventScan *scan, guint64 first, guint64 last);
/* Whether the scan comes to an event with this id; there may be none. */
gboolean tt_event_scan_reads (const TtEventScan *scan, guint64 event);
/* FALSE at the end or on an error; tt_event_scan_finish() frees and tells which. */
gboolean tt_event_scan_next (TtEventScan *scan, TtEvent *event);
gboolean tt_event_scan_finish (TtEventScan *scan, GError **error);

/* Ids, both included. */
typedef struct
{
  guint64 first, last;
} TtEventIds;

/* Of TtEventIds, descending: those of the events from @first to @last, of one source, among which may be some around one from @low to
 * @first - 1, of the same thread. NULL with @error. */
GArray *tt_store_events_around (TtStore *self, guint64 low, guint64 first, guint64 last, GError **error);

/* One event by id, without its arguments, for joins of few. */
gboolean tt_store_event (TtStore *self, guint64 id, TtEvent *event, GError **error);

/* First begin and last end over all events, counters and messages; FALSE: there are none. */
gboolean tt_store_time_range (TtStore *self, gint64 *first_ns, gint64 *last_ns, GError **error);
/* Of one clock, where there are several: times since 1970, else those of a run, else ticks. */
gboolean tt_store_main_range (TtStore *self, gint64 *first_ns, gint64 *last_ns, GError **error);
/* First begin and last end of the sources with this clock; NULL: of all. FALSE: there are none. */
gboolean tt_store_clock_range (TtStore *self, const char *clock, gint64 *first_ns, gint64 *last_ns, GError **error);
/* Processes whose sources count ticks while others are in time: NULL-ended pids. Of a source with several processes
 * the first is known. Free it; NULL with @error. */
char **tt_store_ticks_pids (TtStore *self, GError **error);
