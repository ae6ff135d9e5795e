/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/recorded-job/data-flows.h"

#include "src/base/array-sort.h"
#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/base/sorter.h"
#include "src/store/rows.h"

#include <string.h>

typedef struct
{
  GArray *spans;
  TtMap64 numbers; /* of spans, by event */
  guint
      *last; /* by span: the span of another thread that it needs and that ended last; G_MAXUINT. NULL: nothing flows */
} Finder;

static const TtHostSpan *
span_at (const Finder *self, guint number)
{
  return &g_array_index (self->spans, TtHostSpan, number);
}

static TtArrayKey
key_of_span (gconstpointer element)
{
  const TtHostSpan *span = element;

  return (TtArrayKey){ span->thread, tt_sort_key (span->begin_ns) };
}

static int
compare_spans (const void *a, const void *b)
{
  const TtHostSpan *x = a, *y = b;
  int order = TT_COMPARE (x->thread, y->thread);

  order = order != 0 ? order : TT_COMPARE (x->begin_ns, y->begin_ns);
  return order != 0 ? order : TT_COMPARE (x->event, y->event);
}

/* Once something flows. */
static void
number_spans (Finder *self)
{
  tt_array_sort_by_key (self->spans, key_of_span, compare_spans);
  self->last = g_new (guint, (gsize) self->spans->len + 1);
  for (guint i = 0; i < self->spans->len; i++)
    {
      self->last[i] = G_MAXUINT;
      tt_map64_set (&self->numbers, span_at (self, i)->event, i);
    }
}

static gboolean
on_flow (const TtFlow *flow, gpointer data)
{
  Finder *self = data;
  guint32 from, to;

  if (strcmp (flow->kind, "DataFlow") != 0)
    return TRUE;
  if (self->last == NULL)
    number_spans (self);
  from = tt_map64_get (&self->numbers, flow->from_event);
  to = tt_map64_get (&self->numbers, flow->to_event);
  if (from == TT_MAP64_NONE || to == TT_MAP64_NONE || span_at (self, from)->thread == span_at (self, to)->thread ||
      span_at (self, from)->end_ns > span_at (self, to)->begin_ns)
    return TRUE;
  if (self->last[to] == G_MAXUINT || span_at (self, from)->end_ns > span_at (self, self->last[to])->end_ns)
    self->last[to] = from;
  return TRUE;
}

/* Of what a thread did not wait for nothing is told: it had ended when the thread was through with what it did before. */
static void
add_waits (const Finder *self, GArray *waits)
{
  gint64 busy_ns = G_MAXINT64;

  for (guint i = 0; i < self->spans->len; i++)
    {
      const TtHostSpan *span = span_at (self, i);
      if (i == 0 || span_at (self, i - 1)->thread != span->thread)
        busy_ns = span->begin_ns;
      if (self->last[i] != G_MAXUINT && span_at (self, self->last[i])->end_ns > busy_ns)
        {
          const TtHostSpan *from = span_at (self, self->last[i]);
          const TtHostWait wait = {
            .thread = span->thread, .begin_ns = busy_ns, .end_ns = from->end_ns, .from_thread = from->thread
          };
          g_array_append_val (waits, wait);
        }
      busy_ns = MAX (busy_ns, span->end_ns);
    }
}

gboolean
tt_recorded_data_flows_add (TtStore *store, GArray *spans, GArray *waits, GError **error)
{
  Finder self = { .spans = spans };

  gboolean ok = tt_store_each_flow (store, on_flow, &self, error);
  if (ok && self.last != NULL)
    add_waits (&self, waits);
  tt_map64_clear (&self.numbers);
  g_free (self.last);
  return ok;
}
