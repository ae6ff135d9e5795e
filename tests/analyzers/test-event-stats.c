/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/event-stats.h"

#include "analyzers/pass.h"
#include "analyzers/statistics/name2sta.h"
#include "src/store/store.h"
#include "src/trace/nest/nest.h"

#include "tests/require.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

/*
 * Random nested spans go through nest and the store; statistics of every grouping, with and without
 * a window and a filter, are compared with sums over the spans as they were made.
 */

#define N_PROCESSES 3
#define N_THREADS 2
#define N_NAMES 5
#define DEEP 40

typedef struct
{
  guint process, thread, name, depth;
  gint64 begin_ns, end_ns;
  int parent; /* index; -1: none */
} Span;

typedef struct
{
  char *folder, *path;
  GArray *spans; /* of Span */
  TtSink *sink;
  TtNest *nest;
  guint32 names[N_NAMES];
  gint64 now_ns;
} Fixture;

static void
open_span (Fixture *self, TtNestThread *nest_thread, guint process, guint thread, guint depth, int parent)
{
  Span span = { process, thread, (guint) g_test_rand_int_range (0, N_NAMES), depth, self->now_ns, 0, parent };
  int index = (int) self->spans->len;
  int n_children = depth >= DEEP ? 0 : g_test_rand_int_range (0, depth < 3 ? 4 : 3);

  /* Some stacks are deep: one child each. */
  if (parent >= 0 && depth > 3 && thread == 1)
    n_children = depth < DEEP && g_test_rand_int_range (0, 20) > 0;
  g_array_append_val (self->spans, span);
  tt_nest_enter (self->nest, nest_thread, self->names[span.name], self->now_ns, 0);
  for (int i = 0; i < n_children; i++)
    {
      self->now_ns += g_test_rand_int_range (0, 100);
      open_span (self, nest_thread, process, thread, depth + 1, index);
    }
  self->now_ns += g_test_rand_int_range (0, 100);
  tt_nest_leave (self->nest, nest_thread, self->names[span.name], self->now_ns, 0);
  g_array_index (self->spans, Span, index).end_ns = self->now_ns;
}

static void
make_spans (Fixture *self)
{
  for (guint process = 0; process < N_PROCESSES; process++)
    for (guint thread = 0; thread < N_THREADS; thread++)
      {
        g_autofree char *pid = g_strdup_printf ("node%u", process);
        g_autofree char *tid = g_strdup_printf ("%u", thread);
        guint32 process_id = tt_sink_process (self->sink, pid, NULL, NULL, process);
        guint32 thread_id = tt_sink_thread (self->sink, process_id, tid, NULL, thread);
        TtNestThread *nest_thread = tt_nest_thread (self->nest, thread_id, process_id);

        self->now_ns = 1000;
        for (int i = 0; i < 12; i++)
          {
            open_span (self, nest_thread, process, thread, 0, -1);
            self->now_ns += g_test_rand_int_range (0, 50);
          }
      }
}

static void
make_names (Fixture *self)
{
  static const char *const groups[N_NAMES] = { "one", "two", "two", "one", "two" };

  for (guint i = 0; i < N_NAMES; i++)
    {
      g_autofree char *raw = g_strdup_printf ("f%u", i);
      self->names[i] = tt_sink_name (
          self->sink, &(TtRawName){ .raw = raw, .group = groups[i], .op_cat = i % 2 == 0 ? "COMP" : "I/O" });
    }
}

static void
fixture_set_up (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  const TtStoreImportOptions options = { .command = "test" };

  self->folder = g_dir_make_tmp ("tracetool-XXXXXX", &error);
  require_no_error (error);
  self->path = g_build_filename (self->folder, "trace.db", NULL);
  self->spans = g_array_new (FALSE, FALSE, sizeof (Span));

  TtNameRules *rules = tt_name_rules_load (NULL, &error);
  require_no_error (error);
  g_autoptr (TtStoreImport) import = tt_store_import_begin (self->path, &options, tt_names_new (rules), &error);
  require_no_error (error);
  self->sink = tt_store_import_sink (import);
  tt_sink_begin_source (self->sink, "tau", "random", TT_CLOCK_RELATIVE);
  make_names (self);
  self->nest = tt_nest_new (self->sink);
  make_spans (self);
  tt_nest_finish (self->nest);
  tt_nest_free (self->nest);
  tt_sink_end_source (self->sink, 1, "00000000000000000000000000000000", TT_CLOCK_RELATIVE);
  g_assert_true (tt_sink_finish (self->sink, &error));
  tt_sink_free (self->sink);
  g_assert_true (tt_store_import_join (import, &error));
  for (guint i = 0; tt_passes[i] != NULL; i++)
    g_assert_true (tt_passes[i]->run (import, NULL, &error));
  g_assert_true (tt_store_import_commit (import, &error));
  g_assert_no_error (error);
}

static void
fixture_tear_down (Fixture *self, gconstpointer data)
{
  g_array_unref (self->spans);
  g_unlink (self->path);
  g_rmdir (self->folder);
  g_free (self->path);
  g_free (self->folder);
}

/* -- the oracle ---------------------------------------------------------------------------------- */

typedef struct
{
  guint64 count;
  gint64 total_ns, self_ns, sum_ns;
  GArray *durations;
} Expected;

static char *
key_of (const Span *span, const TtGroupKeys *keys)
{
  GString *text = g_string_new (NULL);

  for (guint k = 0; k < keys->n; k++)
    switch (keys->key[k])
      {
      case TT_KEY_NAME:
        g_string_append_printf (text, "%s.f%u;", span->name % 2 == 0 ? "COMP" : "I/O", span->name);
        break;
      case TT_KEY_OP_LONG_NAME:
        g_string_append_printf (text, "node%u->%s.f%u;", span->process, span->name % 2 == 0 ? "COMP" : "I/O",
                                span->name);
        break;
      case TT_KEY_OP_CAT:
        g_string_append_printf (text, "%s;", span->name % 2 == 0 ? "COMP" : "I/O");
        break;
      case TT_KEY_PID:
        g_string_append_printf (text, "node%u;", span->process);
        break;
      case TT_KEY_TID:
        g_string_append_printf (text, "%u;", span->thread);
        break;
      default:
        g_assert_not_reached ();
      }
  return g_string_free (text, FALSE);
}

typedef struct
{
  const char *name;
  TtGroupKeys keys;
  const char *filter, *window;
  gint64 from_ns, to_ns; /* of the window, absolute */
} Case;

static gint64
clip (const Case *wanted, const Span *span)
{
  if (wanted->window == NULL)
    return span->end_ns - span->begin_ns;
  return MAX (0, MIN (span->end_ns, wanted->to_ns) - MAX (span->begin_ns, wanted->from_ns));
}

static gboolean
is_wanted (const Case *wanted, const Span *span)
{
  if (wanted->filter != NULL && span->name > 1)
    return FALSE;
  if (wanted->window == NULL)
    return TRUE;
  if (span->begin_ns == span->end_ns)
    return span->begin_ns >= wanted->from_ns && span->begin_ns < wanted->to_ns;
  return span->begin_ns < wanted->to_ns && span->end_ns > wanted->from_ns;
}

static gboolean
is_inside_own (const Fixture *self, const Case *wanted, const Span *span, const char *key)
{
  for (int i = span->parent; i >= 0; i = g_array_index (self->spans, Span, i).parent)
    {
      const Span *outer = &g_array_index (self->spans, Span, i);
      g_autofree char *outer_key = key_of (outer, &wanted->keys);
      if (is_wanted (wanted, outer) && g_str_equal (outer_key, key))
        return TRUE;
    }
  return FALSE;
}

static void
expected_free (gpointer data)
{
  Expected *expected = data;

  g_array_unref (expected->durations);
  g_free (expected);
}

static GHashTable *
compute_expected (const Fixture *self, const Case *wanted)
{
  GHashTable *all = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, expected_free);

  for (guint i = 0; i < self->spans->len; i++)
    {
      const Span *span = &g_array_index (self->spans, Span, i);
      char *key = key_of (span, &wanted->keys);
      Expected *expected = g_hash_table_lookup (all, key);
      gint64 dur_ns = span->end_ns - span->begin_ns;

      if (!is_wanted (wanted, span))
        {
          g_free (key);
          continue;
        }
      gboolean is_inside = is_inside_own (self, wanted, span, key);
      if (expected == NULL)
        {
          expected = g_new0 (Expected, 1);
          expected->durations = g_array_new (FALSE, FALSE, sizeof (gint64));
          g_hash_table_insert (all, key, expected);
        }
      else
        g_free (key);
      expected->count++;
      expected->sum_ns += dur_ns;
      expected->total_ns += is_inside ? 0 : clip (wanted, span);
      expected->self_ns += clip (wanted, span);
      for (guint c = i + 1; c < self->spans->len; c++)
        if (g_array_index (self->spans, Span, c).parent == (int) i)
          expected->self_ns -= clip (wanted, &g_array_index (self->spans, Span, c));
      g_array_append_val (expected->durations, dur_ns);
    }
  return all;
}

static int
compare_ns (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;

  return (x > y) - (x < y);
}

static void
assert_row (const TtEventStats *stats, const TtEventStatsRow *row, Expected *expected)
{
  GArray *durations = expected->durations;
  guint n = durations->len, p95 = (95 * n + 99) / 100 - 1, p99 = (99 * n + 99) / 100 - 1;
  double mean = (double) expected->sum_ns / n, spread = 0;

  g_array_sort (durations, compare_ns);
  for (guint i = 0; i < n; i++)
    spread += pow ((double) g_array_index (durations, gint64, i) - mean, 2);
  g_assert_cmpuint (row->sums.count, ==, expected->count);
  g_assert_cmpint ((gint64) row->sums.sum_ns, ==, expected->sum_ns);
  g_assert_cmpint ((gint64) row->sums.total_ns, ==, expected->total_ns);
  g_assert_cmpint ((gint64) row->sums.self_ns, ==, expected->self_ns);
  g_assert_cmpint (row->sums.min_ns, ==, g_array_index (durations, gint64, 0));
  g_assert_cmpint (row->sums.max_ns, ==, g_array_index (durations, gint64, n - 1));
  g_assert_cmpint (row->sums.median_ns, ==, g_array_index (durations, gint64, n / 2));
  g_assert_cmpint (row->sums.p95_ns, ==, g_array_index (durations, gint64, p95));
  g_assert_cmpint (row->sums.p99_ns, ==, g_array_index (durations, gint64, p99));
  double stddev = tt_tally_stddev_ns (row->sums.count, row->sums.sum_ns, row->sums.sum_sq);
  g_assert_cmpfloat_with_epsilon (stddev, sqrt (spread / n), 1e-6 * (1 + stddev));
}

static int
by_longest (const TtEventStats *stats, const TtEventStatsRow *a, const TtEventStatsRow *b, gconstpointer data)
{
  g_assert_cmpstr (data, ==, "data");
  if (a->sums.max_ns != b->sums.max_ns)
    return a->sums.max_ns > b->sums.max_ns ? -1 : 1;
  return (a->sums.group > b->sums.group) - (a->sums.group < b->sums.group);
}

static int
by_longest_of (gconstpointer a, gconstpointer b, gpointer stats)
{
  return by_longest (stats, a, b, "data");
}

/* A limit leaves the first rows of all. */
static void
check_limits (TtStore *store, TtEventStatsRequest request, TtEventStats *all)
{
  request.order = by_longest;
  request.order_data = "data";
  g_array_sort_with_data (all->rows, by_longest_of, all);
  for (request.n_most = 1; request.n_most <= all->rows->len + 1; request.n_most++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (TtEventStats) some = tt_event_stats_new (store, &request, &error);

      require_no_error (error);
      g_assert_cmpuint (some->rows->len, ==, MIN (request.n_most, all->rows->len));
      g_assert_cmpuint (some->n_rows, ==, all->n_rows);
      g_assert_true (some->self_ns == all->self_ns);
      g_array_sort_with_data (some->rows, by_longest_of, some);
      for (guint i = 0; i < some->rows->len; i++)
        {
          const TtEventStatsRow *row = &g_array_index (some->rows, TtEventStatsRow, i);
          g_autofree char *label = tt_event_stats_label (some, row, 0);
          g_autofree char *expected = tt_event_stats_label (all, &g_array_index (all->rows, TtEventStatsRow, i), 0);
          g_assert_cmpuint (row->sums.group, ==, g_array_index (all->rows, TtEventStatsRow, i).sums.group);
          g_assert_cmpstr (label, ==, expected);
        }
    }
}

static void
check_case (Fixture *self, Case *wanted)
{
  g_autoptr (GError) error = NULL;
  const char *filters[] = { wanted->filter, NULL };
  g_autoptr (TtStore) store = tt_store_open (self->path, &error);
  require_no_error (error);
  g_assert_true (tt_store_select_run (store, NULL, &error));
  g_autoptr (TtSelection) selection = tt_selection_new (filters, wanted->window, TT_UNIT_NS, &error);
  require_no_error (error);
  g_assert_true (tt_selection_bind (selection, store, &error));

  const TtEventStatsRequest request = { .keys = wanted->keys, .selection = selection };
  g_autoptr (TtEventStats) stats = tt_event_stats_new (store, &request, &error);
  require_no_error (error);
  g_autoptr (GHashTable) all = compute_expected (self, wanted);
  g_assert_cmpuint (stats->rows->len, ==, g_hash_table_size (all));
  for (guint i = 0; i < stats->rows->len; i++)
    {
      const TtEventStatsRow *row = &g_array_index (stats->rows, TtEventStatsRow, i);
      g_autoptr (GString) key = g_string_new (NULL);

      for (guint k = 0; k < wanted->keys.n; k++)
        {
          g_autofree char *label = tt_event_stats_label (stats, row, k);
          g_string_append_printf (key, "%s;", label);
        }
      Expected *expected = g_hash_table_lookup (all, key->str);
      if (expected == NULL)
        g_test_fail_printf ("%s: unexpected group %s", wanted->name, key->str);
      else
        assert_row (stats, row, expected);
    }
  g_assert_cmpuint (stats->n_rows, ==, stats->rows->len);
  check_limits (store, request, stats);
}

#define KEYS(...)                                                                             \
  {                                                                                           \
    .n = sizeof ((TtGroupKey[]){ __VA_ARGS__ }) / sizeof (TtGroupKey), .key = { __VA_ARGS__ } \
  }

static void
test_groupings (Fixture *self, gconstpointer data)
{
  Case cases[] = {
    { "name", KEYS (TT_KEY_NAME) },
    { "long name", KEYS (TT_KEY_OP_LONG_NAME) },
    { "name and pid", KEYS (TT_KEY_PID, TT_KEY_NAME) },
    { "category", KEYS (TT_KEY_OP_CAT) },
    { "pid", KEYS (TT_KEY_PID) },
    { "tid, category", KEYS (TT_KEY_TID, TT_KEY_OP_CAT) },
    { "pid, tid, name", KEYS (TT_KEY_PID, TT_KEY_TID, TT_KEY_NAME) },
    { "filter", KEYS (TT_KEY_OP_CAT), "op_name=f0,f1", NULL },
    { "filter by name", KEYS (TT_KEY_NAME), "op_name=f0,f1", NULL },
    { "window", KEYS (TT_KEY_NAME), NULL, "300:900", 1300, 1900 },
    { "open window", KEYS (TT_KEY_PID), NULL, "500:", 1500, G_MAXINT64 },
    { "window and filter", KEYS (TT_KEY_OP_CAT, TT_KEY_PID), "op_name=f0,f1", ":777", 1000, 1777 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    check_case (self, &cases[i]);
}

/* -- other --------------------------------------------------------------------------------------- */

static void
test_name2sta (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TtStore) store = tt_store_open (self->path, &error);
  g_autoptr (TtOutput) out = tt_output_open_memory ();
  guint n_rows = 0, n_ids = 0;

  g_assert_true (tt_store_select_run (store, NULL, &error));
  g_assert_true (tt_name2sta_write (store, NULL, NULL, out, &n_rows, &error));
  require_no_error (error);
  g_assert_cmpuint (n_rows, ==, N_PROCESSES * N_NAMES);

  /* Without steps the numbers of all spans stand there, each once. */
  GString *text = tt_output_steal_text (out);
  g_autofree gboolean *seen = g_new0 (gboolean, self->spans->len);
  for (const char *p = text->str; (p = strstr (p, "\"step_ids\":[")) != NULL;)
    for (p += strlen ("\"step_ids\":["); *p != ']';)
      {
        char *end;
        guint64 index = g_ascii_strtoull (p, &end, 10);
        g_assert_cmpuint (index, <, self->spans->len);
        if (index < self->spans->len)
          {
            g_assert_false (seen[index]);
            seen[index] = TRUE;
          }
        n_ids++;
        p = *end == ',' ? end + 1 : end;
      }
  g_assert_cmpuint (n_ids, ==, self->spans->len);
  g_string_free (text, TRUE);
}

static void
test_keys (void)
{
  TtGroupKeys keys;
  g_autoptr (GError) error = NULL;

  g_assert_true (tt_group_keys_parse (&keys, "op_cat, name,op_cat", &error));
  g_assert_cmpuint (keys.n, ==, 2);
  g_assert_true (keys.key[0] == TT_KEY_OP_CAT && keys.key[1] == TT_KEY_NAME);
  g_assert_false (tt_group_keys_parse (&keys, "nmae", &error));
  g_assert_nonnull (strstr (error->message, "did you mean 'name'?"));
  g_clear_error (&error);
  g_assert_false (tt_group_keys_parse (&keys, "", &error));
  g_assert_nonnull (error);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add ("/event-stats/groupings", Fixture, NULL, fixture_set_up, test_groupings, fixture_tear_down);
  g_test_add ("/event-stats/name2sta", Fixture, NULL, fixture_set_up, test_name2sta, fixture_tear_down);
  g_test_add_func ("/event-stats/keys", test_keys);
  return g_test_run ();
}
