/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/wait-names.h"

#include "analyzers/waits/read-event.h"
#include "src/base/array-sort.h"
#include "src/base/compare.h"

#define RELEASE_EACH 65536u

static int
compare_waits (gconstpointer a, gconstpointer b)
{
  const TtUnnamedWait *x = a, *y = b;
  int order = TT_COMPARE (x->event, y->event);

  if (order == 0)
    order = TT_COMPARE (x->begin_ns, y->begin_ns);
  return order != 0 ? order : TT_COMPARE (x->from_event, y->from_event);
}

static TtArrayKey
key_of_wait (gconstpointer element)
{
  return (TtArrayKey){ ((const TtUnnamedWait *) element)->event, 0 };
}

static TtArrayKey
key_of_cause (gconstpointer element)
{
  return (TtArrayKey){ ((const TtUnnamedWait *) element)->from_event, 0 };
}

void
tt_wait_names_init (TtWaitNames *self, GArray *waits, gboolean have_causes_names)
{
  gsize n;

  tt_array_sort_by_key (waits, key_of_wait, compare_waits);
  *self = (TtWaitNames){ .waits = (TtUnnamedWait *) g_array_steal (waits, &n) };
  self->n = (guint) n;
  if (have_causes_names)
    self->next_cause = self->n;
  else
    self->by_cause = tt_order_by_key (self->waits, self->n, sizeof *self->waits, key_of_cause);
  for (guint32 i = 0; i < self->n; i++)
    self->waits[i].name = TT_NO_ID;
}

void
tt_wait_names_clear (TtWaitNames *self)
{
  g_clear_pointer (&self->by_cause, g_free);
  g_clear_pointer (&self->waits, g_free);
  self->n = 0;
}

guint64
tt_wait_names_next (const TtWaitNames *self)
{
  guint64 next = self->next == self->n ? G_MAXUINT64 : self->waits[self->next].event;

  return self->next_cause == self->n ? next : MIN (next, self->waits[self->by_cause[self->next_cause]].from_event);
}

guint
tt_wait_names_take (TtWaitNames *self, const TtWaitSpan *span, guint kinds)
{
  guint refused = 0;

  for (; self->next < self->n && self->waits[self->next].event <= span->event; self->next++)
    {
      TtUnnamedWait *wait = &self->waits[self->next];

      if (wait->event != span->event || wait->thread != span->thread || !span->is_chosen)
        continue;
      if ((kinds >> wait->kind & 1) != 0)
        wait->name = span->name;
      else
        {
          refused |= 1u << wait->kind;
          wait->thread = TT_NO_ID;
        }
    }
  for (; self->next_cause < self->n; self->next_cause++)
    {
      TtUnnamedWait *wait = &self->waits[self->by_cause[self->next_cause]];

      if (wait->from_event > span->event)
        return refused;
      if (wait->from_event == span->event)
        wait->from_name = span->name;
    }
  return refused;
}

gboolean
tt_wait_names_read_rest (TtWaitNames *self, TtStore *store, gboolean is_all)
{
  for (guint i = 0; i < self->n; i++)
    {
      TtUnnamedWait *wait = &self->waits[i];
      gboolean is_span;
      TtEvent event;

      if (wait->name == TT_NO_ID && is_all && wait->thread != TT_NO_ID)
        {
          if (wait->kind == TT_WAIT_SYNC_REGION || !tt_read_event (store, wait->event, &event, &is_span))
            return FALSE;
          if (is_span && event.thread == wait->thread)
            wait->name = event.name;
        }
      if (wait->name == TT_NO_ID || wait->from_name != TT_NO_ID || wait->from_event == 0)
        continue;
      if (!tt_read_event (store, wait->from_event, &event, &is_span))
        return FALSE;
      if (is_span)
        wait->from_name = event.name;
    }
  return TRUE;
}

static TtWait
whole_wait (const TtUnnamedWait *wait)
{
  gint64 left_ns = wait->left_at_end ? wait->end_ns : wait->at_ns;

  return (TtWait){
    .thread = wait->thread,
    .kind = wait->kind,
    .event = wait->event,
    .begin_ns = wait->begin_ns,
    .end_ns = wait->end_ns,
    .at_ns = wait->at_ns,
    .from_ns = left_ns,
    .left_ns = left_ns,
    .from_event = wait->from_event,
    .from_thread = wait->from_thread,
    .name = wait->name,
    .from_name = wait->from_name,
    .is_inferred = wait->is_inferred,
  };
}

/* From the last on, so that memory is given back while more is needed there. */
void
tt_wait_names_append (TtWaitNames *self, GArray *waits)
{
  for (guint i = self->n; i > 0; i--)
    {
      const TtWait wait = whole_wait (&self->waits[i - 1]);

      if (wait.name != TT_NO_ID)
        g_array_append_val (waits, wait);
      if (i % RELEASE_EACH == 0)
        self->waits = g_renew (TtUnnamedWait, self->waits, i);
    }
  tt_wait_names_clear (self);
}
