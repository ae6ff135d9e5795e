/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "tests/formats/tau-test.h"
#include "tests/require.h"

#include "src/base/input.h"

#include <string.h>

/*
 * Every callback of TAU's own reader, in the golden logs, against the rows of an import. The expected
 * lines are worked out from the log alone: what is left on either side is a failure.
 */

typedef struct
{
  char *name;
  gboolean is_monotonic;
} Definition;

/* A trigger and what comes after it on its thread. */
typedef struct
{
  guint node, thread, event;
  gint64 ts_ns, value;
} Trigger;

typedef struct
{
  GArray *run;    /* of Trigger: consecutive ones of one event */
  gint64 edge_ns; /* the enter or leave that a metric belongs to, or G_MININT64 */
  gboolean is_leave;
} Stream;

typedef struct
{
  GHashTable *states, *events; /* id -> Definition */
  GHashTable *streams;         /* node << 16 | thread -> Stream */
  GHashTable *left;            /* line -> how many more the log has than the import */
  gint64 first_ns;
  guint n_leaves, n_metrics_at_leave, n_unknown;
} Golden;

static void
count_line (Golden *self, const char *line, int by)
{
  int n = GPOINTER_TO_INT (g_hash_table_lookup (self->left, line)) + by;

  if (n == 0)
    g_hash_table_remove (self->left, line);
  else
    g_hash_table_replace (self->left, g_strdup (line), GINT_TO_POINTER (n));
}

static void expect (Golden *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
expect (Golden *self, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_autofree char *line = g_strdup_vprintf (format, args);
  va_end (args);
  count_line (self, line, 1);
}

static void
free_definition (gpointer data)
{
  g_free (((Definition *) data)->name);
  g_free (data);
}

static void
free_stream (gpointer data)
{
  g_array_unref (((Stream *) data)->run);
  g_free (data);
}

static Stream *
stream_of (Golden *self, guint node, guint thread)
{
  gpointer key = GUINT_TO_POINTER (node << 16 | thread);
  Stream *stream = g_hash_table_lookup (self->streams, key);

  if (stream == NULL)
    {
      stream = g_new0 (Stream, 1);
      stream->run = g_array_new (FALSE, FALSE, sizeof (Trigger));
      stream->edge_ns = G_MININT64;
      g_hash_table_insert (self->streams, key, stream);
    }
  return stream;
}

static const Definition *
definition (GHashTable *table, guint id)
{
  return g_hash_table_lookup (table, GUINT_TO_POINTER (id));
}

static void
expect_trigger (Golden *self, const Trigger *t)
{
  const char *name = definition (self->events, t->event)->name;
  const char *bar = strstr (name, " | ");

  if (t->value == 1 && bar != NULL)
    {
      g_autofree char *key = g_strndup (name, (gsize) (bar - name));
      g_autofree char *value = g_strstrip (g_strdup (bar + 3));
      expect (self, "metadata node%u/%u %s=%s", t->node, t->thread, key, value);
      return;
    }
  g_autofree char *trimmed = g_strstrip (g_strdup (name));
  expect (self, "counter node%u/%u %s ts=%" G_GINT64_FORMAT " value=%" G_GINT64_FORMAT, t->node, t->thread, trimmed,
          t->ts_ns, t->value);
}

static void
end_run (Golden *self, Stream *stream)
{
  const Trigger *t = (const Trigger *) (gpointer) stream->run->data;

  for (guint i = 0; i < stream->run->len; i++)
    if (i + 2 < stream->run->len && t[i].value == 0 && t[i + 2].value == 0)
      {
        expect_trigger (self, &t[i + 1]);
        i += 2;
      }
    else
      expect_trigger (self, &t[i]);
  g_array_set_size (stream->run, 0);
}

static gint64
number (const char *text)
{
  gint64 value = 0;
  const char *equals = strchr (text, '=');

  g_assert_true (
      g_ascii_string_to_signed (equals != NULL ? equals + 1 : text, 10, G_MININT64, G_MAXINT64, &value, NULL));
  return value;
}

static void
take_trigger (Golden *self, Stream *stream, const Trigger *t)
{
  const Definition *event = definition (self->events, t->event);

  if (event == NULL)
    {
      self->n_unknown++;
      return;
    }
  if (g_str_has_prefix (event->name, "ONESIDED_MESSAGE"))
    {
      end_run (self, stream);
      g_array_append_vals (stream->run, t, 1);
      if (stream->run->len == 1)
        return;
    }
  if (event->is_monotonic)
    {
      end_run (self, stream);
      if (stream->edge_ns == t->ts_ns)
        {
          self->n_metrics_at_leave += stream->is_leave;
          return;
        }
      expect_trigger (self, t);
      stream->edge_ns = G_MININT64;
      return;
    }
  stream->edge_ns = G_MININT64;
  if (stream->run->len > 0 && g_array_index (stream->run, Trigger, 0).event != t->event)
    end_run (self, stream);
  g_array_append_vals (stream->run, t, 1);
}

static void
take_message (Golden *self, gboolean is_send, char **w)
{
  guint own_node = (guint) number (w[is_send ? 2 : 4]), own_thread = (guint) number (w[is_send ? 3 : 5]);
  guint peer = (guint) number (w[is_send ? 4 : 2]);

  end_run (self, stream_of (self, own_node, own_thread));
  stream_of (self, own_node, own_thread)->edge_ns = G_MININT64;
  expect (self,
          "half %s node%u/%u peer=node%u tag=%" G_GINT64_FORMAT " comm=%" G_GINT64_FORMAT " bytes=%" G_GINT64_FORMAT
          " ts=%" G_GINT64_FORMAT,
          is_send ? "send" : "recv", own_node, own_thread, peer, number (w[7]), number (w[8]), number (w[6]),
          self->first_ns + number (w[1]) * 1000);
}

static void
take_line (Golden *self, const char *line)
{
  g_auto (GStrv) w = g_strsplit (line, " ", -1);
  const char *quote = strchr (line, '"');
  gboolean is_enter = strcmp (w[0], "ENTER") == 0;

  if (strcmp (w[0], "STATE") == 0 || strcmp (w[0], "UEVENT") == 0)
    {
      Definition *d = g_new0 (Definition, 1);
      d->name = g_strndup (quote + 1, strlen (quote) - 2);
      d->is_monotonic = w[0][0] == 'U' && number (w[2]) > 0;
      g_hash_table_insert (w[0][0] == 'U' ? self->events : self->states, GUINT_TO_POINTER ((guint) number (w[1])), d);
    }
  else if (is_enter || strcmp (w[0], "LEAVE") == 0)
    {
      Stream *stream = stream_of (self, (guint) number (w[2]), (guint) number (w[3]));
      gint64 ts_ns = self->first_ns + number (w[1]) * 1000;
      g_autofree char *name = g_strstrip (g_strdup (definition (self->states, (guint) number (w[4]))->name));

      expect (self, "%s node%s/%s %s ts=%" G_GINT64_FORMAT, is_enter ? "enter" : "leave", w[2], w[3], name, ts_ns);
      self->n_leaves += !is_enter;
      if (strcmp (name, "FLUSH") == 0)
        return;
      end_run (self, stream);
      stream->edge_ns = ts_ns;
      stream->is_leave = !is_enter;
    }
  else if (strcmp (w[0], "SEND") == 0 || strcmp (w[0], "RECV") == 0)
    take_message (self, w[0][0] == 'S', w);
  else if (strcmp (w[0], "TRIG") == 0)
    {
      const Trigger t = {
        .node = (guint) number (w[2]),
        .thread = (guint) number (w[3]),
        .event = (guint) number (w[4]),
        .ts_ns = self->first_ns + number (w[1]) * 1000,
        .value = number (w[5]),
      };
      take_trigger (self, stream_of (self, t.node, t.thread), &t);
    }
}

static void
golden_init (Golden *self)
{
  *self = (Golden){ 0 };
  self->states = g_hash_table_new_full (NULL, NULL, NULL, free_definition);
  self->events = g_hash_table_new_full (NULL, NULL, NULL, free_definition);
  self->streams = g_hash_table_new_full (NULL, NULL, NULL, free_stream);
  self->left = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

static void
golden_clear (Golden *self)
{
  g_hash_table_unref (self->states);
  g_hash_table_unref (self->events);
  g_hash_table_unref (self->streams);
  g_hash_table_unref (self->left);
}

static void
read_log (Golden *self, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TtInput) input = tt_input_open (path, &error);
  g_autoptr (GString) text = g_string_new (NULL);
  char block[4096];
  gssize n;
  GHashTableIter iter;
  gpointer stream;

  require_no_error (error);
  while (input != NULL && (n = tt_input_read (input, block, sizeof block, &error)) > 0)
    g_string_append_len (text, block, n);
  require_no_error (error);
  g_auto (GStrv) lines = g_strsplit (text->str, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '\0')
      take_line (self, lines[i]);
  g_hash_table_iter_init (&iter, self->streams);
  while (g_hash_table_iter_next (&iter, NULL, &stream))
    end_run (self, stream);
}

/* "half ... bytes=73400320 ts=..." as TAU's reader has it: 26 bits. Free it. */
static char *
without_counted_size (const char *line, gsize len)
{
  g_autofree char *half = g_strndup (line, len);
  char *at = strstr (half, " bytes=");

  g_assert_nonnull (at);
  gint64 bytes = g_ascii_strtoll (at + 7, NULL, 10);
  if (bytes <= 0x3ffffff)
    return g_steal_pointer (&half);
  *at = '\0';
  return g_strdup_printf ("%s bytes=%" G_GINT64_FORMAT "%s", half, bytes & 0x3ffffff, strchr (at + 1, ' '));
}

/* Takes the rows of the import off what the log has. */
static void
take_rows (Golden *self, const TauResult *result, guint *n_onesided, guint *n_metrics)
{
  *n_onesided = 0;
  *n_metrics = tau_count (result, "metric ");
  for (guint i = 0; i < result->lines->len; i++)
    {
      const char *line = result->lines->pdata[i];
      const char *ts = g_strrstr (line, " ts="), *in = g_strrstr (line, " in=");

      if (g_str_has_prefix (line, "span "))
        {
          g_auto (GStrv) w = g_strsplit (ts + 1, " ", -1);
          gint64 begin_ns = number (w[0]), dur_ns = number (w[1]);
          g_autofree char *where = g_strndup (line + 5, (gsize) (ts - line) - 5);
          g_autofree char *enter = g_strdup_printf ("enter %s ts=%" G_GINT64_FORMAT, where, begin_ns);
          g_autofree char *leave = g_strdup_printf ("leave %s ts=%" G_GINT64_FORMAT, where, begin_ns + dur_ns);
          count_line (self, enter, -1);
          count_line (self, leave, -1);
        }
      else if (g_str_has_prefix (line, "half "))
        {
          g_autofree char *half = without_counted_size (line, (gsize) (in - line));
          if (g_str_has_suffix (line, " onesided"))
            (*n_onesided)++;
          else
            count_line (self, half, -1);
        }
      else if (g_str_has_prefix (line, "counter ") || g_str_has_prefix (line, "metadata "))
        count_line (self, line, -1);
    }
}

typedef struct
{
  const char *log, *trc, *edf;
  guint n_moved; /* leaves whose time is far off: the log has that, the import one between its neighbours */
  guint n_onesided;
  const char *not_in_log; /* lines that the log lacks: TAU's reader loses records of names with quotes */
} Case;

static const Case cases[] = {
  { "edge", "synthetic/edge.trc", "synthetic/edge.edf", 1, 2, NULL },
  { "g1k", "synthetic/g1k.trc", "synthetic/g1k.edf", 0, 0, NULL },
  { "real-mpi4", "real-mpi4/tau.trc", "real-mpi4/tau.edf", 0, 0, NULL },
  { "real-mpi4-callpath-flush", "real-mpi4-callpath-flush/tau.trc", "real-mpi4-callpath-flush/tau.edf", 0, 0, NULL },
  { "real-threads", "real-threads/tau.trc", "real-threads/tau.edf", 0, 0, "counter node0/? loop \"quoted\" value *" },
};

static gint64
first_ns (const char *path)
{
  guint8 head[24];

  g_assert_cmpint (tt_input_peek (path, head, sizeof head, NULL, NULL), ==, 24);
  return (gint64) tt_tau_decode (head, TT_TAU_24LE).ti * 1000;
}

static void
check_left (const Golden *golden, const Case *c)
{
  GHashTableIter iter;
  gpointer line, n;
  guint n_moved_from = 0, n_moved_to = 0;

  g_hash_table_iter_init (&iter, golden->left);
  while (g_hash_table_iter_next (&iter, &line, &n))
    {
      if (c->not_in_log != NULL && GPOINTER_TO_INT (n) < 0 && g_pattern_match_simple (c->not_in_log, line))
        continue;
      if (c->n_moved > 0 && g_str_has_prefix (line, "leave ") && GPOINTER_TO_INT (n) > 0)
        n_moved_from += (guint) GPOINTER_TO_INT (n);
      else if (c->n_moved > 0 && g_str_has_prefix (line, "leave "))
        n_moved_to += (guint) -GPOINTER_TO_INT (n);
      if (c->n_moved > 0 && g_str_has_prefix (line, "leave "))
        continue;
      /* Three records of each one-sided half are triggers to TAU's reader. */
      if (strstr (line, "ONESIDED_MESSAGE") != NULL && c->n_onesided > 0)
        continue;
      g_test_fail_printf ("%s: %d more in the log than imported: %s", c->log, GPOINTER_TO_INT (n), (char *) line);
    }
  g_assert_cmpuint (n_moved_from, ==, c->n_moved);
  g_assert_cmpuint (n_moved_to, ==, c->n_moved);
}

static void
test_golden (gconstpointer data)
{
  const Case *c = data;
  const char *shared = g_getenv ("SHARED_DATA");
  g_autofree char *log_name = g_strdup_printf ("%s.cblog.gz", c->log);
  g_autofree char *log = g_build_filename (shared != NULL ? shared : "", "tau", "golden", log_name, NULL);
  g_autofree char *trc = g_build_filename (shared != NULL ? shared : "", "tau", c->trc, NULL);
  g_autofree char *edf = g_build_filename (shared != NULL ? shared : "", "tau", c->edf, NULL);
  const char *const paths[] = { trc, edf, NULL };
  guint n_onesided, n_metrics;
  Golden golden;

  if (!g_file_test (log, G_FILE_TEST_EXISTS))
    {
      g_test_skip_printf ("no %s", log);
      return;
    }
  golden_init (&golden);
  golden.first_ns = first_ns (trc);
  read_log (&golden, log);
  g_assert_cmpuint (golden.n_leaves, >, 0);
  g_assert_cmpuint (golden.n_unknown, ==, 0);

  g_autoptr (TauResult) result = tau_import (paths, FALSE);
  g_assert_no_error (result->error);
  take_rows (&golden, result, &n_onesided, &n_metrics);
  check_left (&golden, c);
  g_assert_cmpuint (n_onesided, ==, c->n_onesided);
  g_assert_cmpuint (n_metrics, ==, golden.n_metrics_at_leave);
  golden_clear (&golden);
}

/* The same records in four layouts. */
static void
test_variants (void)
{
  static const char *const names[] = { "mpi4-32le", "mpi4-32be", "mpi4-64le", "mpi4-64be" };
  const char *shared = g_getenv ("SHARED_DATA");
  g_autofree char *edf = g_build_filename (shared != NULL ? shared : "", "tau", "variants", "mpi4.edf", NULL);
  g_autofree char *first = NULL;

  if (!g_file_test (edf, G_FILE_TEST_EXISTS))
    {
      g_test_skip_printf ("no %s", edf);
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *name = g_strconcat (names[i], ".trc", NULL);
      g_autofree char *trc = g_build_filename (shared, "tau", "variants", name, NULL);
      const char *const paths[] = { edf, trc, NULL };
      g_autoptr (TauResult) result = tau_import (paths, TRUE);
      g_autofree char *lines = tau_sorted (result);

      g_assert_no_error (result->error);
      g_assert_cmpuint (tau_count (result, "span "), ==, 440);
      if (first == NULL)
        first = g_steal_pointer (&lines);
      else
        g_assert_true (strcmp (lines, first) == 0);
    }
}

/* By rank and merged, a run has the same rows. */
static void
test_ranks (void)
{
  static const char *const names[] = { "real-mpi4", "real-mpi4-callpath-flush", "real-threads" };
  const char *shared = g_getenv ("SHARED_DATA");

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *folder = g_build_filename (shared != NULL ? shared : "", "tau", names[i], NULL);
      g_autofree char *trc = g_build_filename (folder, "tau.trc", NULL);
      const char *const one[] = { trc, NULL }, *const many[] = { folder, NULL };

      if (!g_file_test (trc, G_FILE_TEST_EXISTS))
        {
          g_test_skip_printf ("no %s", trc);
          return;
        }
      g_autoptr (TauResult) merged = tau_import (one, FALSE);
      g_autoptr (TauResult) ranks = tau_import (many, FALSE);
      g_autofree char *lines = tau_sorted (merged), *others = tau_sorted (ranks);
      g_assert_no_error (merged->error);
      g_assert_no_error (ranks->error);
      g_assert_cmpuint (tau_count (ranks, "source "), ==, 4);
      g_assert_cmpuint (ranks->notes->len, ==, 1);
      g_assert_cmpstr (lines, ==, others);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/tau/golden/%s", cases[i].log);
      g_test_add_data_func (path, &cases[i], test_golden);
    }
  g_test_add_func ("/tau/golden/variants", test_variants);
  g_test_add_func ("/tau/golden/ranks", test_ranks);
  return g_test_run ();
}
