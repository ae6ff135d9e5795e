/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/completions.h"

#include "src/base/array.h"
#include "src/base/compare.h"

/* Parts of a thread that are looked at, of those that no call has completed: the earliest. */
#define MAX_OPEN 64u
#define NONE G_MAXUINT32

/* Of the span that completed a part. */
typedef struct
{
  gint64 begin_ns, end_ns; /* begin > end: none did */
} Completion;

struct _TtCompletions
{
  GArray *parts;     /* of TtBegunPart by event */
  Completion *done;  /* by part */
  guint next;        /* of the scan */
  guint32 *first_of; /* by thread: the earliest part that is not completed; NONE */
  guint32 *last_of;  /* by thread */
  guint32 *after;    /* by part: the next of its thread */
  guint32 max_thread;
};

TtCompletions *
tt_completions_new (guint32 max_thread)
{
  TtCompletions *self = g_new0 (TtCompletions, 1);

  self->parts = g_array_new (FALSE, FALSE, sizeof (TtBegunPart));
  self->max_thread = max_thread;
  return self;
}

void
tt_completions_free (TtCompletions *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->parts);
  g_free (self->done);
  g_free (self->first_of);
  g_free (self->last_of);
  g_free (self->after);
  g_free (self);
}

void
tt_completions_add (TtCompletions *self, const TtBegunPart *part)
{
  if (part->thread <= self->max_thread && part->event != 0)
    g_array_append_val (self->parts, *part);
}

void
tt_completions_deal (TtCompletions *self, const TtWaitDeal *deal, GByteArray **bytes)
{
  g_auto (TtDealt) parts = { NULL };
  GArray *own = g_array_new (FALSE, FALSE, sizeof (TtBegunPart));

  tt_dealt_init (&parts, deal->crew->n, sizeof (TtBegunPart));
  for (guint i = 0; i < self->parts->len; i++)
    {
      const TtBegunPart *part = &g_array_index (self->parts, TtBegunPart, i);
      g_array_append_vals (parts.of[tt_wait_deal_of_event (deal, part->event)], part, 1);
    }
  g_array_unref (self->parts);
  self->parts = own;
  tt_dealt_give (&parts, deal->crew->rank, bytes, own);
}

gboolean
tt_completions_take_parts (TtCompletions *self, TtUnpack *from)
{
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (TtBegunPart));

  if (!tt_dealt_take (from, parts))
    return FALSE;
  for (guint i = 0; i < parts->len; i++)
    {
      const TtBegunPart *part = &g_array_index (parts, TtBegunPart, i);
      if (part->thread > self->max_thread || part->from_thread > self->max_thread)
        return FALSE;
      tt_completions_add (self, part);
    }
  return TRUE;
}

static int
compare_events (gconstpointer a, gconstpointer b)
{
  return TT_COMPARE (((const TtBegunPart *) a)->event, ((const TtBegunPart *) b)->event);
}

void
tt_completions_finish (TtCompletions *self)
{
  if (self->parts->len == 0)
    return;
  g_array_sort (self->parts, compare_events);
  self->first_of = g_new (guint32, (gsize) self->max_thread + 1);
  self->last_of = g_new (guint32, (gsize) self->max_thread + 1);
  self->after = g_new (guint32, self->parts->len);
  self->done = g_new (Completion, self->parts->len);
  for (guint i = 0; i < self->parts->len; i++)
    self->done[i] = (Completion){ G_MAXINT64, G_MININT64 };
  for (guint32 i = 0; i <= self->max_thread; i++)
    self->first_of[i] = self->last_of[i] = NONE;
}

static void
open_part (TtCompletions *self, guint32 number, guint32 thread)
{
  self->after[number] = NONE;
  if (self->first_of[thread] == NONE)
    self->first_of[thread] = number;
  else
    self->after[self->last_of[thread]] = number;
  self->last_of[thread] = number;
}

/* @before: the part before it; NONE: it is the first. */
static void
close_part (TtCompletions *self, guint32 number, guint32 before, guint32 thread)
{
  guint32 after = self->after[number];

  if (before == NONE)
    self->first_of[thread] = after;
  else
    self->after[before] = after;
  if (after == NONE)
    self->last_of[thread] = before;
}

static void
add_wait (const TtBegunPart *part, const TtWaitSpan *span, GArray *waits)
{
  const TtWait wait = {
    .thread = span->thread,
    .kind = part->kind,
    .event = span->event,
    .begin_ns = span->begin_ns,
    .end_ns = part->needed_ns,
    .at_ns = part->needed_ns,
    .from_ns = part->needed_ns,
    .left_ns = part->needed_ns,
    .from_event = part->from_event,
    .from_thread = part->from_thread,
    .name = span->name,
    .from_name = part->name,
    .is_inferred = TRUE,
  };

  if (span->is_chosen && wait.begin_ns < wait.end_ns && part->from_thread != span->thread)
    g_array_append_val (waits, wait);
}

static gboolean
complete (TtCompletions *self, gboolean is_several, const TtWaitSpan *span, GArray *waits)
{
  guint32 before = NONE, number = self->first_of[span->thread];
  gboolean is_any = FALSE;

  for (guint n = 0; number != NONE && n < MAX_OPEN && (is_several || !is_any); n++)
    {
      const TtBegunPart *part = &g_array_index (self->parts, TtBegunPart, number);
      guint32 after = self->after[number];

      if (span->end_ns < part->needed_ns)
        before = number;
      else
        {
          add_wait (part, span, waits);
          self->done[number] = (Completion){ span->begin_ns, span->end_ns };
          close_part (self, number, before, span->thread);
          is_any = TRUE;
        }
      number = after;
    }
  return is_any;
}

guint64
tt_completions_next (const TtCompletions *self)
{
  return self->next == self->parts->len ? G_MAXUINT64 : g_array_index (self->parts, TtBegunPart, self->next).event;
}

gboolean
tt_completions_take (TtCompletions *self,
                     TtCallClass call_class,
                     const TtEvent *event,
                     const TtWaitSpan *span,
                     gboolean receives,
                     GArray *waits)
{
  TtBegunPart *parts = TT_ARRAY (self->parts, TtBegunPart);
  guint n = self->parts->len;
  gboolean is_several = call_class == TT_CALL_COMPLETE_ALL;

  if (n == 0 || span->thread > self->max_thread)
    return FALSE;
  while (self->next < n && parts[self->next].event < event->id)
    self->next++;
  for (; self->next < n && parts[self->next].event == event->id; self->next++)
    if (parts[self->next].thread == span->thread)
      {
        /* That of the last to come has the same text. */
        parts[self->next].name = event->name;
        open_part (self, self->next, span->thread);
      }
  if (!is_several && (receives || (call_class != TT_CALL_COMPLETE && call_class != TT_CALL_POLL)))
    return FALSE;
  return complete (self, is_several, span, waits);
}

static int
compare_calls (gconstpointer a, gconstpointer b, gpointer data)
{
  const TtBegunPart *parts = data;
  guint32 i = *(const guint32 *) a, k = *(const guint32 *) b;

  return parts[i].call != parts[k].call ? TT_COMPARE (parts[i].call, parts[k].call)
                                        : TT_COMPARE (parts[i].thread, parts[k].thread);
}

static void
add_sync (TtSyncs *syncs, const GArray *calls, guint32 root)
{
  const TtSyncCall *of = TT_ARRAY (calls, TtSyncCall);

  if (root == TT_NO_ID && calls->len > 1)
    tt_syncs_add_call (syncs, of, calls->len);
  for (guint i = 0; root != TT_NO_ID && i < calls->len; i++)
    for (guint k = 0; of[i].thread == root && k < calls->len; k++)
      tt_syncs_add_pair (syncs, &of[i], &of[k]);
}

void
tt_completions_add_syncs (const TtCompletions *self, TtSyncs *syncs)
{
  TtBegunPart *parts = TT_ARRAY (self->parts, TtBegunPart);
  guint n = self->parts->len;
  g_autofree guint32 *order = g_new (guint32, (gsize) n + 1);
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (TtSyncCall));

  for (guint32 i = 0; i < n; i++)
    order[i] = i;
  g_qsort_with_data (order, (gint) n, sizeof *order, compare_calls, parts);
  for (guint first = 0, end; first < n; first = end)
    {
      g_array_set_size (calls, 0);
      for (end = first; end < n && parts[order[end]].call == parts[order[first]].call; end++)
        {
          const Completion *done = &self->done[order[end]];
          const TtSyncCall call = { done->begin_ns, done->end_ns, parts[order[end]].thread };

          if (done->begin_ns <= done->end_ns)
            g_array_append_val (calls, call);
        }
      add_sync (syncs, calls, parts[order[first]].root);
    }
}
