/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PerfettoWriter: what the language keeps from one event to the next; it belongs to one TtChrome and one pass.
 */
#pragma once

#include "formats/chrome-export/chrome.h"
#include "formats/perfetto-export/packets.h"

/* Keys of arguments of ours. */
typedef enum
{
  PERFETTO_KEY_NAME,
  PERFETTO_KEY_OP_LONG_NAME,
  PERFETTO_KEY_RAW_NAME,
  PERFETTO_KEY_LOCATION,
  PERFETTO_KEY_COMMUNICATOR,
  PERFETTO_KEY_CNT,
  PERFETTO_KEY_STEP,
  PERFETTO_KEY_FLAGS,
  PERFETTO_KEY_CRITICAL_PATH,
  PERFETTO_KEY_WAIT_NS,
  PERFETTO_KEY_WAIT_KIND,
  PERFETTO_KEY_WAIT_FOR,
  PERFETTO_KEY_SENT,
  PERFETTO_KEY_RECEIVED,
  PERFETTO_KEY_BYTES,
  PERFETTO_KEY_TAG,
  PERFETTO_KEY_COMM,
  PERFETTO_KEY_SRC,
  PERFETTO_KEY_SRC_TID,
  PERFETTO_KEY_DST,
  PERFETTO_KEY_DST_TID,
  PERFETTO_N_KEYS
} PerfettoKey;

typedef struct
{
  guint64 flow;
  gint64 span_end_ns;
  gsize facts, facts_len; /* of a message, in PerfettoWaiting.facts */
  gboolean is_recv;
} PerfettoArrowEnd;

/* Ends of arrows that wait for their spans, which come next: those of one thread that begin together on one depth, and
 * are told apart by their ends. */
typedef struct
{
  guint64 ts, order;  /* of the spans' records */
  GArray *ends;       /* of PerfettoArrowEnd */
  PerfettoArgs facts; /* an array value for each message */
  WireBytes items;    /* scratch */
} PerfettoWaiting;

#define PERFETTO_RECENT_COUNTERS 1024u

typedef struct
{
  guint64 key;
  guint32 number; /* 0: free */
} PerfettoRecentCounter;

typedef struct
{
  PerfettoPackets *packets;
  guint64 keys[PERFETTO_N_KEYS];
  TtMap64 counters; /* (series, process or thread) -> its number */
  guint32 n_counters;
  PerfettoRecentCounter recent_counters[PERFETTO_RECENT_COUNTERS]; /* found without a hash table, by key */
  guint32 zero_pid; /* what is written for process number 0 */
  guint32 zero_tid; /* for thread number 0 of it */
  gboolean has_global; /* the track of what concerns everything is written */
  PerfettoWaiting waiting;
} PerfettoWriter;

static inline PerfettoWriter *
tt_perfetto_writer (const TtChrome *chrome)
{
  return chrome->language_data;
}

/* As the file has it, never negative. */
static inline gint64
tt_perfetto_time (const TtChrome *chrome, TtClock clock, gint64 ns)
{
  gint64 shown;

  if (G_UNLIKELY (__builtin_sub_overflow (ns, chrome->clocks.left_ns[clock], &shown)))
    return G_MAXINT64;
  return MAX (shown, 0);
}

/* What a packet with texts has on top of them. */
#define PERFETTO_TEXTS_HEAD 8

/* Before each event: texts go into whichever comes first, so --max-size counts them apart. */
static inline void
tt_perfetto_count_texts (TtChrome *chrome)
{
  gsize len = tt_perfetto_writer (chrome)->packets->interned.pending.len;

  if (G_UNLIKELY (len > 0))
    chrome->track_bytes += len + PERFETTO_TEXTS_HEAD;
}

/* -- places.c: tracks ----------------------------------------------------------------------------------- */

/* Track of a thread, or of a further line of it. */
guint64 tt_perfetto_place (const TtChrome *chrome, guint32 thread, const ChromeTrack *line);
/* Processes and threads that are shown. */
void tt_perfetto_write_places (TtChrome *chrome);
void tt_perfetto_write_line (TtChrome *chrome, const ChromeThread *thread, guint32 number);
/* Track of an event; if it is the first on a lane or track of its own, that is written first. */
guint64 tt_perfetto_place_of (TtChrome *chrome, const ChromeShown *shown);
guint64 tt_perfetto_series (TtChrome *chrome, guint32 series, guint32 thread);

/* -- names.c -------------------------------------------------------------------------------------------- */

void tt_perfetto_name_head (TtChrome *chrome, GString *to, const TtStoredName *name);
void tt_perfetto_name_tail (TtChrome *chrome, GString *to, const char *pid, const TtStoredName *name);
/* Numbers of name and category for @event, and arguments for the next event, from what the two above have made. */
void tt_perfetto_use_name (TtChrome *chrome, const ChromeFragment *fragment, PerfettoEvent *event);

/* -- events.c ------------------------------------------------------------------------------------------- */

void tt_perfetto_write_event (TtChrome *chrome, const ChromeShown *shown);
void tt_perfetto_write_counter (TtChrome *chrome, const ChromeRecord *record);

/* -- arrows.c ------------------------------------------------------------------------------------------- */

void tt_perfetto_half (TtChrome *chrome, const ChromeMessage *side, const ChromeTrack *line);
void tt_perfetto_anchor (TtChrome *chrome, const ChromeMessage *side, const ChromeTrack *line);
void tt_perfetto_arrow_end (TtChrome *chrome, const ChromeMessage *side, const ChromeTrack *line);
/* The arrows that wait for the span of @record go into the next event. @end_ns: as in a record. */
void tt_perfetto_take_arrows (TtChrome *chrome, const ChromeRecord *record, gint64 end_ns);
