/*
 * What the parts of TtNest share: nest.c has stacks, enters and leaves, nest-whole.c whole spans and what crosses.
 */
#pragma once

#include "src/trace/nest/stack.h"
#include "src/trace/nest/nest.h"
#include "src/trace/nest/waiting.h"

typedef struct
{
  gint64 ts_ns;
  gint64 end_ns; /* of a whole span */
  gint64 child_ns;
  gint64 covered_until; /* by whole children */
  guint64 offset;
  guint64 args;
  guint64 number; /* counts begins of the thread */
  guint32 name;
  guint32 owner;
  guint32 flags;
  gint32 step;
  guint32 context;
  guint32 track;
  guint32 filter_token;
  gboolean is_whole;
  gboolean is_left_out; /* by the sink's filter: no row is written */
} NestFrame;

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
  GArray *ended;       /* of MetricEntry */
};

struct _TtNest
{
  TtSink *sink;
  GPtrArray *threads; /* by thread id; holes are NULL */
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

static inline gint64
nest_add_saturated (gint64 a, gint64 b)
{
  gint64 sum;

  return __builtin_add_overflow (a, b, &sum) ? G_MAXINT64 : sum;
}

/* -- nest.c ------------------------------------------------------------------------------------------ */

/* Whether a span of the name is on the stack. */
gboolean nest_is_open (const TtNestThread *thread, guint32 name);
/* To be called when a frame has left the stack. */
void nest_note_closed (TtNestThread *thread, guint32 name);
NestFrame *nest_push (TtNest *self, TtNestThread *thread, guint32 name, gint64 ts_ns, guint64 offset);
/* Asks the sink's filter about the span just pushed, once all is known of it. */
void nest_ask_filter (TtNest *self, TtNestThread *thread);
/* To be called when a frame is to leave the stack: the filter learns of its end. */
void nest_tell_filter (TtNest *self, TtNestThread *thread, const NestFrame *frame, gint64 end_ns);
/* Ends the innermost span. */
void nest_pop (TtNest *self, TtNestThread *thread, gint64 end_ns, guint32 extra_flags);
guint64 nest_write_row (TtNest *self,
                        TtNestThread *thread,
                        const NestFrame *frame,
                        gint64 dur_ns,
                        guint32 flags,
                        guint64 depth);
/* Makes the innermost span the one of @name that ends at @ts_ns. FALSE: there is none. */
gboolean nest_leave (TtNest *self, TtNestThread *thread, guint32 name, gint64 ts_ns, guint64 offset);

/* -- nest-whole.c ------------------------------------------------------------------------------------ */

/* Rows whose spans end before @end_ns, or then, but have begun behind the span @number, which ends then too. */
void nest_write_crossed (TtNest *self, TtNestThread *thread, gint64 end_ns, guint64 number);
/* What has ended by @ts_ns leaves the stack. Spans of no length last for what else happens at their time, but are around
 * spans of no length only. */
void nest_drop_ended (TtNest *self, TtNestThread *thread, gint64 ts_ns, gboolean is_moment);
/* Whole spans above a begin that now ends: those that go on behind the end are not inside. */
void nest_drop_whole (TtNest *self, TtNestThread *thread, gint64 ts_ns);
