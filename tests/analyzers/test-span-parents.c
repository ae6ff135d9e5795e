/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/spans/parents.h"
#include "analyzers/statistics/open-groups.h"
#include "analyzers/dependencies/span-tree.h"
#include "src/trace/arrange/arrange.h"
#include "tests/rounds.h"

/* Rows as the store gives them back, of spans that cross and asynchronous ones, against a look at every pair. */

typedef struct
{
  TtSinkBack back;
  TtSink *sink;
  GArray *rows; /* of TtEvent */
} RowSink;

static TtBatch *
collect (TtSinkBack *back, TtBatch *batch, GError **error)
{
  const TtEventColumns *e = &batch->events;

  for (guint i = 0; i < e->n; i++)
    {
      TtEvent event = {
        .id = e->first_event + i,
        .source = 1,
        .thread = e->thread[i],
        .name = e->name[i],
        .depth = e->depth[i],
        .flags = e->flags[i],
        .ts_ns = e->ts_ns[i],
        .dur_ns = e->dur_ns[i],
        .self_ns = e->self_ns[i],
      };
      g_array_append_val (((RowSink *) back)->rows, event);
    }
  tt_batch_clear (batch);
  return batch;
}

static void
dispose (TtSinkBack *back)
{
  g_array_unref (((RowSink *) back)->rows);
}

static const TtSinkBackClass row_class = { .name = "rows", .write = collect, .dispose = dispose };

typedef struct
{
  guint n_spans, n_names;
  int n_times;
  guint32 n_threads;
  gboolean is_async;
  gint64 shift_ns;
} Mix;

static void
put_spans (RowSink *sink, const Mix *mix)
{
  g_autoptr (TtArrange) arrange = tt_arrange_new (sink->sink);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < mix->n_spans; i++)
    {
      TtTraceRecord span = {
        .thread = (guint32) g_test_rand_int_range (1, (int) mix->n_threads + 1),
        .name = (guint32) g_test_rand_int_range (1, (int) mix->n_names + 1),
        .step = TT_NO_STEP,
        .ts_ns = mix->shift_ns + g_test_rand_int_range (0, mix->n_times),
        .dur_ns = g_test_rand_int_range (0, mix->n_times),
      };
      if (mix->is_async && g_test_rand_int_range (0, 3) == 0)
        {
          tt_arrange_async_begin (arrange, &span, i);
          span.ts_ns += span.dur_ns;
          tt_arrange_async_end (arrange, &span, i);
        }
      else
        tt_arrange_span (arrange, &span);
    }
  g_assert_true (tt_arrange_finish (arrange, &error));
  tt_sink_flush (sink->sink);
}

static gint64
end_of (const TtEvent *event)
{
  return event->ts_ns + event->dur_ns;
}

/* Whether @inner lies in @outer, which has begun before. Of equal ones the inner has its row first. */
static gboolean
is_inside (const TtEvent *inner, const TtEvent *outer)
{
  if (inner->source != outer->source || inner->thread != outer->thread ||
      ((inner->flags | outer->flags) & TT_FLAG_ASYNC))
    return FALSE;
  if (outer->ts_ns > inner->ts_ns || end_of (outer) < end_of (inner))
    return FALSE;
  if (outer->ts_ns == inner->ts_ns && outer->dur_ns == inner->dur_ns)
    return outer->id > inner->id;
  return end_of (outer) > inner->ts_ns;
}

static gboolean
begins_later (const TtEvent *a, const TtEvent *b)
{
  if (a->ts_ns != b->ts_ns)
    return a->ts_ns > b->ts_ns;
  return a->dur_ns != b->dur_ns ? a->dur_ns < b->dur_ns : a->id < b->id;
}

static const TtEvent *
find_parent (const TtEvent *events, guint n, const TtEvent *event)
{
  const TtEvent *parent = NULL;

  for (guint i = 0; i < n; i++)
    if (is_inside (event, &events[i]) && (parent == NULL || begins_later (&events[i], parent)))
      parent = &events[i];
  return parent;
}

static gboolean
is_in_group (const TtEvent *events, guint n, const TtEvent *event, guint32 n_groups)
{
  for (guint i = 0; i < n; i++)
    if (events[i].name % n_groups == event->name % n_groups && is_inside (event, &events[i]))
      return TRUE;
  return FALSE;
}

static void
check_over (gpointer payload, gpointer data)
{
  g_assert_cmpuint (*(guint64 *) payload, !=, 0);
  ++*(guint *) data;
}

static gboolean
check_rows (const TtEvent *events, guint n, guint32 max_thread)
{
  guint n_over = 0;
  g_autoptr (TtSpanParents) parents = tt_span_parents_new (max_thread, sizeof (guint64), check_over, &n_over);
  g_autoptr (TtOpenGroups) groups = tt_open_groups_new (max_thread);
  g_autoptr (TtSpanTree) tree = tt_span_tree_new (max_thread);
  g_autoptr (GError) error = NULL;

  for (guint i = n; i-- > 0;)
    {
      const TtEvent *event = &events[i], *parent = find_parent (events, n, event);
      gpointer found;
      TtSpanRef caller, next;
      guint64 *mine = tt_span_parents_add (parents, event, &found, &error);

      g_assert_no_error (error);
      *mine = event->id;
      if ((event->flags & TT_FLAG_ASYNC) == 0 &&
          (found == NULL ? 0 : *(guint64 *) found) != (parent == NULL ? 0 : parent->id))
        {
          g_test_message ("event %u has another parent", i + 1);
          return FALSE;
        }
      if (tt_open_groups_put (groups, event, event->name % 2) != is_in_group (events, n, event, 2))
        {
          g_test_message ("event %u: another answer whether it is inside its group", i + 1);
          return FALSE;
        }
      g_assert_true (tt_span_tree_add (tree, event, (guint32) i, &caller, &next, &error));
      if (caller.event != (parent == NULL ? 0 : parent->id) ||
          (next.event != 0 && (next.ts_ns < end_of (event) || (event->flags & TT_FLAG_ASYNC))))
        {
          g_test_message ("event %u has another caller or sibling", i + 1);
          return FALSE;
        }
    }
  tt_span_parents_finish (parents);
  g_assert_cmpuint (n_over, ==, n);
  return TRUE;
}

static gboolean
run_mix (const Mix *mix, guint n_sources)
{
  RowSink *sink = g_new0 (RowSink, 1);

  sink->back.klass = &row_class;
  sink->sink = tt_sink_new (&sink->back, tt_names_new (tt_name_rules_load (NULL, NULL)));
  sink->rows = g_array_new (FALSE, TRUE, sizeof (TtEvent));
  for (guint source = 1; source <= n_sources; source++)
    {
      guint before = sink->rows->len;
      put_spans (sink, mix);
      for (guint i = before; i < sink->rows->len; i++)
        g_array_index (sink->rows, TtEvent, i).source = source;
    }
  gboolean is_right = check_rows ((const TtEvent *) (gconstpointer) sink->rows->data, sink->rows->len, mix->n_threads);
  tt_sink_free (sink->sink);
  return is_right;
}

static void
run (Mix mix, guint n_sources, guint n_runs)
{
  for (guint i = 0; i < test_rounds (n_runs); i++)
    if (!run_mix (&mix, n_sources))
      {
        g_test_fail ();
        return;
      }
}

static void
test_crossing (void)
{
  run ((Mix){ 6, 3, 8, 1, FALSE, 0 }, 1, 1500);
  run ((Mix){ 40, 5, 30, 1, FALSE, 0 }, 1, 500);
  run ((Mix){ 120, 9, 300, 3, FALSE, -150 }, 1, 60);
}

static void
test_async (void)
{
  run ((Mix){ 40, 5, 30, 2, TRUE, 0 }, 1, 500);
}

static void
test_sources (void)
{
  run ((Mix){ 15, 3, 20, 2, FALSE, 0 }, 3, 500);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/span-parents/crossing", test_crossing);
  g_test_add_func ("/span-parents/async", test_async);
  g_test_add_func ("/span-parents/sources", test_sources);
  return g_test_run ();
}
