/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vocabulary: the words that every room of tracetool uses, one word per idea.
 *
 *   run        what one `import` command brought in; source = one file of it
 *   process    a pid (text, "node3"); thread = a tid of a process; rank = a process' number in its job
 *   span       something with a begin and a duration; instant = something with a time only;
 *              event = span or instant
 *   name       a standard name op_cat.op_name.sub_op with all that it was made from
 *   series     a named line of counter values, or a metric that spans carry
 *   message    a transfer between two threads; half = one side of it
 *   collective one call of a collective function by one rank
 *   edge, node of a dependency graph; gap = time between the end of one span and the begin of the next
 *   repair     something in the input that was mended, inferred or dropped, and counted
 *
 * Times are signed 64-bit nanoseconds (gint64, suffix _ns), in the clock of the source.
 * Ids are guint32 (events: guint64), count from 1, and are the ids of the database.
 */
#pragma once

#include <glib.h>

/* No id. Also the dur_ns of an instant is TT_NO_TIME. */
#define TT_NO_ID 0u
#define TT_NO_TIME G_MININT64
#define TT_NO_STEP (-1)

typedef enum
{
  TT_CLOCK_EPOCH,    /* since 1970-01-01 UTC */
  TT_CLOCK_RELATIVE, /* since some moment of the run */
  TT_CLOCK_TICKS,    /* cycles or counts: never scaled, never added to ns */
} TtClock;

const char *tt_clock_text (TtClock clock);

/* Flags of an event, a bit set; in the public schema they are words joined by commas. */
typedef enum
{
  TT_FLAG_UNCLOSED = 1 << 0,         /* never left: ends with its thread, or with the span that contains it */
  TT_FLAG_INFERRED = 1 << 1,         /* begin or end was not in the source, or records are missing between them */
  TT_FLAG_ENQUEUE = 1 << 2,          /* host side of device work */
  TT_FLAG_END_BEFORE_START = 1 << 3, /* the source's end lies before its begin: duration 0 */
  TT_FLAG_RECURSIVE = 1 << 4,        /* inside an open span of the same name on its thread */
  TT_FLAG_SELF_CLAMPED = 1 << 5,     /* the children last longer than the span: self time 0 */
  TT_FLAG_COLLECTIVE = 1 << 6,       /* a call of a collective function */
  TT_FLAG_OVERLAP = 1 << 7,          /* crosses another span of its thread: neither contains the other */
  TT_FLAG_ASYNC = 1 << 8,            /* not on a thread's stack: nests only with spans of its own id */
  TT_FLAG_WINDOW = 1 << 9,           /* names a stretch of time in which nothing itself is done: self time 0 */
  TT_FLAG_FAILED = 1 << 10,          /* the operation says that it did not do what it should */
  TT_FLAG_STEP = 1 << 11,            /* a window that is the step it is in: the step lasts as long as the span */
} TtEventFlags;

#define TT_N_FLAGS 12

/* With both the begin or end was lost, and lies within times that the arguments tell (dur_between_ns): what the span
 * shows is no measure. */
#define TT_FLAGS_BOUNDED (TT_FLAG_UNCLOSED | TT_FLAG_INFERRED)

static inline gboolean
tt_flags_are_bounded (guint32 flags)
{
  return (flags & TT_FLAGS_BOUNDED) == TT_FLAGS_BOUNDED;
}

/* A metric in ns of spans that were joined of pieces: from the begin of the first to the end of the last. Their duration
 * is the time in which one of the pieces ran. */
#define TT_METRIC_HULL "hull"

/* The words of @flags in bit order, "unclosed,inferred"; "" for none. Never freed; from any thread. */
const char *tt_flags_text (guint32 flags);
