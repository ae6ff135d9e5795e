/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/nest/nest.h"

/* The nest against a second one written as plainly as possible: no spilling, no tables. */

/* -- a sink that keeps rows ------------------------------------------------------------------------- */

typedef struct
{
  guint32 name, depth, flags;
  gint64 ts_ns, dur_ns, self_ns;
} Row;

typedef struct
{
  guint64 event;
  guint32 series;
  gint64 inclusive, exclusive;
} MetricRow;

typedef struct
{
  TtSinkBack back;
  TtSink *sink;
  GArray *rows, *metrics, *owner_of_event;
} CollectingSink;

static TtBatch *
collect (TtSinkBack *back, TtBatch *batch, GError **error)
{
  CollectingSink *self = (CollectingSink *) back;
  const TtEventColumns *e = &batch->events;

  for (guint i = 0; i < e->n; i++)
    {
      Row row = { e->name[i], e->depth[i], e->flags[i], e->ts_ns[i], e->dur_ns[i], e->self_ns[i] };
      g_array_append_val (self->rows, row);
    }
  for (guint i = 0; i < batch->metrics.n; i++)
    {
      MetricRow row = { batch->metrics.event[i], batch->metrics.series[i], batch->metrics.inclusive[i],
                        batch->metrics.exclusive[i] };
      g_array_append_val (self->metrics, row);
    }
  for (guint i = 0; i < batch->owners.n; i++)
    g_array_append_val (self->owner_of_event, batch->owners.event[i]);
  tt_batch_clear (batch);
  return batch;
}

static void
dispose (TtSinkBack *back)
{
  CollectingSink *self = (CollectingSink *) back;

  g_array_unref (self->rows);
  g_array_unref (self->metrics);
  g_array_unref (self->owner_of_event);
}

static const TtSinkBackClass collecting_class = { .name = "collecting", .write = collect, .dispose = dispose };

static CollectingSink *
collecting_sink_new (void)
{
  CollectingSink *self = g_new0 (CollectingSink, 1);
  TtNameRules *rules = tt_name_rules_load (NULL, NULL);

  self->back.klass = &collecting_class;
  self->sink = tt_sink_new (&self->back, tt_names_new (rules));
  self->rows = g_array_new (FALSE, TRUE, sizeof (Row));
  self->metrics = g_array_new (FALSE, TRUE, sizeof (MetricRow));
  self->owner_of_event = g_array_new (FALSE, TRUE, sizeof (guint64));
  return self;
}

static const Row *
row_at (CollectingSink *sink, guint i)
{
  return &g_array_index (sink->rows, Row, i);
}

static gboolean
same_row (const Row *a, const Row *b)
{
  return a->name == b->name && a->depth == b->depth && a->flags == b->flags && a->ts_ns == b->ts_ns &&
         a->dur_ns == b->dur_ns && a->self_ns == b->self_ns;
}

/* -- the plain model ---------------------------------------------------------------------------------- */

typedef struct
{
  guint32 name;
  gint64 ts_ns, child_ns, metric, metric_children;
} Open;

typedef struct
{
  GArray *open, *rows, *metrics;
  gint64 last_ns;
} Model;

static void
model_close (Model *model, gint64 end_ns, guint32 flags, gboolean has_metric, gint64 metric)
{
  Open top = g_array_index (model->open, Open, model->open->len - 1);
  guint depth = model->open->len - 1;

  g_array_set_size (model->open, depth);
  for (guint i = 0; i < depth; i++)
    if (g_array_index (model->open, Open, i).name == top.name)
      flags |= TT_FLAG_RECURSIVE;
  if (end_ns < top.ts_ns)
    flags |= TT_FLAG_END_BEFORE_START;
  gint64 dur_ns = MAX (end_ns - top.ts_ns, 0);
  if (dur_ns < top.child_ns)
    flags |= TT_FLAG_SELF_CLAMPED;
  Row row = { top.name, depth, flags, top.ts_ns, dur_ns, MAX (dur_ns - top.child_ns, 0) };
  g_array_append_val (model->rows, row);

  Open *parent = depth > 0 ? &g_array_index (model->open, Open, depth - 1) : NULL;
  if (parent != NULL)
    parent->child_ns += dur_ns;
  if (has_metric)
    {
      gint64 inclusive = metric - top.metric;
      MetricRow metric_row = { model->rows->len, 1, inclusive, inclusive - top.metric_children };
      g_array_append_val (model->metrics, metric_row);
      if (parent != NULL)
        parent->metric_children += inclusive;
    }
}

static gboolean
model_is_open (const Model *model, guint32 name)
{
  for (guint i = 0; i < model->open->len; i++)
    if (g_array_index (model->open, Open, i).name == name)
      return TRUE;
  return FALSE;
}

static void
assert_same (CollectingSink *sink, Model *model)
{
  g_assert_cmpuint (sink->rows->len, ==, model->rows->len);
  for (guint i = 0; i < MIN (sink->rows->len, model->rows->len); i++)
    {
      const Row *a = row_at (sink, i), *b = &g_array_index (model->rows, Row, i);
      if (!same_row (a, b))
        {
          g_test_message ("row %u: name %u/%u depth %u/%u flags %u/%u dur %" G_GINT64_FORMAT "/%" G_GINT64_FORMAT, i,
                          a->name, b->name, a->depth, b->depth, a->flags, b->flags, a->dur_ns, b->dur_ns);
          g_test_fail ();
          return;
        }
    }
  g_assert_cmpuint (sink->metrics->len, ==, model->metrics->len);
  for (guint i = 0; i < MIN (sink->metrics->len, model->metrics->len); i++)
    {
      const MetricRow *a = &g_array_index (sink->metrics, MetricRow, i),
                      *b = &g_array_index (model->metrics, MetricRow, i);
      if (a->event != b->event || a->inclusive != b->inclusive || a->exclusive != b->exclusive)
        {
          g_test_message ("metric %u differs", i);
          g_test_fail ();
          return;
        }
    }
}

/* @up: chance in 100 of an enter. Above 50 stacks grow without end. */
static void
run_random (guint n_records, int up, guint n_names, gboolean is_broken)
{
  CollectingSink *sink = collecting_sink_new ();
  TtNest *nest = tt_nest_new (sink->sink);
  TtNestThread *thread = tt_nest_thread (nest, 1, 1);
  Model model = {
    .open = g_array_new (FALSE, TRUE, sizeof (Open)),
    .rows = g_array_new (FALSE, TRUE, sizeof (Row)),
    .metrics = g_array_new (FALSE, TRUE, sizeof (MetricRow)),
    .last_ns = 0,
  };
  gint64 now = 1000, metric = 0;

  for (guint i = 0; i < n_records; i++)
    {
      now += g_test_rand_int_range (is_broken ? -3 : 0, 20);
      metric += g_test_rand_int_range (0, 50);
      if (model.open->len == 0 || g_test_rand_int_range (0, 100) < up)
        {
          Open open = { .name = (guint32) g_test_rand_int_range (1, (int) n_names + 1),
                        .ts_ns = now,
                        .metric = metric };
          g_array_append_val (model.open, open);
          tt_nest_enter (nest, thread, open.name, now, i);
          tt_nest_metric (nest, thread, 1, metric, i);
          model.last_ns = MAX (model.last_ns, now);
          continue;
        }
      guint32 name = g_array_index (model.open, Open, model.open->len - 1).name;
      if (is_broken && g_test_rand_int_range (0, 20) == 0)
        name = (guint32) g_test_rand_int_range (1, (int) n_names + 3);
      gint64 seen = MIN (model.last_ns, now);
      tt_nest_leave (nest, thread, name, now, i);
      tt_nest_metric (nest, thread, 1, metric, i);
      model.last_ns = MAX (model.last_ns, now);
      if (!model_is_open (&model, name))
        continue;
      while (g_array_index (model.open, Open, model.open->len - 1).name != name)
        model_close (&model, MAX (seen, g_array_index (model.open, Open, model.open->len - 1).ts_ns), TT_FLAGS_BOUNDED,
                     FALSE, 0);
      model_close (&model, now, 0, TRUE, metric);
    }
  while (model.open->len > 0)
    model_close (&model, model.last_ns, TT_FLAG_UNCLOSED, FALSE, 0);
  tt_nest_finish (nest);
  g_assert_true (tt_sink_finish (sink->sink, NULL));
  assert_same (sink, &model);

  g_array_unref (model.open);
  g_array_unref (model.rows);
  g_array_unref (model.metrics);
  tt_nest_free (nest);
  tt_sink_free (sink->sink);
}

static void
test_random_shallow (void)
{
  for (int i = 0; i < 50; i++)
    run_random (500, 45, 6, FALSE);
}

/* Names that have a bit of their own in what a frame knows of those below it, and names that share one. */
static void
test_random_far_names (void)
{
  for (int i = 0; i < 40; i++)
    run_random (800, 51, i % 2 == 0 ? 66 : 130, TRUE);
}

static void
test_random_broken (void)
{
  for (int i = 0; i < 100; i++)
    run_random (800, 52, 9, TRUE);
}

static void
test_random_deep (void)
{
  for (int i = 0; i < 3; i++)
    run_random (6000, 70, 4000, TRUE);
}

/* Deeper than what stays in memory: the bottom spills and comes back. */
static void
test_very_deep (void)
{
  const guint depth = 50000;
  CollectingSink *sink = collecting_sink_new ();
  TtNest *nest = tt_nest_new (sink->sink);
  TtNestThread *thread = tt_nest_thread (nest, 1, 1);

  for (guint i = 0; i < depth; i++)
    {
      tt_nest_enter (nest, thread, 1 + i % 1000, i, i);
      tt_nest_metric (nest, thread, 1, i, i);
    }
  for (guint i = depth; i-- > 0;)
    {
      tt_nest_leave (nest, thread, 1 + i % 1000, 2 * (gint64) depth - i, i);
      tt_nest_metric (nest, thread, 1, 2 * (gint64) depth - i, i);
    }
  tt_nest_finish (nest);
  g_assert_true (tt_sink_finish (sink->sink, NULL));
  g_assert_cmpuint (sink->rows->len, ==, depth);
  g_assert_cmpuint (sink->metrics->len, ==, depth);
  gboolean is_right = TRUE;
  for (guint k = 0; k < sink->rows->len; k++)
    {
      const Row *row = row_at (sink, k);
      const MetricRow *metric = &g_array_index (sink->metrics, MetricRow, k);
      guint i = depth - 1 - k;
      gint64 dur = 2 * ((gint64) depth - i);
      is_right &= row->depth == i && row->dur_ns == dur && row->self_ns == 2 && row->ts_ns == i;
      is_right &= !!(row->flags & TT_FLAG_RECURSIVE) == (i >= 1000);
      is_right &= metric->inclusive == dur && metric->exclusive == 2;
    }
  g_assert_true (is_right);
  g_assert_cmpuint (tt_repairs_total (&sink->sink->repairs), ==, 0);
  tt_nest_free (nest);
  tt_sink_free (sink->sink);
}

static void
test_complete_spans (void)
{
  static const struct
  {
    gint64 ts, end;
  } spans[] = { { 0, 100 }, { 0, 40 }, { 10, 20 }, { 20, 40 }, { 40, 100 }, { 100, 120 } };
  static const Row expected[] = {
    { 3, 2, 0, 10, 10, 10 }, { 4, 2, 0, 20, 20, 20 }, { 2, 1, 0, 0, 40, 10 },
    { 5, 1, 0, 40, 60, 60 }, { 1, 0, 0, 0, 100, 0 },  { 6, 0, 0, 100, 20, 20 },
  };
  CollectingSink *sink = collecting_sink_new ();
  TtNest *nest = tt_nest_new (sink->sink);
  TtNestThread *thread = tt_nest_thread (nest, 1, 1);

  for (guint i = 0; i < G_N_ELEMENTS (spans); i++)
    {
      const TtNestSpan span = {
        .ts_ns = spans[i].ts, .end_ns = spans[i].end, .offset = i, .name = i + 1, .step = TT_NO_STEP
      };
      tt_nest_span (nest, thread, &span);
    }
  tt_nest_finish (nest);
  g_assert_true (tt_sink_finish (sink->sink, NULL));
  g_assert_cmpuint (sink->rows->len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < MIN (sink->rows->len, G_N_ELEMENTS (expected)); i++)
    g_assert_true (same_row (row_at (sink, i), &expected[i]));
  tt_nest_free (nest);
  tt_sink_free (sink->sink);
}

/* A half's span is known by its owner number once it has ended. */
static void
test_owners (void)
{
  CollectingSink *sink = collecting_sink_new ();
  TtNest *nest = tt_nest_new (sink->sink);
  TtNestThread *thread = tt_nest_thread (nest, 1, 1);

  tt_nest_enter (nest, thread, 1, 0, 0);
  tt_nest_enter (nest, thread, 2, 1, 0);
  tt_nest_half (nest, thread, &(TtNestHalf){ .ts_ns = 2, .bytes = 8, .peer = 2, .is_send = TRUE });
  tt_nest_half (nest, thread, &(TtNestHalf){ .ts_ns = 2, .bytes = 8, .peer = 3, .is_send = TRUE });
  tt_nest_leave (nest, thread, 2, 3, 0);
  tt_nest_half (nest, thread, &(TtNestHalf){ .ts_ns = 4, .bytes = 8, .peer = 3 });
  tt_nest_leave (nest, thread, 1, 5, 0);
  tt_nest_half (nest, thread, &(TtNestHalf){ .ts_ns = 6, .bytes = 8, .peer = 3 });
  tt_nest_finish (nest);
  g_assert_true (tt_sink_finish (sink->sink, NULL));
  g_assert_cmpuint (sink->sink->n_halves, ==, 4);
  g_assert_cmpuint (sink->owner_of_event->len, ==, 2);
  if (sink->owner_of_event->len == 2)
    {
      g_assert_cmpuint (g_array_index (sink->owner_of_event, guint64, 0), ==, 1);
      g_assert_cmpuint (g_array_index (sink->owner_of_event, guint64, 1), ==, 2);
    }
  tt_nest_free (nest);
  tt_sink_free (sink->sink);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/nest/random-shallow", test_random_shallow);
  g_test_add_func ("/nest/random-far-names", test_random_far_names);
  g_test_add_func ("/nest/random-broken", test_random_broken);
  g_test_add_func ("/nest/random-deep", test_random_deep);
  g_test_add_func ("/nest/very-deep", test_very_deep);
  g_test_add_func ("/nest/complete-spans", test_complete_spans);
  g_test_add_func ("/nest/owners", test_owners);
  return g_test_run ();
}
