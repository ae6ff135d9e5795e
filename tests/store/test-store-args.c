/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/store.h"

#include <glib/gstdio.h>
#include <string.h>

#include "src/store/args-format.h"
#include "src/store/args-pages.h"
#include "src/store/schema.h"
#include "src/trace/repairs.h"
#include "tests/store/store-example.h"

/* Of both tables, with their texts. */
#define ALL_ARGS \
  "(SELECT id, json FROM args_row UNION ALL SELECT d.id, " TT_SCHEMA_FILLED_ARGS ("d.id") " FROM args_filled_row d)"

/* Arguments, flows, late labels and parameters of a database. */

static char *directory;

static char *
fresh_path (void)
{
  static int n;

  return g_strdup_printf ("%s/%d.db", directory, ++n);
}

static void
import (const char *path, const ExampleOptions *options, ExampleFill fill, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (example_import (path, options, fill, (gpointer) data, &error));
  g_assert_no_error (error);
}

static TtStore *
open_store (const char *path)
{
  g_autoptr (GError) error = NULL;
  TtStore *store = tt_store_open (path, &error);

  g_assert_no_error (error);
  return store;
}

static void
assert_query (const char *path, const char *sql, const char *expected)
{
  g_autoptr (TtStore) store = open_store (path);
  g_autofree char *text = example_query (store, sql);

  g_assert_cmpstr (text, ==, expected);
}

/* -- a source of spans one after another ------------------------------------------------------------------ */

typedef struct
{
  TtSink *sink;
  guint32 thread, name;
  gint64 ts_ns;
} Writer;

static Writer
begin (TtSink *sink, const char *path)
{
  Writer self = { .sink = sink };

  tt_sink_begin_source (sink, "tau", path, TT_CLOCK_RELATIVE);
  self.thread = tt_sink_thread (sink, tt_sink_process (sink, "p", NULL, NULL, -1), "t", NULL, 0);
  self.name = tt_sink_name (sink, &(TtRawName){ .raw = "work", .group = "TAU_USER" });
  return self;
}

static guint64
span (Writer *self, guint64 args)
{
  self->ts_ns += 10;
  return tt_sink_event (self->sink, self->thread, self->name, self->ts_ns, 5, 5, 0, 0, TT_NO_STEP, args);
}

static guint64 G_GNUC_PRINTF (2, 3) args (Writer *self, const char *format, ...)
{
  va_list values;

  va_start (values, format);
  g_autofree char *json = g_strdup_vprintf (format, values);
  va_end (values);
  return tt_sink_args (self->sink, json, strlen (json));
}

static void
end (Writer *self, const char *hash)
{
  tt_sink_end_source (self->sink, 1, hash, TT_CLOCK_RELATIVE);
}

/* -- what a scan, a query and an expectation say ------------------------------------------------------------ */

/* Every event's arguments in id order; "-" for none. */
static GPtrArray *
scanned (const char *path, TtScanFlags flags)
{
  g_autoptr (TtStore) store = open_store (path);
  g_autoptr (GError) error = NULL;
  GPtrArray *all = g_ptr_array_new_with_free_func (g_free);
  TtEvent event;

  tt_store_select_run (store, "all", &error);
  g_assert_no_error (error);
  TtEventScan *scan = tt_event_scan_new (store, flags, &error);
  g_assert_no_error (error);
  while (tt_event_scan_next (scan, &event))
    {
      char *text = event.args != NULL   ? g_strndup (event.args, event.args_len)
                   : event.args_len > 0 ? g_strdup_printf ("%" G_GSIZE_FORMAT " bytes", event.args_len)
                                        : g_strdup ("-");
      g_ptr_array_insert (all, flags & TT_SCAN_REVERSE ? 0 : -1, text);
    }
  g_assert_true (tt_event_scan_finish (scan, &error));
  g_assert_no_error (error);
  return all;
}

static void
assert_equal (const GPtrArray *got, const GPtrArray *expected)
{
  g_assert_cmpuint (got->len, ==, expected->len);
  for (guint i = 0; i < MIN (got->len, expected->len); i++)
    g_assert_cmpstr (g_ptr_array_index (got, i), ==, g_ptr_array_index (expected, i));
}

/* -- arguments ---------------------------------------------------------------------------------------------- */

#define MANY 30000u

static char *
json_of (guint64 i)
{
  return g_strdup_printf ("{\"i\":%" G_GUINT64_FORMAT ",\"s\":\"%.*s\"}", i, (int) (i * 7919 % 400),
                          "................................................................................"
                          "................................................................................"
                          "................................................................................"
                          "................................................................................"
                          "................................................................................");
}

/* Every third span has none; the others come in an order of their own. */
static void
fill_many (TtSink *sink, gpointer data)
{
  GPtrArray *expected = data;
  Writer self = begin (sink, "many");
  guint64 held = 0, held_number = 0;

  for (guint64 i = 0; i < MANY; i++)
    {
      g_autofree char *json = json_of (i);
      guint64 id = i % 3 == 0 ? 0 : tt_sink_args (sink, json, strlen (json)), number = i;

      if (i % 50 == 1 && held == 0)
        {
          held = id;
          held_number = i;
          id = 0;
        }
      else if (i % 50 == 40 && held != 0 && id == 0)
        {
          id = held;
          number = held_number;
          held = 0;
        }
      span (&self, id);
      g_ptr_array_add (expected, id == 0 ? g_strdup ("-") : json_of (number));
    }
  end (&self, "many");
}

static void
test_many (void)
{
  for (int threaded = 0; threaded < 2; threaded++)
    {
      g_autofree char *path = fresh_path ();
      g_autoptr (GPtrArray) expected = g_ptr_array_new_with_free_func (g_free);

      import (path, &(ExampleOptions){ .threaded = threaded }, fill_many, expected);
      g_autoptr (GPtrArray) up = scanned (path, TT_SCAN_ARGS), down = scanned (path, TT_SCAN_ARGS | TT_SCAN_REVERSE);
      assert_equal (up, expected);
      assert_equal (down, expected);
      g_autoptr (GPtrArray) without = scanned (path, TT_SCAN_DEFAULT);
      g_assert_cmpuint (without->len, ==, MANY);
      g_assert_cmpstr (g_ptr_array_index (without, 4), ==, "-");
      assert_query (path, "SELECT args FROM event WHERE id = 5",
                    "{\"i\":4,\"s\":\"............................"
                    "................................................\"}\n");
    }
}

/* -- long ones ---------------------------------------------------------------------------------------------- */

static char *
long_json (gsize len)
{
  char *json = g_malloc (len + 1);

  for (gsize i = 0; i < len; i++)
    json[i] = (char) ('a' + i * 31 / 7 % 26);
  memcpy (json, "{\"x\":\"", 6);
  memcpy (json + len - 2, "\"}", 3);
  return json;
}

typedef struct
{
  gsize len, piece;
} Long;

static void
fill_long (TtSink *sink, gpointer data)
{
  const Long *what = data;
  Writer self = begin (sink, "long");

  span (&self, args (&self, "{\"n\":%d}", 1));
  for (; what->len > 0; what++)
    {
      g_autofree char *json = long_json (what->len);
      guint64 id = 0;

      args (&self, "{\"nobody\":1}");
      for (gsize at = 0; at < what->len; at += what->piece)
        id = tt_sink_args_piece (sink, what->len, at, json + at, MIN (what->piece, what->len - at));
      span (&self, args (&self, "{\"n\":%d}", 2));
      span (&self, id);
    }
  span (&self, args (&self, "{\"n\":%d}", 3));
  end (&self, "long");
}

static void
test_long (void)
{
  static const Long what[] = { { 5000, 100 },
                               { 20, 1 },
                               { 3 << 20, 3 << 20 },
                               { 3 << 20, 65536 },
                               { (3 << 20) + 17, 1 << 20 },
                               { TT_LONG_ARGS, 1 << 20 },
                               { TT_LONG_ARGS + 1, 4096 },
                               { 0, 0 } };

  for (int threaded = 0; threaded < 2; threaded++)
    {
      g_autofree char *path = fresh_path ();
      g_autoptr (GPtrArray) expected = g_ptr_array_new_with_free_func (g_free);

      import (path, &(ExampleOptions){ .threaded = threaded }, fill_long, what);
      g_ptr_array_add (expected, g_strdup ("{\"n\":1}"));
      for (const Long *one = what; one->len > 0; one++)
        {
          g_ptr_array_add (expected, g_strdup ("{\"n\":2}"));
          g_ptr_array_add (expected, one->len > TT_LONG_ARGS ? g_strdup_printf ("%" G_GSIZE_FORMAT " bytes", one->len)
                                                             : long_json (one->len));
        }
      g_ptr_array_add (expected, g_strdup ("{\"n\":3}"));
      g_autoptr (GPtrArray) up = scanned (path, TT_SCAN_ARGS), down = scanned (path, TT_SCAN_ARGS | TT_SCAN_REVERSE);
      assert_equal (up, expected);
      assert_equal (down, expected);
      assert_query (path,
                    "SELECT id, typeof (args), length (args), json_valid (args) FROM event WHERE length (args) > 100",
                    "3|text|5000|1\n7|text|3145728|1\n9|text|3145728|1\n11|text|3145745|1\n13|text|16777216|1\n"
                    "15|text|16777217|1\n");
    }
}

static void
fill_too_long (TtSink *sink, gpointer data)
{
  g_autofree char *piece = long_json (1 << 20);
  Writer self = begin (sink, "too long");
  guint64 total = G_GUINT64_CONSTANT (1) << 30, id = 0;

  for (guint64 at = 0; at < total; at += 1 << 20)
    id = tt_sink_args_piece (sink, total, at, piece, 1 << 20);
  span (&self, id);
  span (&self, args (&self, "{\"n\":%d}", 1));
  end (&self, "too long");
}

static void
test_too_long (void)
{
  g_autofree char *path = fresh_path ();

  import (path, &(ExampleOptions){ .threaded = TRUE }, fill_too_long, NULL);
  assert_query (path, "SELECT id, args FROM event", "1|-\n2|{\"n\":1}\n");
  assert_query (path, "SELECT repairs FROM source", "{\"args_too_long\":{\"count\":1}}\n");
}

/* -- merging ------------------------------------------------------------------------------------------------ */

/* The pairs overlap so that some reach over batches of any size. */
static void
fill_merges (TtSink *sink, gpointer data)
{
  GPtrArray *expected = data;
  Writer self = begin (sink, "merges");
  guint64 open[64] = { 0 };
  guint number[64] = { 0 };

  for (guint i = 0; i < MANY; i++)
    {
      guint place = (guint) g_test_rand_int_range (0, i % 1000 == 0 ? 64 : 2);

      if (open[place] != 0)
        {
          guint64 more = args (&self, "{\"b\":%u,\"k\":\"end\"}", i);
          tt_sink_args_merge (sink, open[place], more);
          /* An end of the end. */
          if (i % 10 == 0)
            tt_sink_args_merge (sink, open[place], args (&self, "{\"c\":%u,\"b\":0}", i));
          span (&self, open[place]);
          g_ptr_array_add (expected, g_strdup_printf (i % 10 == 0 ? "{\"a\":%u,\"k\":\"end\",\"b\":0,\"c\":%u}"
                                                                  : "{\"a\":%u,\"k\":\"end\",\"b\":%u}",
                                                      number[place], i));
        }
      open[place] = args (&self, "{\"a\":%u,\"k\":\"begin\"}", i);
      number[place] = i;
    }
  end (&self, "merges");
}

static void
test_merges (void)
{
  for (int threaded = 0; threaded < 2; threaded++)
    {
      g_autofree char *path = fresh_path ();
      g_autoptr (GPtrArray) expected = g_ptr_array_new_with_free_func (g_free);

      import (path, &(ExampleOptions){ .threaded = threaded }, fill_merges, expected);
      g_autoptr (GPtrArray) got = scanned (path, TT_SCAN_ARGS);
      g_assert_cmpuint (got->len, >, MANY / 2);
      assert_equal (got, expected);
      assert_query (path, "SELECT repairs FROM source", "-\n");
      assert_query (path, "SELECT count (*) - n_args FROM " ALL_ARGS ", source_row", "0\n");
    }
}

static void
merge_two (Writer *self, gboolean apart, const char *first, const char *more)
{
  guint64 id = tt_sink_args (self->sink, first, strlen (first));

  if (apart)
    tt_sink_flush (self->sink);
  tt_sink_args_merge (self->sink, id, tt_sink_args (self->sink, more, strlen (more)));
  span (self, id);
}

static void
fill_pairs (TtSink *sink, gpointer data)
{
  gboolean apart = data != NULL;
  Writer self = begin (sink, "pairs");
  g_autofree char *long_one = long_json (1 << 21);

  merge_two (&self, apart, "{\"a\":1}", "{\"a\":1}");
  merge_two (&self, apart, "{}", "{}");
  merge_two (&self, apart, "{\"a\":1}", "{}");
  merge_two (&self, apart, "{}", "{\"a\":1}");
  merge_two (&self, apart, "{\"a\":1,\"b\":{\"c\":[2]}}", "{\"d\":3,\"b\":4}");
  merge_two (&self, apart, "{\"a\":1}", "[1]");
  merge_two (&self, apart, "broken", "{\"a\":1}");
  merge_two (&self, apart, long_one, "{\"x\":0}");
  merge_two (&self, apart, "{\"x\":0}", long_one);
  /* What waits makes wait: the values of the last one count. */
  guint64 first = tt_sink_args (sink, "{\"a\":1}", 7), second = tt_sink_args (sink, "{\"a\":2}", 7);
  tt_sink_flush (sink);
  guint64 third = tt_sink_args (sink, "{\"a\":3}", 7), fourth = tt_sink_args (sink, "{\"b\":4}", 7);
  tt_sink_args_merge (sink, third, second);
  tt_sink_args_merge (sink, third, fourth);
  tt_sink_args_merge (sink, first, third);
  tt_sink_args_merge (sink, first, first);
  span (&self, first);
  span (&self, 0);
  end (&self, "pairs");
}

static void
test_pairs (void)
{
  for (gsize apart = 0; apart < 2; apart++)
    {
      g_autofree char *path = fresh_path ();

      import (path, &(ExampleOptions){ 0 }, fill_pairs, GSIZE_TO_POINTER (apart));
      assert_query (path, "SELECT id, CASE WHEN length (args) < 100 THEN args ELSE length (args) END FROM event",
                    "1|{\"a\":1}\n2|{}\n3|{\"a\":1}\n4|{\"a\":1}\n5|{\"a\":1,\"b\":4,\"d\":3}\n6|{\"a\":1}\n"
                    "7|broken\n8|{\"x\":0}\n9|2097152\n10|{\"a\":2,\"b\":4}\n11|-\n");
      assert_query (path, "SELECT repairs FROM source", "{\"args_not_merged\":{\"count\":2}}\n");
      /* Nobody's are gone. */
      assert_query (path, "SELECT count (*) FROM " ALL_ARGS, "10\n");
      assert_query (path, "SELECT n_args FROM source_row", "10\n");
    }
}

/* -- several runs and sources ------------------------------------------------------------------------------- */

static void
fill_source (TtSink *sink, gpointer data)
{
  const char *name = data;
  Writer self = begin (sink, name);

  for (guint i = 0; i < 3; i++)
    span (&self, args (&self, "{\"%s\":%u}", name, i));
  tt_sink_args_merge (sink, args (&self, "{\"unused\":1}"), args (&self, "{\"last\":1}"));
  end (&self, name);
}

static void
test_sources (void)
{
  g_autofree char *path = fresh_path ();

  import (path, &(ExampleOptions){ 0 }, fill_source, "a");
  import (path, &(ExampleOptions){ .add = TRUE }, fill_source, "b");
  import (path, &(ExampleOptions){ 0 }, fill_source, "c");
  assert_query (path, "SELECT run, source, args FROM event ORDER BY id",
                "1|1|{\"a\":0}\n1|1|{\"a\":1}\n1|1|{\"a\":2}\n1|2|{\"b\":0}\n1|2|{\"b\":1}\n1|2|{\"b\":2}\n"
                "2|3|{\"c\":0}\n2|3|{\"c\":1}\n2|3|{\"c\":2}\n");

  /* In place of the last and of the first source of a run: nothing of theirs stays, nothing else goes. */
  import (path, &(ExampleOptions){ .add = TRUE, .remove = 3 }, fill_source, "d");
  assert_query (path, "SELECT args FROM event WHERE run = 2", "{\"d\":0}\n{\"d\":1}\n{\"d\":2}\n");
  assert_query (path, "SELECT count (*), sum (json LIKE '%\"c\"%') FROM " ALL_ARGS, "12|0\n");
  import (path, &(ExampleOptions){ .add = TRUE }, fill_source, "e");
  import (path, &(ExampleOptions){ .add = TRUE, .remove = 3 }, fill_source, "f");
  assert_query (path, "SELECT args FROM event WHERE run = 2 ORDER BY id",
                "{\"e\":0}\n{\"e\":1}\n{\"e\":2}\n{\"f\":0}\n{\"f\":1}\n{\"f\":2}\n");
  assert_query (path, "SELECT count (*), sum (json LIKE '%\"d\"%') FROM " ALL_ARGS, "16|0\n");
  assert_query (path, "SELECT max (n) FROM (SELECT count (*) AS n FROM " ALL_ARGS " GROUP BY json)", "4\n");
}

/* -- those that look alike ---------------------------------------------------------------------------------- */

#define FORMS 3000u

static void
fill_forms (TtSink *sink, gpointer data)
{
  Writer self = begin (sink, data);

  for (guint i = 0; i < FORMS; i++)
    switch (i % 5)
      {
      case 0:
        span (&self, args (&self, "{\"stream\":%u,\"bytes\":%" G_GINT64_FORMAT "}", i % 7, (gint64) i << i % 45));
        break;
      case 1:
        span (&self, args (&self, "{\"at\":\"0x%" G_GINT64_MODIFIER "x\",\"left\":-%u}", (guint64) i << i % 60, i));
        break;
      case 2:
        span (&self, args (&self, "{\"scope\":\"g\"}"));
        break;
      case 3:
        span (&self, args (&self, "{\"only\":\"w%uw\"}", i));
        break;
      default:
        span (&self, 0);
      }
  end (&self, data);
}

/* Of pages, whether an import wrote the rows as such or by statements; what they do not have is none of theirs. */
static void
assert_pages (const char *path)
{
  g_autoptr (TtStore) store = open_store (path);
  g_autofree char *texts = example_query (store, "SELECT e.args, v.args FROM event_row e JOIN event v ON v.id = e.id"
                                                 " WHERE e.args IS NOT NULL ORDER BY e.id");
  g_auto (GStrv) lines = g_strsplit (texts, "\n", -1);
  g_autoptr (TtArgsPages) pages = tt_args_pages_new (store);
  guint n = 0;

  g_assert_nonnull (pages);
  for (; lines[n] != NULL && *lines[n] != '\0' && pages != NULL; n++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      const char *bar = strchr (lines[n], '|');
      g_assert_true (tt_args_pages_get (pages, g_ascii_strtoull (lines[n], NULL, 10), text));
      g_assert_cmpstr (text->str, ==, bar + 1);
    }
  g_assert_cmpuint (n, >=, 2 * FORMS * 4 / 5);
}

static void
test_forms (void)
{
  g_autofree char *path = fresh_path ();

  import (path, &(ExampleOptions){ 0 }, fill_forms, "a");
  import (path, &(ExampleOptions){ .add = TRUE }, fill_forms, "b");
  /* Each form stays a text once, and each text of which there is one. */
  assert_query (path, "SELECT count (*) FROM args_form_row", "3\n");
  assert_query (path, "SELECT count (*) FROM args_row", "1203\n");
  assert_query (path, "SELECT count (*), count (DISTINCT form) FROM args_filled_row", "3597|3\n");
  assert_query (path,
                "SELECT count (*) FROM event WHERE (id - 1) % 3000 % 5 = 2 AND args = '{\"scope\":\"g\"}' OR (id - 1) "
                "% 3000 % 5 = 0"
                " AND args = printf ('{\"stream\":%d,\"bytes\":%d}', (id - 1) % 3000 % 7, ((id - 1) % 3000) << ((id - "
                "1) % 3000 % 45))",
                "2400\n");
  g_autoptr (GPtrArray) got = scanned (path, TT_SCAN_ARGS), back = scanned (path, TT_SCAN_ARGS | TT_SCAN_REVERSE);
  assert_equal (got, back);
  g_assert_cmpstr (got->pdata[FORMS + 1], ==, "{\"at\":\"0x2\",\"left\":-1}");
  assert_pages (path);
}

/* -- forms that are told ------------------------------------------------------------------------------------ */

#define TOLD 20000u

typedef struct
{
  gboolean in_numbers; /* else all are texts */
} Telling;

/* A form with two numbers: as such, or as the text that it makes. */
static guint64
told (Writer *self, const Telling *telling, const char *format, gint64 first, gint64 second)
{
  g_autoptr (GString) json = g_string_new (NULL);

  g_assert_true (tt_args_fill (format, strlen (format), (const gint64[]){ first, second }, 2, json));
  if (!telling->in_numbers)
    return tt_sink_args (self->sink, json->str, json->len);
  g_assert_true (tt_sink_takes_forms (self->sink));
  return tt_sink_filled_args (self->sink, tt_sink_args_form (self->sink, format, 2), (const gint64[]){ first, second },
                              json->len);
}

static void
fill_told (TtSink *sink, gpointer data)
{
  const Telling *telling = data;
  Writer self = begin (sink, "told");
  guint64 last = 0;

  for (guint i = 0; i < TOLD; i++)
    switch (i % 8)
      {
      case 0:
        last = told (&self, telling, "{\"queue\":\"0x%x\",\"bytes\":%d}", (gint64) ((guint64) i << i % 60),
                     TT_ARGS_FORM_DECIMAL_END - 1 - i);
        span (&self, last);
        break;
      case 1: /* As a text it has one number more, and a word with digits. */
        span (&self, told (&self, telling, "{\"n\":12,\"u32\":%d,\"to\":\"0x%x\",\"full\":\"7%%\"}", i, i % 3));
        break;
      case 2:
        span (&self, told (&self, telling,
                           "{\"once\":\"0x%x\",\"long\":%d,"
                           "\"text\":\"some words that make the text longer than its numbers\"}",
                           -1, i));
        break;
      case 3: /* Within a batch, or in the table. */
        last = told (&self, telling, "{\"a\":%d,\"b\":%d}", i, 1);
        if (i % 1000 == 3)
          tt_sink_flush (sink);
        tt_sink_args_merge (sink, last, told (&self, telling, "{\"c\":%d,\"b\":%d}", i, 2));
        span (&self, last);
        break;
      case 4:
        span (&self, args (&self, "{\"a\":%u,\"b\":%u}", i, i));
        break;
      case 5:
        tt_sink_args_drop (sink, told (&self, telling, "{\"a\":%d,\"b\":%d}", i, 3));
        break;
      default:
        span (&self, 0);
      }
  span (&self, told (&self, telling, "{\"only one\":%d,\"x\":%d}", 1, 2));
  end (&self, "told");
}

/* Numbers that are told leave what texts leave: forms, rows, and batches. */
static void
test_told_forms (void)
{
  static const char *const questions[] = {
    "SELECT * FROM args_form_row",   "SELECT * FROM args_filled_row", "SELECT * FROM args_row",
    "SELECT * FROM event_block_row", "SELECT id, args FROM event",    "SELECT repairs, n_args FROM source_row",
  };
  const Telling texts = { FALSE }, numbers = { TRUE };
  g_autofree char *first = fresh_path (), *second = fresh_path ();

  import (first, &(ExampleOptions){ 0 }, fill_told, &texts);
  import (second, &(ExampleOptions){ .threaded = TRUE }, fill_told, &numbers);
  g_autoptr (TtStore) store = open_store (first);
  for (guint i = 0; i < G_N_ELEMENTS (questions); i++)
    {
      g_autofree char *expected = example_query (store, questions[i]);
      assert_query (second, questions[i], expected);
    }
  assert_query (second, "SELECT count (*) > 2 * 8192 FROM event", "1\n");
  assert_query (second, "SELECT count (*) FROM event WHERE args LIKE '{\"n\":12,\"u32\":%,\"full\":\"7%\"}'", "2500\n");
  assert_query (second, "SELECT args FROM event WHERE id = 1", "{\"queue\":\"0x0\",\"bytes\":999999999999999999}\n");
}

/* -- flows ---------------------------------------------------------------------------------------------------- */

static guint64
span_with_owner (Writer *self, guint32 owner)
{
  guint64 event = span (self, 0);

  tt_sink_owner (self->sink, owner, event);
  return event;
}

static void
add_point (TtSink *sink, guint64 key, const char *kind, TtFlowPhase phase, gint64 ts_ns, guint32 owner)
{
  const TtSinkFlowPoint point = {
    .key = key, .kind = tt_flow_kind (kind), .phase = phase, .owner = owner, .ts_ns = ts_ns
  };

  tt_sink_flow_point (sink, &point);
}

static void
fill_flows (TtSink *sink, gpointer data)
{
  Writer self = begin (sink, data != NULL ? data : "flows");
  guint32 owners[5];

  for (guint i = 0; i < 5; i++)
    owners[i] = tt_sink_new_owner (sink);
  add_point (sink, 9, "ac2g", TT_FLOW_END, 33, owners[2]);
  add_point (sink, 9, "ac2g", TT_FLOW_START, 11, owners[0]);
  add_point (sink, 8, "fwdbwd", TT_FLOW_START, 12, owners[0]);
  add_point (sink, 8, "fwdbwd", TT_FLOW_STEP, 23, owners[1]);
  add_point (sink, 8, "fwdbwd", TT_FLOW_END, 24, owners[3]);
  add_point (sink, 7, "lost", TT_FLOW_START, 25, 0);
  add_point (sink, 7, "lost", TT_FLOW_END, 26, owners[3]);
  add_point (sink, 6, "lost", TT_FLOW_START, 26, owners[4]); /* whose span never comes */
  add_point (sink, 5, "lost", TT_FLOW_START, 26, owners[0]);
  for (guint i = 0; i < 4; i++)
    span_with_owner (&self, owners[i]);
  tt_sink_flow (sink, sink->next_event - 2, sink->next_event - 1, tt_flow_kind ("given"));
  tt_sink_repair (sink, TT_REPAIR_NO_CLOSE, 480);
  end (&self, data != NULL ? data : "flows");
}

static gboolean
append_flow (const TtFlow *flow, gpointer data)
{
  g_string_append_printf (data, "%d>%d %s %d %d\n", (int) flow->from_event, (int) flow->to_event, flow->kind,
                          flow->from_ns == TT_NO_TIME ? -1 : (int) flow->from_ns,
                          flow->to_ns == TT_NO_TIME ? -1 : (int) flow->to_ns);
  return TRUE;
}

static void
test_flows (void)
{
  g_autofree char *path = fresh_path ();
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  TtStoreCounts counts;

  import (path, &(ExampleOptions){ .threaded = TRUE }, fill_flows, NULL);
  assert_query (path, "SELECT * FROM flow", "3|4|given|1\n1|2|fwdbwd|1\n2|4|fwdbwd|1\n1|3|ac2g|1\n");
  assert_query (path, "SELECT repairs FROM source",
                "{\"no_close\":{\"count\":1,\"first_offset\":480},\"flow_without_span\":{\"count\":2},"
                "\"flow_unpaired\":{\"count\":2}}\n");
  g_autoptr (TtStore) store = open_store (path);
  g_assert_true (tt_store_each_flow (store, append_flow, text, &error));
  g_assert_cmpstr (text->str, ==, "3>4 given -1 -1\n1>2 fwdbwd 12 23\n2>4 fwdbwd 23 24\n1>3 ac2g 11 33\n");
  g_assert_true (tt_store_counts (store, &counts, &error));
  g_assert_cmpuint (counts.n_flows, ==, 4);
  g_assert_cmpuint (counts.n_args, ==, 0);
}

static void
test_flows_of_sources (void)
{
  g_autofree char *path = fresh_path ();

  import (path, &(ExampleOptions){ 0 }, fill_flows, "a");
  import (path, &(ExampleOptions){ .add = TRUE }, fill_flows, "b");
  import (path, &(ExampleOptions){ .add = TRUE, .remove = 1 }, fill_flows, "c");
  assert_query (path, "SELECT from_event, to_event, kind FROM flow ORDER BY rowid",
                "7|8|given\n5|6|fwdbwd\n6|8|fwdbwd\n5|7|ac2g\n11|12|given\n9|10|fwdbwd\n10|12|fwdbwd\n9|11|ac2g\n");
  assert_query (path, "SELECT count (*), min (repairs = (SELECT repairs FROM source WHERE id = 2)) FROM source",
                "2|1\n");
}

/* -- activity ------------------------------------------------------------------------------------------ */

static guint64
span_with_activity (Writer *self, guint32 owner, const TtActivity *activity)
{
  guint64 event = span_with_owner (self, owner);

  if (activity->role != TT_ACTIVITY_NONE)
    tt_sink_activity (self->sink, tt_sink_hold_activity (self->sink, activity), event);
  return event;
}

static void
fill_activity (TtSink *sink, gpointer data)
{
  static const TtFlowKind launch = { "go", TT_LINK_LAUNCH, FALSE }, autograd = { "back", TT_LINK_AUTOGRAD, FALSE };
  Writer self = begin (sink, "activity");
  const TtActivity none = { 0 }, call = { .role = TT_ACTIVITY_COPY_CALL, .blocks = TRUE, .correlation = 7 };
  const TtActivity kernel = { .role = TT_ACTIVITY_KERNEL, .queue = 1, .correlation = G_MAXINT64 };
  const TtActivity mark = {
    .role = TT_ACTIVITY_QUEUE_AWAITS, .queue = 1, .waits_on = 1, .correlation = 8, .waits_for = 9
  };
  guint32 owners[6];

  for (guint i = 0; i < 6; i++)
    owners[i] = tt_sink_new_owner (sink);
  /* What is held but belongs to no event leaves its place to the next. */
  guint32 dropped = tt_sink_hold_activity (sink, &kernel);
  tt_sink_activity (sink, dropped, 0);
  g_assert_cmpuint (tt_sink_hold_activity (sink, &mark), ==, dropped);
  tt_sink_activity (sink, dropped, span_with_activity (&self, owners[0], &none));
  guint64 first = span_with_activity (&self, owners[1], &call), second = span_with_activity (&self, owners[2], &none);
  guint64 work = span_with_activity (&self, owners[3], &kernel);
  guint64 backward = span_with_activity (&self, owners[4], &none);
  /* The first launch counts; what leads to a span without a role is a row for autograd only. */
  tt_sink_flow (sink, first, work, &launch);
  tt_sink_flow (sink, second, work, &launch);
  tt_sink_flow (sink, first, backward, &launch);
  tt_sink_flow (sink, second, backward, &autograd);
  tt_sink_flow (sink, first, backward, &autograd);
  tt_sink_flow (sink, first, work, tt_flow_kind ("plain"));
  end (&self, "activity");
}

static gboolean
append_activity (const TtActivityRow *row, gpointer data)
{
  g_string_append_printf (data, "%d %s<%d queue %u\n", (int) row->event, tt_activity_role_text (row->what.role),
                          (int) row->launch, row->what.queue);
  return TRUE;
}

static gboolean
append_link (const TtFlow *flow, gpointer data)
{
  g_string_append_printf (data, "%d>%d %s %u\n", (int) flow->from_event, (int) flow->to_event, flow->kind, flow->link);
  return TRUE;
}

static void
test_activity (void)
{
  g_autofree char *path = fresh_path ();
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  import (path, &(ExampleOptions){ .threaded = TRUE }, fill_activity, NULL);
  assert_query (path, "SELECT * FROM activity",
                "1|queue_awaits|-|1|8|9|1|0|1\n2|copy_call|-|-|7|-|-|1|1\n4|kernel|2|1|9223372036854775807|-|-|0|1\n"
                "5|backward|3|-|-|-|-|0|1\n5|backward|2|-|-|-|-|0|1\n");
  assert_query (path, "SELECT count (*), sum (kind = 'go') FROM flow", "6|3\n");
  g_autoptr (TtStore) store = open_store (path);
  g_assert_true (tt_store_each_activity (store, append_activity, text, &error));
  g_assert_cmpstr (text->str, ==,
                   "1 queue_awaits<0 queue 1\n2 copy_call<0 queue 0\n4 kernel<2 queue 1\n"
                   "5 backward<3 queue 0\n5 backward<2 queue 0\n");
  g_string_truncate (text, 0);
  g_assert_true (tt_store_each_link (store, 1u << TT_LINK_AUTOGRAD, append_link, text, &error));
  g_assert_cmpstr (text->str, ==, "3>5 back 2\n2>5 back 2\n");
}

/* Points and rows of more than a batch. */
static void
fill_many_flows (TtSink *sink, gpointer data)
{
  Writer self = begin (sink, "flows");

  for (guint i = 0; i < MANY; i++)
    {
      guint32 owner = tt_sink_new_owner (sink);

      add_point (sink, i % 1000, "k", i < 1000 ? TT_FLOW_START : TT_FLOW_STEP, self.ts_ns + 11, owner);
      span_with_owner (&self, owner);
    }
  end (&self, "flows");
}

static void
test_many_flows (void)
{
  g_autofree char *path = fresh_path ();

  import (path, &(ExampleOptions){ .threaded = TRUE }, fill_many_flows, NULL);
  assert_query (path,
                "SELECT count (*), count (DISTINCT from_event), min (to_event - from_event),"
                " max (to_event - from_event) FROM flow",
                "29000|29000|1000|1000\n");
  assert_query (path, "SELECT repairs FROM source", "-\n");
}

/* -- definitions that come late --------------------------------------------------------------------------------- */

static void
fill_labels (TtSink *sink, gpointer data)
{
  Writer self = begin (sink, "labels");
  guint32 process = tt_sink_process (sink, "q", "old", NULL, 3);
  guint32 thread = tt_sink_thread (sink, process, "1", "old", 5);

  span (&self, 0);
  tt_sink_label_process (sink, tt_sink_process (sink, "p", NULL, NULL, -1), "first", 7);
  tt_sink_flush (sink);
  tt_sink_label_thread (sink, self.thread, "main", -1);
  tt_sink_label_process (sink, process, NULL, 4);
  tt_sink_label_thread (sink, thread, NULL, 9);
  tt_sink_parameter (sink, 2, "dense/bias", "1024", "float32", 5, "gradient_name_list.json");
  tt_sink_parameter (sink, 1, "dense/kernel", NULL, NULL, -1, NULL);
  end (&self, "labels");
}

static void
test_labels (void)
{
  g_autofree char *path = fresh_path ();

  import (path, &(ExampleOptions){ .threaded = TRUE }, fill_labels, NULL);
  assert_query (path, "SELECT pid, label, rank FROM process", "p|first|7\nq|old|4\n");
  assert_query (path, "SELECT tid, label, (SELECT position FROM thread_row r WHERE r.id = thread.id) FROM thread",
                "t|main|0\n1|old|9\n");
  assert_query (path, "SELECT * FROM parameter",
                "2|dense/bias|1024|float32|5|gradient_name_list.json|1\n1|dense/kernel|-|-|-|-|1\n");
  import (path, &(ExampleOptions){ .add = TRUE, .remove = 1 }, fill_labels, NULL);
  g_autoptr (TtStore) store = open_store (path);
  TtStoreCounts counts;
  g_assert_true (tt_store_counts (store, &counts, NULL));
  g_assert_cmpuint (counts.n_parameters, ==, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  directory = g_dir_make_tmp ("tracetool-args-XXXXXX", NULL);
  g_test_add_func ("/store-args/many", test_many);
  g_test_add_func ("/store-args/long", test_long);
  g_test_add_func ("/store-args/too-long", test_too_long);
  g_test_add_func ("/store-args/merges", test_merges);
  g_test_add_func ("/store-args/pairs", test_pairs);
  g_test_add_func ("/store-args/sources", test_sources);
  g_test_add_func ("/store-args/forms", test_forms);
  g_test_add_func ("/store-args/told-forms", test_told_forms);
  g_test_add_func ("/store-args/flows", test_flows);
  g_test_add_func ("/store-args/flows-of-sources", test_flows_of_sources);
  g_test_add_func ("/store-args/many-flows", test_many_flows);
  g_test_add_func ("/store-args/activity", test_activity);
  g_test_add_func ("/store-args/labels", test_labels);
  int status = g_test_run ();

  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  for (const char *name; dir != NULL && (name = g_dir_read_name (dir)) != NULL;)
    {
      g_autofree char *file = g_build_filename (directory, name, NULL);
      g_unlink (file);
    }
  g_rmdir (directory);
  g_free (directory);
  return status;
}
