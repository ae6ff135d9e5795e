/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/feed.h"

#include <glib/gstdio.h>
#include <string.h>

#include "tests/rounds.h"

/* What is read ahead is what a reader finds: the same events, members between them, repairs and errors. */

typedef struct
{
  char *folder, *path;
  GString *text;
} File;

static void
file_init (File *self)
{
  g_autoptr (GError) error = NULL;

  self->folder = g_dir_make_tmp ("feed-XXXXXX", &error);
  g_assert_no_error (error);
  self->path = g_build_filename (self->folder, "trace.json", NULL);
  self->text = g_string_new (NULL);
}

static void
file_clear (File *self)
{
  g_unlink (self->path);
  g_rmdir (self->folder);
  g_free (self->path);
  g_free (self->folder);
  g_string_free (self->text, TRUE);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (File, file_clear)

static void
file_write (File *self)
{
  g_autoptr (GError) error = NULL;

  g_file_set_contents (self->path, self->text->str, (gssize) self->text->len, &error);
  g_assert_no_error (error);
}

/* Everything that was given, as text. */
static void
note_slice (GString *to, const char *what, const TtJsonValue *value)
{
  g_string_append_printf (to, " %s=%d/%d@%" G_GUINT64_FORMAT ":", what, value->kind, value->has_escapes, value->offset);
  if (value->raw.bytes != NULL)
    g_string_append_len (to, value->raw.bytes, (gssize) value->raw.len);
}

static void
note_event (GString *to, const TtTraceEvent *event)
{
  g_string_append_printf (to, "%c %x %" G_GINT64_FORMAT "+%" G_GINT64_FORMAT " @%" G_GUINT64_FORMAT, event->ph,
                          event->has, event->ts_ns, event->dur_ns, event->offset);
  note_slice (to, "name", &event->name);
  note_slice (to, "cat", &event->cat);
  note_slice (to, "pid", &event->pid);
  note_slice (to, "tid", &event->tid);
  note_slice (to, "id", &event->id);
  note_slice (to, "scope", &event->scope);
  note_slice (to, "args", &event->args);
  note_slice (to, "id2", &event->id2);
  g_string_append_c (to, ' ');
  g_string_append_len (to, event->record.bytes, (gssize) event->record.len);
  g_string_append_c (to, '\n');
}

static void
note_header (const TtJsonValue *key, const TtJsonValue *value, gpointer data)
{
  g_string_append (data, "header");
  note_slice (data, "key", key);
  note_slice (data, "value", value);
  g_string_append_c (data, '\n');
}

static void
note_end (GString *to, const GError *error, const TtSink *sink)
{
  g_autofree char *repairs = tt_repairs_to_json (&sink->repairs);

  g_string_append_printf (to, "end %s %s\n", error != NULL ? error->message : "", repairs != NULL ? repairs : "");
}

static TtSink *
sink_of (const char *path)
{
  TtSink *sink = tt_sink_new (tt_null_back_new (), NULL);

  tt_sink_begin_source (sink, "test", path, TT_CLOCK_RELATIVE);
  return sink;
}

static GString *
by_reader (const File *file, gboolean strict)
{
  g_autoptr (TtSink) sink = sink_of (file->path);
  g_autoptr (GError) error = NULL;
  g_autoptr (TtTraceEventReader) reader = tt_trace_event_reader_new (file->path, sink, strict, &error);
  GString *all = g_string_new (NULL);
  TtTraceEvent event = { .ph = 0 };

  g_assert_no_error (error);
  tt_trace_event_reader_on_header (reader, note_header, all);
  while (tt_trace_event_reader_next (reader, &event, &error))
    note_event (all, &event);
  note_end (all, error, sink);
  return all;
}

/* Numbers stand for the same bytes always: what each was first. */
static void
check_number (GHashTable *known, guint32 number, const TtJsonValue *a, const TtJsonValue *b)
{
  g_autofree char *text = g_strdup_printf ("%.*s\n%.*s", (int) a->raw.len, a->raw.bytes != NULL ? a->raw.bytes : "",
                                           (int) b->raw.len, b->raw.bytes != NULL ? b->raw.bytes : "");
  const char *before = g_hash_table_lookup (known, GUINT_TO_POINTER (number));

  if (number == 0)
    return;
  g_assert_true (before == NULL || strcmp (before, text) == 0);
  if (before == NULL)
    g_hash_table_insert (known, GUINT_TO_POINTER (number), g_steal_pointer (&text));
}

/* *@n_parts gets what was read by several. */
static GString *
by_feed (const File *file, gboolean strict, guint n_readers, guint64 *n_parts)
{
  g_autoptr (TtSink) sink = sink_of (file->path);
  g_autoptr (GError) error = NULL;
  g_autoptr (TtTraceEventFeed) feed = tt_trace_event_feed_new (file->path, sink, strict, &error);
  g_autoptr (GHashTable) lanes = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (GHashTable) labels = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  GString *all = g_string_new (NULL);
  const TtTraceEvent *event;

  g_assert_no_error (error);
  tt_trace_event_feed_use_readers (feed, n_readers);
  tt_trace_event_feed_on_header (feed, note_header, all);
  while ((event = tt_trace_event_feed_next (feed, &error)) != NULL)
    {
      note_event (all, event);
      check_number (lanes, event->lane, &event->pid, &event->tid);
      check_number (labels, event->label, &event->name, &event->cat);
    }
  g_assert_null (tt_trace_event_feed_next (feed, NULL));
  note_end (all, error, sink);
  *n_parts += tt_trace_event_feed_n_parts (feed);
  if (error == NULL)
    g_assert_cmpuint (tt_input_offset (tt_trace_event_feed_input (feed)), ==, file->text->len);
  return all;
}

/* @must: a line of the answer begins so; NULL: any answer. Returns how many parts were read by several. */
static guint64
compare (File *file, const char *must)
{
  guint64 n_parts = 0;

  file_write (file);
  for (int strict = 0; strict < 2; strict++)
    {
      GString *reader = by_reader (file, strict);

      g_assert_true (must == NULL || strict || strstr (reader->str, must) != NULL);
      for (guint n = 0; n < 4 - 3u * (guint) strict; n++)
        {
          GString *feed = by_feed (file, strict, n, &n_parts);

          g_assert_cmpuint (reader->len, ==, feed->len);
          g_assert_cmpmem (reader->str, reader->len, feed->str, feed->len);
          g_string_free (feed, TRUE);
        }
      g_string_free (reader, TRUE);
    }
  return n_parts;
}

static void
add_event (GString *text, guint i, guint args_len)
{
  g_string_append_printf (
      text,
      "{\"ph\":\"X\",\"name\":\"%s %u\",\"cat\":\"c\",\"pid\":%u,\"tid\":\"t\",\"ts\":%u.%03u,\"dur\":2,"
      "\"id\":%u,\"args\":{\"a\":\"",
      i % 3 == 0 ? "o\\u0070" : "op", i % 3 == 0 ? i : i % 500, i % 7, i, i % 1000, i);
  for (guint n = 0; n < args_len; n++)
    g_string_append_c (text, (char) ('a' + n % 26));
  g_string_append (text, "\"}}");
}

static void
test_many (void)
{
  g_auto (File) file = { 0 };

  file_init (&file);
  g_string_append_c (file.text, '[');
  for (guint i = 0; i < 20000; i++)
    {
      if (i > 0)
        g_string_append_c (file.text, ',');
      add_event (file.text, i, i % 300);
      if (i % 1111 == 0)
        g_string_append (file.text, ",{},{\"name\":\"no phase\"},7,null");
    }
  g_string_append_c (file.text, ']');
  compare (&file, "\"not_an_event\"");
}

static void
test_headers (void)
{
  g_auto (File) file = { 0 };

  file_init (&file);
  g_string_append (file.text, "{\"first\":1,\"esc\\u0061ped\":{\"b\":[1,2]},\"traceEvents\":[");
  for (guint i = 0; i < 3000; i++)
    {
      if (i > 0)
        g_string_append_c (file.text, ',');
      add_event (file.text, i, 20);
    }
  g_string_append (file.text, "],\"between\":\"x\",\"traceEvents\":[");
  for (guint i = 0; i < 513; i++)
    {
      if (i > 0)
        g_string_append_c (file.text, ',');
      add_event (file.text, i, 1);
    }
  g_string_append_c (file.text, ']');
  for (guint i = 0; i < 30; i++)
    {
      g_string_append_printf (file.text, ",\"long %u\":\"", i);
      for (guint n = 0; n < 500000 + i % 3 * 400000; n++)
        g_string_append_c (file.text, 'z');
      g_string_append_c (file.text, '"');
    }
  g_string_append_c (file.text, '}');
  compare (&file, "header key=3/1@");
}

/* Longer than a batch, so that it grows, and what waits for it. */
static void
test_long_events (void)
{
  static const guint lengths[] = { 10, 300000, 10, 5000000, 3000000, 10, 190000, 10000, 196000, 2000000, 2000000, 5 };
  g_auto (File) file = { 0 };

  file_init (&file);
  g_string_append_c (file.text, '[');
  for (guint i = 0; i < 5 * G_N_ELEMENTS (lengths); i++)
    {
      if (i > 0)
        g_string_append_c (file.text, ',');
      add_event (file.text, i, lengths[i % G_N_ELEMENTS (lengths)]);
    }
  g_string_append_c (file.text, ']');
  compare (&file, "X ");
}

static void
test_damage (void)
{
  static const char *const ends[] = { "",
                                      "]",
                                      "]]",
                                      "garbage",
                                      "{\"ph\":\"X\",\"na",
                                      "{\"ph\":\"X\",\"ts\":1e999,\"pid\":1}]",
                                      "{\"ph\":\"X\",\"ts\":99999999999999999999,\"dur\":1}]",
                                      "{\"ph\"::,]" };

  for (guint which = 0; which < G_N_ELEMENTS (ends); which++)
    for (guint n = 10; n <= 5120; n += 1022)
      {
        g_auto (File) file = { 0 };

        file_init (&file);
        g_string_append_c (file.text, '[');
        for (guint i = 0; i < n; i++)
          {
            add_event (file.text, i, 200);
            g_string_append_c (file.text, ',');
            if (i % 700 == 600)
              g_string_append (file.text, "{\"ph\":\"X\",\"name\":\"bad \\q\",\"ts\":+1,\"ts\":2.0004,}, ,");
          }
        g_string_append (file.text, ends[which]);
        compare (&file, NULL);
      }
}

/* What may stand between two events and ask more of a reader than they do; all of it ends with an event's brace. */
static const char *const odd[] = {
  "{\"ph\":\"X\",\"name\":\"of another shape\",\"ts\":7,\"dur\":1,\"args\":{\"deep\":[{\"a\":[1,{}]}]}}",
  "{\"ph\":\"X\",\"name\":\"in it },{\\\"ph\\\":\\\"X\\\" one\",\"ts\":7,\"dur\":1}",
  "{\"ph\":\"X\",\"name\":\"no text },{\"ph\":\"X\",\"name\":\"but two\",\"ts\":7,\"dur\":1}",
  "{\"ph\":\"X\",\"args\":[{\"ph\":\"X\"},{\"ph\":\"X\",\"ts\":1}],\"name\":\"list\",\"ts\":7,\"dur\":1}",
  "{\"name\":\"begins otherwise\",\"ph\":\"X\",\"ts\":7,\"dur\":1}",
  "{\"ph\":\"X\",\"name\":\"no duration\",\"ts\":7}",
  "{\"ph\":\"X\",\"name\":\"inexact\",\"ts\":7.00049,\"dur\":1e0}",
  "{\"ph\":\"X\",\"name\":\"bad \\q\",\"ts\":+1,\"dur\":2}",
  "{\"ph\":\"X\",\"name\":\"comma\",\"ts\":1,\"dur\":2,}",
  "{\"ph\":\"X\",\"ts\":1,\"ts\":2,\"dur\":2}",
  "{}",
  "{\"name\":\"no phase\"}",
  "7,null,{\"ph\":\"i\",\"ts\":7}",
  "{\"ph\":\"X\",\"name\" broken}",
  " , ,{\"ph\":\"X\",\"name\":\"behind commas\",\"ts\":7,\"dur\":1}",
  "{\"ph\":\"i\"}",
};

/* Records of a file that several threads read: as long as @most_args at most, one of @n_odd odd, @gap between them. */
typedef struct
{
  const char *gap;
  guint n_events, most_args;
  guint every;            /* so many, one is odd; 0: none is */
  const char *second_gap; /* in the second half; NULL: the same */
} Records;

static void
write_records (GString *text, const Records *records)
{
  g_string_append (text, "{\"traceEvents\":[");
  for (guint i = 0; i < records->n_events; i++)
    {
      if (i > 0)
        g_string_append (text,
                         records->second_gap != NULL && i > records->n_events / 2 ? records->second_gap : records->gap);
      if (records->every > 0 && g_test_rand_int_range (0, (gint32) records->every) == 0)
        g_string_append (text, odd[g_test_rand_int_range (0, G_N_ELEMENTS (odd))]);
      else
        add_event (text, i, (guint) g_test_rand_int_range (0, (gint32) records->most_args + 1));
    }
  g_string_append (text, "],\"after\":1}");
}

static void
test_parts (void)
{
  static const Records cases[] = {
    { ",", 18000, 1, 0 },       { ",\n  ", 16000, 300, 0 },  { ",", 18000, 20, 6000 },     { ",\n", 18000, 100, 10000 },
    { " , ", 18000, 30, 5000 }, { ",\n", 8000, 2500, 6000 }, { ",", 20000, 10, 100 },      { ",\r\n", 18000, 0, 15000 },
    { ",", 300, 90000, 0 },     { ",", 18000, 200, 12000 },  { ",\n\n", 18000, 60, 9000 }, { "\n,", 16000, 40, 8000 },
  };
  guint64 n_parts = 0;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i += TT_HAS_SANITIZER ? 3 : 1)
    {
      g_auto (File) file = { 0 };

      file_init (&file);
      write_records (file.text, &cases[i]);
      guint64 n = compare (&file, "X ");
      g_test_message ("case %u: %" G_GUINT64_FORMAT " parts", i, n);
      g_assert_true (n > 0 || cases[i].every != 0 || cases[i].most_args > 10000);
      n_parts += n;
    }
  g_assert_cmpuint (n_parts, >, TT_HAS_SANITIZER ? 50 : 200);
}

/* Whatever bytes a part is damaged at. */
static void
test_damaged_parts (void)
{
  static const Records alike = { ",\n", 14000, 40, 0, NULL }, unlike = { ",\n", 20000, 10, 0, ", " };
  g_auto (File) file = { 0 };

  file_init (&file);
  write_records (file.text, g_test_rand_bit () ? &alike : &unlike);
  g_autofree char *whole = g_strdup (file.text->str);
  for (guint round = 0; round < test_rounds (24); round++)
    {
      gsize at = (gsize) g_test_rand_int_range ((gint32) strlen (whole) / 2, (gint32) strlen (whole));
      static const char bytes[] = "{}[]\",:\\ x0\n";

      g_string_assign (file.text, whole);
      if (round % 3 == 0)
        g_string_erase (file.text, (gssize) at, g_test_rand_int_range (1, 200));
      else if (round % 3 == 1)
        file.text->str[at] = bytes[g_test_rand_int_range (0, (gint32) sizeof bytes - 1)];
      else
        g_string_truncate (file.text, at);
      compare (&file, NULL);
    }
}

/* How records begin is learnt from those that threads read, too: after damage it tells where the next one is. */
static void
test_learnt_head (void)
{
  static const char otherwise[] = "{\"name\":\"begins otherwise\",\"ph\":\"X\",\"ts\":7,\"dur\":1}";
  g_auto (File) file = { 0 };

  file_init (&file);
  g_string_append_c (file.text, '[');
  for (guint i = 0; i < 20000; i++)
    {
      add_event (file.text, i, 10);
      g_string_append_c (file.text, ',');
      if (i == 13000)
        g_string_append_printf (file.text, "%s,", otherwise);
      if (i == 18000)
        g_string_append_printf (file.text, "{\"ph\":\"X\",\"name\" broken},%s,", otherwise);
    }
  add_event (file.text, 0, 0);
  g_string_append_c (file.text, ']');
  g_assert_cmpuint (compare (&file, "X "), >, 0);
}

/* Spans that need sorting end the reading at the same event, whoever reads. */
static guint
n_until_disorder (const File *file, guint n_readers)
{
  g_autoptr (TtSink) sink = sink_of (file->path);
  g_autoptr (GError) error = NULL;
  g_autoptr (TtTraceEventFeed) feed = NULL;
  guint n = 0;

  feed = tt_trace_event_feed_new (file->path, sink, FALSE, &error);
  g_assert_no_error (error);
  tt_trace_event_feed_use_readers (feed, n_readers);
  tt_trace_event_feed_expect_order (feed);
  while (tt_trace_event_feed_next (feed, &error) != NULL)
    n++;
  g_assert_true (tt_trace_event_feed_is_unordered (feed) == (error != NULL));
  return n;
}

static void
test_disorder (void)
{
  for (guint at = 0; at < 24000; at = 2 * at + 5000)
    {
      g_auto (File) file = { 0 };

      file_init (&file);
      g_string_append_c (file.text, '[');
      for (guint i = 0; i < 24000; i++)
        g_string_append_printf (file.text, "%s{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":%u,\"dur\":1}",
                                i > 0 ? "," : "", at > 0 && i == at ? 1 : 10 + i);
      g_string_append_c (file.text, ']');
      file_write (&file);
      g_assert_cmpuint (n_until_disorder (&file, 0), ==, at > 0 ? at : 24000);
      for (guint n = 1; n < 4; n++)
        g_assert_cmpuint (n_until_disorder (&file, n), ==, at > 0 ? at : 24000);
    }
}

/* Whoever has enough goes, whatever is on its way. */
static void
test_early_end (void)
{
  g_auto (File) file = { 0 };

  file_init (&file);
  g_string_append_c (file.text, '[');
  for (guint i = 0; i < 30000; i++)
    {
      if (i > 0)
        g_string_append_c (file.text, ',');
      add_event (file.text, i, i % 5000 == 4999 ? 3000000 : 100);
    }
  g_string_append_c (file.text, ']');
  file_write (&file);
  for (guint stop = 0; stop < 30000; stop = 3 * stop + 1)
    {
      g_autoptr (TtSink) sink = sink_of (file.path);
      g_autoptr (GError) error = NULL;
      g_autoptr (TtTraceEventFeed) feed = tt_trace_event_feed_new (file.path, sink, FALSE, &error);

      g_assert_no_error (error);
      tt_trace_event_feed_use_readers (feed, stop % 4);
      for (guint i = 0; i < stop; i++)
        g_assert_nonnull (tt_trace_event_feed_next (feed, &error));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/event-feed/many", test_many);
  g_test_add_func ("/event-feed/headers", test_headers);
  g_test_add_func ("/event-feed/long-events", test_long_events);
  g_test_add_func ("/event-feed/damage", test_damage);
  g_test_add_func ("/event-feed/parts", test_parts);
  g_test_add_func ("/event-feed/damaged-parts", test_damaged_parts);
  g_test_add_func ("/event-feed/learnt-head", test_learnt_head);
  g_test_add_func ("/event-feed/disorder", test_disorder);
  g_test_add_func ("/event-feed/early-end", test_early_end);
  return g_test_run ();
}
