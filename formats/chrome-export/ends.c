/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/ends.h"

#include "formats/chrome-export/arrow.h"
#include "formats/chrome-export/flow.h"
#include "formats/chrome-export/message.h"
#include "formats/chrome-export/part.h"
#include "src/base/error.h"

#include <string.h>

/*
 * The store has messages and flows with the ids of the spans they are tied to. They are kept in a file; what
 * they want to know of each span is sorted by its id, filled in as the spans go by, and sorted back.
 */

#define CACHE_BYTES ((gsize) 2 << 20)
#define SORT_BYTES ((gsize) 6 << 20)

typedef struct
{
  guint64 event;
  guint64 end; /* number of the arrow * 2 + is its second end */
} Question;

typedef struct
{
  guint64 end, unused;
  ChromeSpan span;
} Answer;

/* Messages come first, then flows. */
typedef struct
{
  union
  {
    TtMessage message;
    TtFlow flow; /* its kind lives as long as the TtChrome */
  };
  guint64 number; /* of all messages, or flows */
  guint64 events[2];
  gboolean is_near; /* of a part of the run: its times are in it */
} Arrow;

struct _ChromeEnds
{
  TtChrome *chrome; /* borrowed */
  TtStore *store;   /* likewise */
  const TtEventScan *scan;
  TtSpill *arrows; /* of Arrow */
  guint64 n_messages, n;
  guint64 n_seen;      /* messages or flows, kept or not */
  TtSorter *questions; /* of Question */
  const Question *question;
  TtSorter *answers; /* of Answer */
  GError *damage;
};

static gboolean
is_cut (const ChromeEnds *self)
{
  return self->chrome->part == NULL && (self->chrome->begin_ns != G_MININT64 || self->chrome->end_ns != G_MAXINT64);
}

/* Whether one of the ends may be in the part, as far as is known before the spans are: it is shown at its time, a moment
 * before, or in its span. What has no spans at all, and so no place, is for the first rank to count. */
static gboolean
may_be_in_part (const ChromeEnds *self, Arrow *arrow, gint64 a_ns, gint64 b_ns)
{
  const ChromePart *part = self->chrome->part;
  const gint64 first_ns = a_ns == TT_NO_TIME ? b_ns : b_ns == TT_NO_TIME ? a_ns : MIN (a_ns, b_ns);
  const gint64 last_ns = a_ns == TT_NO_TIME ? b_ns : b_ns == TT_NO_TIME ? a_ns : MAX (a_ns, b_ns);

  arrow->is_near = first_ns != TT_NO_TIME && first_ns - 1 <= part->last_ns && last_ns >= part->from_ns;
  if (arrow->is_near || (arrow->events[0] == 0 && arrow->events[1] == 0 && part->crew->rank == 0))
    return TRUE;
  for (guint i = 0; i < 2; i++)
    if (arrow->events[i] != 0 && tt_event_scan_reads (self->scan, arrow->events[i]))
      return TRUE;
  return FALSE;
}

/* An arrow is shown if both of its spans are. @a_ns, @b_ns: times of its ends, or TT_NO_TIME. */
static void
add_arrow (ChromeEnds *self, Arrow *arrow, gint64 a_ns, gint64 b_ns)
{
  arrow->number = ++self->n_seen;
  if (self->chrome->part != NULL && !may_be_in_part (self, arrow, a_ns, b_ns))
    return;
  for (guint i = 0; i < 2 && is_cut (self); i++)
    if (arrow->events[i] != 0 && !tt_event_scan_reads (self->scan, arrow->events[i]))
      return;
  for (guint i = 0; i < 2; i++)
    if (arrow->events[i] != 0)
      {
        Question *question = tt_sorter_add (self->questions);
        question->event = arrow->events[i];
        question->end = self->n * 2 + i;
      }
  tt_spill_write (self->arrows, self->n++ * sizeof *arrow, arrow, sizeof *arrow);
}

static gboolean
is_whole_side (const TtChrome *chrome, guint32 process, guint32 thread, gint64 ts_ns)
{
  if (process >= chrome->processes->len || g_array_index (chrome->processes, ChromeProcess, process).pid == NULL)
    return FALSE;
  if (thread == TT_NO_ID)
    return ts_ns == TT_NO_TIME;
  return thread < chrome->threads->len && g_array_index (chrome->threads, ChromeThread, thread).tid != NULL;
}

static gboolean
on_message (const TtMessage *message, gpointer data)
{
  ChromeEnds *self = data;
  Arrow arrow = { .message = *message, .events = { message->send_event, message->recv_event } };

  if (!is_whole_side (self->chrome, message->src_process, message->src_thread, message->send_ns) ||
      !is_whole_side (self->chrome, message->dst_process, message->dst_thread, message->recv_ns))
    {
      g_set_error (&self->damage, TT_ERROR, TT_ERROR_STORE,
                   "the database is damaged: message %" G_GUINT64_FORMAT
                   " of the run is of a process or thread that is not there",
                   self->n_seen + 1);
      return FALSE;
    }
  add_arrow (self, &arrow, message->send_ns, message->recv_ns);
  return TRUE;
}

static gboolean
on_flow (const TtFlow *flow, gpointer data)
{
  ChromeEnds *self = data;
  Arrow arrow = { .flow = *flow, .events = { flow->from_event, flow->to_event } };

  arrow.flow.kind = g_string_chunk_insert_const (self->chrome->flow_kinds, flow->kind != NULL ? flow->kind : "");
  add_arrow (self, &arrow, flow->from_ns, flow->to_ns);
  return TRUE;
}

static gboolean
next_question (ChromeEnds *self, GError **error)
{
  g_autoptr (GError) failed = NULL;

  self->question = tt_sorter_next (self->questions, &failed);
  if (failed == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failed));
  return FALSE;
}

ChromeEnds *
tt_chrome_ends_new (TtChrome *chrome, TtStore *store, const TtEventScan *scan, GError **error)
{
  g_autoptr (ChromeEnds) self = g_new0 (ChromeEnds, 1);

  self->chrome = chrome;
  self->store = store;
  self->scan = scan;
  self->arrows = tt_spill_new (CACHE_BYTES);
  self->questions = tt_sorter_new (sizeof (Question), SORT_BYTES);
  self->answers = tt_sorter_new (sizeof (Answer), SORT_BYTES);
  if (!tt_store_each_message (store, on_message, self, error))
    return NULL;
  if (self->damage != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&self->damage));
      return NULL;
    }
  self->n_messages = self->n;
  self->n_seen = 0;
  if (!tt_store_each_flow (store, on_flow, self, error) || !tt_sorter_finish (self->questions, error) ||
      !next_question (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
tt_chrome_ends_free (ChromeEnds *self)
{
  if (self == NULL)
    return;
  tt_spill_free (self->arrows);
  tt_sorter_free (self->questions);
  tt_sorter_free (self->answers);
  g_clear_error (&self->damage);
  g_free (self);
}

static ChromeSpan
span_of (const TtEvent *event)
{
  return (ChromeSpan){
    .event = event->id,
    .ts_ns = event->ts_ns,
    .dur_ns = event->dur_ns,
    .self_ns = event->self_ns,
    .thread = event->thread,
    .name = event->name,
    .depth = event->depth,
    .flags = event->flags,
    .step = event->step,
  };
}

gboolean
tt_chrome_ends_event (ChromeEnds *self, const TtEvent *event, GError **error)
{
  while (G_UNLIKELY (self->question != NULL && self->question->event <= event->id))
    {
      if (self->question->event == event->id && event->dur_ns != TT_NO_TIME)
        {
          Answer *answer = tt_sorter_add (self->answers);

          answer->end = self->question->end;
          answer->unused = 0;
          answer->span = span_of (event);
        }
      if (!next_question (self, error))
        return FALSE;
    }
  return TRUE;
}

/* Spans outside of the part, of an arrow that is partly in it. FALSE: it is not. */
static gboolean
look_up_far_spans (ChromeEnds *self, const Arrow *arrow, ChromeSpan *spans)
{
  const gboolean has_any = tt_chrome_has_span (&spans[0]) || tt_chrome_has_span (&spans[1]);

  if (!has_any && !arrow->is_near)
    return arrow->events[0] == 0 && arrow->events[1] == 0;
  for (guint end = 0; end < 2; end++)
    {
      TtEvent event;
      if (arrow->events[end] == 0 || tt_chrome_has_span (&spans[end]))
        continue;
      if (!tt_store_event (self->store, arrow->events[end], &event, NULL))
        self->chrome->part->is_odd = TRUE; /* who reads all knows what to say */
      else if (event.dur_ns != TT_NO_TIME)
        spans[end] = span_of (&event);
    }
  return TRUE;
}

static void
add_joined (ChromeEnds *self, guint64 i, ChromeSpan *spans)
{
  Arrow arrow;

  tt_spill_read (self->arrows, i * sizeof arrow, &arrow, sizeof arrow);
  if (self->chrome->part != NULL && !look_up_far_spans (self, &arrow, spans))
    return;
  for (guint end = 0; end < 2 && is_cut (self); end++)
    if (arrow.events[end] != 0 && !tt_chrome_has_span (&spans[end]))
      return;
  if (i < self->n_messages)
    tt_chrome_message (self->chrome, &arrow.message, arrow.number, &spans[0], &spans[1]);
  else
    tt_chrome_flow (self->chrome, &arrow.flow, arrow.number, &spans[0], &spans[1]);
}

gboolean
tt_chrome_ends_finish (ChromeEnds *self, GError **error)
{
  static const ChromeSpan no_span = CHROME_NO_SPAN;
  g_autoptr (GError) failed = NULL;

  if (!tt_sorter_finish (self->answers, error))
    return FALSE;
  const Answer *answer = tt_sorter_next (self->answers, &failed);
  for (guint64 i = 0; i < self->n && failed == NULL; i++)
    {
      ChromeSpan spans[2] = { no_span, no_span };

      for (; answer != NULL && answer->end / 2 == i; answer = tt_sorter_next (self->answers, &failed))
        spans[answer->end % 2] = answer->span;
      add_joined (self, i, spans);
    }
  if (failed == NULL)
    return tt_spill_check (self->arrows, error);
  g_propagate_error (error, g_steal_pointer (&failed));
  return FALSE;
}
