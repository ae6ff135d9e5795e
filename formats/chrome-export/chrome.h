/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtChrome: writes one run for viewers, as Chrome-trace JSON or in another language (language.h), the same bytes whether
 * the rows come from an importer (convert) or from the store (export).
 *
 * First everything is collected (collect.h): rows become records of 32 bytes in a sorter (records.h), facts that do not
 * fit into them (arguments, steps) go to `extras`. Then tt_chrome_finish() (write.h) merges the records in (time,
 * depth, thread) order and formats them. Nothing is kept per row, so memory stays bounded. Names are looked up by id
 * only while formatting.
 *
 * The JSON file, for readers (trace-event/ and chrome/standard.c read it back):
 *  - {"otherData":{"tool":"tracetool","version":..,"clocks":{"epoch":{"first_ns":N}}},"displayTimeUnit":"ns",
 *    "traceEvents":[...]}: otherData comes first, so that a reader knows which program wrote the file. Times are less
 *    by first_ns (first_ticks) of their clock, which is 0 with --absolute.
 *  - pid and tid of events are numbers, and no tid is 0 unless the pid is. What they stand for is in metadata events ahead
 *    of all others, except for further lines (tracks.h): process_name has args.name = what viewers show (titles.h),
 *    args.pid = the pid, args.label and args.rank if there are any; process_sort_index counts the processes, ranks in
 *    order and the processes of one rank together; thread_name has args.name, args.tid and args.label,
 *    thread_sort_index the order of the source.
 *  - Within a process one args.tid is one thread, on however many lines.
 *  - name is the standard name without suffix, cat "op_cat,native_group" (no comma without a group). args begin with
 *    name (the standard name with ~>suffix), op_long_name, raw_name (only if it is another), location ("file:line",
 *    if known), communicator (of a collective, if not 0), cnt (spans), step, flags,
 *    is_root (true: the root's part of a collective), critical_path; the arguments of the source come after them; see own-args.h. With original_names otherData has
 *    "names":"original", and name is the raw name; args.raw_name stands only where that is empty.
 *  - Asynchronous spans are b and e events, the e right after the b and with the names in its args, too, asynchronous
 *    instants n events; id2.local is their lane.
 *  - Messages are flow events (s, f with "bp":"e") of cat and name "message", or instants of cat "message" with one of
 *    the names send, recv, unmatched send, unmatched recv; all have tag, comm, src, dst in args.
 *  - Flows are flow events whose name and cat is their kind; a flow through several spans is one pair of events from
 *    each to the next.
 *  - The ids of flow events are integers: even ones of messages, odd ones of flows. A complete event of cat "arrow" and
 *    no length is what one is tied to where its span cannot be (side.h). args of an f are in a member "end"; moved_ns
 *    says how much later an end is shown than it happened, nth_span which of the spans that begin on its thread at its
 *    time it belongs to (1: the first in the file), where that is not the last.
 *
 * In the language template there is no metadata: pid and tid are the texts, and only spans are written.
 */
#pragma once

#include "formats/chrome-export/begun.h"
#include "formats/chrome-export/chrome-export.h"
#include "formats/chrome-export/definitions.h"
#include "formats/chrome-export/fragment.h"
#include "formats/chrome-export/kept-args.h"
#include "formats/chrome-export/lanes.h"
#include "formats/chrome-export/language.h"
#include "formats/chrome-export/limit.h"
#include "formats/chrome-export/records.h"
#include "src/base/digits.h"
#include "src/base/map64.h"
#include "src/base/sorter.h"
#include "src/base/spill.h"

/* Times are written less by the first one of their clock. */
typedef struct
{
  gint64 shift_ns[3]; /* by clock: subtracted from all times */
  gint64 left_ns[3];  /* by clock: the part of it that the records still contain */
  TtClock only;       /* of all records if they are not mixed */
  gboolean is_mixed;
} ChromeClocks;

/* See slice.h. */
typedef struct
{
  const ChromeLanguage *whole; /* what `silent` was made of; NULL: all is written */
  ChromeLanguage silent;
  guint64 first, last, n_seen; /* records; those of the slice are before @last */
  gboolean is_silent;
} ChromeSlice;

typedef struct _ChromePart ChromePart;

/* FALSE: there is no name @id. */
typedef gboolean (*ChromeNameFunc) (gpointer data, guint32 id, TtStoredName *name);

typedef struct _TtChrome
{
  const TtExportOptions *options; /* borrowed */
  TtExportReport *report;         /* borrowed */
  const ChromeLanguage *language;
  gpointer language_data; /* its own */
  TtSorter *sorter;
  TtSorter *messages; /* NULL: none yet */
  GStringChunk *flow_kinds;
  TtSpill *extras;
  guint64 extras_end;
  ChromeArgs *args;
  GArray *sources;        /* of ChromeSource, by number */
  guint last_source;      /* number found last */
  GArray *processes;      /* of ChromeProcess, by id */
  GArray *threads;        /* of ChromeThread, by id */
  GArray *series;         /* of ChromeSeries, by id */
  TtMap64 series_threads; /* (process, series) -> first thread */
  TtSorter *name_hashes;  /* finds names with equal text and suffix */
  guint32 max_name;
  guint next_highlight, next_wait;
  guint64 n_collected;
  struct _ChromeRoots *roots; /* of collectives; NULL: not told */
  gint64 begin_ns, end_ns;    /* what does not touch this is not counted */
  ChromePart *part;           /* see part.h; NULL: all is read */

  /* while writing */
  guint32 *canonical; /* by name id: the first name with its text; NULL: all differ */
  GString *thread_text;
  ChromeClocks clocks;
  TtNearTime last_time; /* that was written of a plain span */
  ChromeNameFunc get_name;
  gpointer name_data;
  ChromeFragments *fragments;
  ChromeLanes *lanes; /* of asynchronous spans */
  ChromeSlice slice;
  ChromeLimit *limit;            /* NULL: nothing is dropped for its size */
  gboolean is_measuring;         /* the lengths are wanted, not the text */
  const ChromeRecord *following; /* what is written next, the first n_following of it */
  guint n_following;
  guint64 wide_ts;     /* of the last instant of more than its thread */
  guint n_wide;        /* at that time */
  guint64 track_bytes; /* of metadata written between the spans */
  TtOutput *out;
  guint64 n_lines;
  GString *scratch;
  TtOutput *json; /* scratch, in memory; empty between uses */
  ChromeBegun begun;
  GArray *pids_in_order; /* template: of guint32, processes by their first span */
} TtChrome;

static inline ChromeThread *
tt_chrome_thread_at (TtChrome *self, guint32 id)
{
  return &g_array_index (self->threads, ChromeThread, id);
}

static inline ChromeProcess *
tt_chrome_process_at (TtChrome *self, guint32 id)
{
  return &g_array_index (self->processes, ChromeProcess, id);
}
