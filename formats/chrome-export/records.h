/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The records of rows, which wait in sorters until they are written in (time, depth, thread) order.
 */
#pragma once

#include "src/trace/event.h"

typedef enum
{
  CHROME_SPAN,
  CHROME_INSTANT,
  CHROME_COUNTER,
  CHROME_COUNTER_REAL,
  CHROME_HALF,      /* a message's side as an instant */
  CHROME_ARROW,     /* one end of the arrow of a message or flow */
} ChromeKind;

/* Bits of a record: kind (up to CHROME_COUNTER_REAL), marks, event flags, number of its source. */
#define CHROME_KIND_MASK 7u
#define CHROME_HAS_EXTRA (1u << 3)
#define CHROME_HIGHLIGHT (1u << 4)
#define CHROME_WAITS (1u << 5)
#define CHROME_FLAGS_SHIFT 8
#define CHROME_FLAGS_MASK 0xfffu
#define CHROME_SOURCE_SHIFT 20

G_STATIC_ASSERT (TT_N_FLAGS <= 12);

typedef struct
{
  guint64 ts;    /* tt_sort_key() of the time: the first key */
  guint64 order; /* depth << 32 | thread; what is not an event comes after all depths */
  gint64 value;  /* duration, counter value, or with CHROME_HAS_EXTRA offset in the extras */
  guint32 name;  /* name or series */
  guint32 bits;
} ChromeRecord;

/* Depths as in `order`. Of one moment a thread's spans come first, parents before children. */
#define CHROME_MAX_DEPTH 0xfdffffffu
#define CHROME_COUNTER_DEPTH 0xfe000000u /* | low bits of the series */
#define CHROME_HALF_DEPTH 0xff000000u /* the ends of arrows, too, where they do not come with their spans */
#define CHROME_SEND_DEPTH 0xff000001u
#define CHROME_RECV_DEPTH 0xff000002u

/* The facts of an event that do not fit into its record. */
typedef struct
{
  gint64 dur_ns, self_ns;
  guint64 event; /* id */
  gint32 step;
  guint32 source; /* number */
  guint64 args;   /* id in ChromeArgs, 0 = none */
} ChromeExtra;

/* The span that a side of a message or flow is tied to. dur_ns TT_NO_TIME: there is none. */
typedef struct
{
  guint64 event;
  gint64 ts_ns, dur_ns, self_ns;
  guint32 thread, name, depth, flags;
  gint32 step;
} ChromeSpan;

#define CHROME_NO_SPAN                        \
  {                                           \
    .dur_ns = TT_NO_TIME, .step = TT_NO_STEP, \
  }

/* A side of a message or flow. These have a sorter of their own, so that nothing is looked up out of order. */
typedef struct
{
  guint64 ts, order; /* as in a record */
  const char *flow_kind; /* of a flow, whose number is `ordinal`; NULL: a message */
  gint64 tag, comm, ordinal, bytes;
  gint64 span_ns, end_ns;          /* of this side's span; TT_NO_TIME: there is none */
  gint64 moved_ns;                 /* of an arrow's end: how much later it is shown than it happened */
  guint32 span_depth;
  guint64 span_event;              /* its id */
  guint64 arrow;                   /* number of the arrow in the file: both ends have it, no other */
  gint64 send_dur_ns, recv_dur_ns; /* of both spans, for --max-size */
  guint32 send_depth, recv_depth;
  guint32 src_process, dst_process, src_thread, dst_thread; /* threads: TT_NO_ID if unknown */
  guint32 kind;                                             /* CHROME_HALF and all after it */
  guint32 marks;
  guint32 nth_span; /* see begun.h; set when it is written */
} ChromeMessage;

#define CHROME_IS_RECV 1u     /* which side it is */
#define CHROME_IS_PAIR 2u     /* a CHROME_HALF whose other half is there, but no arrow can join them */
#define CHROME_IS_ANCHORED 4u /* the end of an arrow that cannot be tied to its span */

/* Finds names with equal text and suffix. */
typedef struct
{
  guint64 high, low;
  guint64 name;
} ChromeNameHash;
