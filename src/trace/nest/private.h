/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of TtNest: frames.c has the stack of a thread and the rows of what leaves it; whole.c, on top of it, whole
 * spans and those they cross; nest.c enters, leaves and what belongs to spans (metrics, messages, flows).
 */
#pragma once

#include <stddef.h>
#include <string.h>

#include "src/base/id-table.h"
#include "src/trace/nest/nest.h"
#include "src/trace/nest/stack.h"
#include "src/trace/nest/waiting.h"
#include "src/trace/span.h"

typedef struct
{
  gint64 ts_ns;
  gint64 covered_until; /* by whole children */
  guint64 offset;
  guint64 number; /* counts begins of the thread */
  guint64 place;  /* among the begins of the sink; TT_NO_PLACE: its row does not keep to it */
  guint64 names;  /* of this frame and those below it in memory, see nest_name_bit() */
  guint32 name;
  guint32 flags;
  gint32 step;
  guint32 hole; /* of the nest, when it began */
  /* From here on 0 where no more is known of it than enter and leave tell. */
  guint8 is_moved; /* a time of it is not the one that the source says */
  guint8 is_whole;
  guint8 is_measured;   /* `metric` is the span's, not what it was at the begin */
  guint8 is_left_out;   /* by the sink's filter: no row is written */
  guint8 is_told;       /* the row has told_depth and told_self_ns */
  guint8 has_far_names; /* `names` has some that share a bit with others */
  guint32 told_depth;
  guint32 owner;
  guint32 context;
  guint32 track;
  guint32 filter_token;
  guint32 activity; /* held by the sink; 0: none */
  guint32 series;   /* of a metric that the span has itself; 0: none */
  gint64 end_ns;    /* of a whole span */
  gint64 child_ns;
  guint64 args;
  guint64 mark;
  gint64 told_self_ns;
  gint64 metric, child_metric;
} NestFrame;

#define NEST_FRAME_KNOWN offsetof (NestFrame, is_moved)

/* A hardware counter's value at the enter of the span at `depth`. */
typedef struct
{
  guint64 depth;
  gint64 enter_value;
  gint64 child_sum;
  guint32 series;
  guint32 reserved;
} NestMetric;

typedef enum
{
  LAST_NOTHING,
  LAST_ENTER,
  LAST_LEAVE,
} LastRecord;

struct _TtNestThread
{
  guint32 id, process;
  gint64 last_ns;       /* latest time seen */
  gint64 latest_end_ns; /* of whole spans */
  guint64 depth;
  guint64 n_left_out; /* frames on the stack that the filter leaves out: depth in rows is without them */
  TtNestStack frames;
  TtNestStack metrics;
  GHashTable *open_names; /* name -> how often open; only while the stack is deep */
  gboolean has_whole;
  guint64 n_begun;
  TtWaiting *crossed;       /* of Crossed, by end; NULL: never needed */
  GHashTable *crossed_ends; /* name -> latest end of those crossed; NULL while none waits */
  LastRecord last;
  guint64 ended_event; /* the span that the last leave ended, with its metric entries */
  GArray *ended;       /* of NestMetric */
};

struct _TtNest
{
  TtSink *sink;
  TtIdTable threads; /* of TtNestThread *, by thread id; NULL: not open */
  guint32 n_threads; /* the highest id + 1 */
  guint n_crossed;   /* threads that have `crossed` */
  guint32 n_holes;   /* see tt_nest_hole() */
  TtNestPool pool;
  GError *error; /* of a temporary file that is gone */
};

static inline NestFrame *
nest_top (const TtNestThread *thread)
{
  return tt_nest_stack_top (&thread->frames);
}

static inline void
nest_see_time (TtNest *self, TtNestThread *thread, gint64 ts_ns, guint64 offset)
{
  if (G_UNLIKELY (ts_ns < thread->last_ns))
    tt_sink_repair (self->sink, TT_REPAIR_TIME_BACKWARDS, offset);
  else
    thread->last_ns = ts_ns;
}

/* Where a row can have @ns. The sink would move it, too, but self times are made of what is known here. */
static inline gint64
nest_bound_time (gint64 ns)
{
  return G_LIKELY (tt_time_is_kept (ns)) ? ns : CLAMP (ns, -TT_TIME_MAX_NS, TT_TIME_MAX_NS);
}

static inline gint64
nest_add_saturated (gint64 a, gint64 b)
{
  gint64 sum;

  return __builtin_add_overflow (a, b, &sum) ? G_MAXINT64 : sum;
}

static inline gint64
nest_subtract_saturated (gint64 a, gint64 b)
{
  gint64 difference;

  return __builtin_sub_overflow (a, b, &difference) ? (b > 0 ? G_MININT64 : G_MAXINT64) : difference;
}

/* -- frames.c ---------------------------------------------------------------------------------------- */

/* Whether a span of the name is on the stack. */
gboolean nest_is_open (const TtNestThread *thread, guint32 name);
/* The same of one that gets a row; of a stack that is not all in memory: on its upper part. */
gboolean nest_is_open_in_rows (const TtNestThread *thread, guint32 name);
/* Of a stack that is deep, or has been: the name of the frame just pushed is open. */
void nest_note_opened (TtNestThread *thread, guint32 name);

/* Up to this depth a walk down the stack finds an open name faster than a table. */
#define NEST_DEEP 64

/* Names that have different bits differ; near ones have one each. */
static inline guint64
nest_name_bit (guint32 name)
{
  return (guint64) 1 << name % 64;
}

static inline gboolean
nest_is_near_name (guint32 name)
{
  return name < 64;
}

/* @names, @has_far_names: of the innermost frame, 0: there is none. Without a branch on what is open where names are near,
 * for no processor could foresee it. */
static inline gboolean
nest_is_recursive (const TtNestThread *thread, guint32 name, guint64 names, gboolean has_far_names)
{
  const NestFrame *frames = (const NestFrame *) (gconstpointer) thread->frames.items;

  if (G_UNLIKELY (thread->open_names != NULL || thread->n_left_out != 0))
    return thread->depth > 0 && nest_is_open_in_rows (thread, name);
  if (G_LIKELY (!has_far_names && nest_is_near_name (name)))
    return (names & nest_name_bit (name)) != 0;
  if (G_LIKELY ((names & nest_name_bit (name)) == 0))
    return FALSE;
  for (guint i = thread->frames.n; i-- > 0;)
    if (frames[i].name == name)
      return TRUE;
  return FALSE;
}

/* A frame for a span of @name from @ts_ns on, of which no more is known. */
static inline __attribute__ ((always_inline)) NestFrame *
nest_push (TtNest *self, TtNestThread *thread, guint32 name, gint64 ts_ns, guint64 offset)
{
  const NestFrame *below = thread->depth > 0 ? nest_top (thread) : NULL;
  const guint64 names = below != NULL ? below->names : 0;
  const guint8 has_far_names = below != NULL ? below->has_far_names : 0;
  gboolean is_recursive = nest_is_recursive (thread, name, names, has_far_names);
  NestFrame *frame = tt_nest_stack_push (&thread->frames, &self->pool);
  gint64 from_ns = nest_bound_time (ts_ns);

  frame->ts_ns = from_ns;
  frame->covered_until = from_ns;
  frame->offset = offset;
  frame->number = thread->n_begun++;
  frame->place = tt_sink_take_place (self->sink);
  frame->names = names | nest_name_bit (name);
  frame->name = name;
  frame->flags = is_recursive ? TT_FLAG_RECURSIVE : 0;
  frame->step = TT_NO_STEP;
  frame->hole = self->n_holes;
  memset ((guint8 *) frame + NEST_FRAME_KNOWN, 0, sizeof *frame - NEST_FRAME_KNOWN);
  frame->is_moved = from_ns != ts_ns;
  frame->has_far_names = has_far_names | !nest_is_near_name (name);
  thread->depth++;
  if (G_UNLIKELY (thread->open_names != NULL || thread->depth >= NEST_DEEP))
    nest_note_opened (thread, name);
  return frame;
}

/* Ends the innermost span. */
void nest_pop (TtNest *self, TtNestThread *thread, gint64 end_ns, guint32 extra_flags);
/* What is known of the span besides: 0: nothing. */
void nest_join_args (TtNest *self, NestFrame *frame, guint64 args);
/* Use nest_ask_filter(). */
void nest_ask_set_filter (TtNest *self, TtNestThread *thread);

/* Asks the sink's filter about the span just pushed, once all is known of it. */
static inline void
nest_ask_filter (TtNest *self, TtNestThread *thread)
{
  if (G_UNLIKELY (self->sink->filter != NULL))
    nest_ask_set_filter (self, thread);
}

/* Takes the innermost span, a whole one that another crosses, off the stack: it can have no more children, but its row
 * comes in the order of ends. */
void nest_set_aside (TtNest *self, TtNestThread *thread);
/* Rows of spans set aside that end before @end_ns, or then, but have begun after the span @number, which ends then
 * too. */
void nest_write_crossed (TtNest *self, TtNestThread *thread, gint64 end_ns, guint64 number);
/* Whether a span set aside contains one of its name, as nothing on the stack does. */
gboolean nest_is_in_crossed (const TtNestThread *thread, guint32 name, gint64 ts_ns, gint64 end_ns);

/* -- whole.c ----------------------------------------------------------------------------------------- */

/* What has ended by @ts_ns leaves the stack. Spans of no length last for what else happens at their time, but contain
 * spans of no length only. */
void nest_drop_ended (TtNest *self, TtNestThread *thread, gint64 ts_ns, gboolean is_moment);
/* Makes the innermost span the one of @name that ends at @ts_ns; before that something was last seen at @seen_ns. FALSE:
 * there is none. */
gboolean nest_uncover (TtNest *self, TtNestThread *thread, guint32 name, gint64 seen_ns, gint64 ts_ns, guint64 offset);
