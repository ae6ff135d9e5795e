/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/wait-names.h"

#include "src/base/array.h"
#include "src/base/compare.h"

static int
compare_waits (gconstpointer a, gconstpointer b)
{
  const TtWait *x = a, *y = b;
  int order = TT_COMPARE (x->event, y->event);

  if (order == 0)
    order = TT_COMPARE (x->begin_ns, y->begin_ns);
  return order != 0 ? order : TT_COMPARE (x->from_event, y->from_event);
}

static int
compare_causes (gconstpointer a, gconstpointer b, gpointer data)
{
  const TtWait *waits = data;
  guint32 i = *(const guint32 *) a, k = *(const guint32 *) b;

  return TT_COMPARE (waits[i].from_event, waits[k].from_event);
}

void
tt_wait_names_init (TtWaitNames *self, GArray *waits)
{
  g_array_sort (waits, compare_waits);
  *self = (TtWaitNames){ .waits = TT_ARRAY (waits, TtWait), .n = waits->len };
  self->by_cause = g_new (guint32, (gsize) self->n + 1);
  for (guint32 i = 0; i < self->n; i++)
    {
      self->waits[i].name = self->waits[i].from_name = TT_NO_ID;
      self->by_cause[i] = i;
    }
  g_qsort_with_data (self->by_cause, (gint) self->n, sizeof (guint32), compare_causes, self->waits);
}

void
tt_wait_names_clear (TtWaitNames *self)
{
  g_clear_pointer (&self->by_cause, g_free);
}

void
tt_wait_names_take (TtWaitNames *self, const TtWaitSpan *span, guint kinds)
{
  for (; self->next < self->n && self->waits[self->next].event <= span->event; self->next++)
    {
      TtWait *wait = &self->waits[self->next];

      if (wait->event == span->event && wait->thread == span->thread && span->is_chosen &&
          (kinds >> wait->kind & 1) != 0)
        wait->name = span->name;
    }
  for (; self->next_cause < self->n; self->next_cause++)
    {
      TtWait *wait = &self->waits[self->by_cause[self->next_cause]];

      if (wait->from_event > span->event)
        return;
      if (wait->from_event == span->event)
        wait->from_name = span->name;
    }
}

void
tt_wait_names_append (const TtWaitNames *self, GArray *waits)
{
  for (guint i = 0; i < self->n; i++)
    if (self->waits[i].name != TT_NO_ID)
      g_array_append_val (waits, self->waits[i]);
}
