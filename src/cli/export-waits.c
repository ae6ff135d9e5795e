/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/export-waits.h"

#include "analyzers/waits/touching.h"
#include "src/base/compare.h"

static int
compare_waits (gconstpointer a, gconstpointer b)
{
  const TtWait *x = a, *y = b;

  if (x->event != y->event)
    return TT_COMPARE (x->event, y->event);
  return x->from_thread != y->from_thread ? TT_COMPARE (x->from_thread, y->from_thread)
                                          : TT_COMPARE (x->begin_ns, y->begin_ns);
}

static const char *
rank_of (TtStore *store, guint32 thread)
{
  const TtThread *of = tt_store_thread (store, thread);
  const TtProcess *process = of == NULL ? NULL : tt_store_process (store, of->process);

  return process == NULL ? NULL : process->rank_name;
}

/* The waits [@first, end) of one span. */
static guint
add_span (TtStore *store, const GArray *waits, guint first, GArray *spans)
{
  const TtWait *all = &g_array_index (waits, TtWait, 0);
  TtExportWait span = { .event = all[first].event };
  gint64 longest_ns = -1;
  guint end = first;

  while (end < waits->len && all[end].event == span.event)
    {
      const TtWait *wait = &all[end];
      gint64 ns = 0;

      for (; end < waits->len && all[end].event == span.event && all[end].from_thread == wait->from_thread; end++)
        ns += all[end].end_ns - all[end].begin_ns;
      if (ns > longest_ns)
        {
          longest_ns = ns;
          span.kind = tt_wait_kind_text (wait->kind);
          span.cause = rank_of (store, wait->from_thread);
        }
      span.ns += ns;
    }
  g_array_append_val (spans, span);
  return end;
}

GArray *
tt_export_waits_new (TtStore *store, const TtSelection *selection, GError **error)
{
  g_autoptr (TtWaits) waits = tt_waits_touching (store, selection, error);

  if (waits == NULL)
    return NULL;
  GArray *spans = g_array_new (FALSE, FALSE, sizeof (TtExportWait));
  g_array_sort (waits->waits, compare_waits);
  for (guint i = 0; i < waits->waits->len;)
    i = add_span (store, waits->waits, i, spans);
  return spans;
}
