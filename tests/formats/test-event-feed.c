/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/feed.h"

#include <glib/gstdio.h>
#include <string.h>

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

static GString *
by_feed (const File *file, gboolean strict)
{
  g_autoptr (TtSink) sink = sink_of (file->path);
  g_autoptr (GError) error = NULL;
  g_autoptr (TtTraceEventFeed) feed = tt_trace_event_feed_new (file->path, sink, strict, &error);
  GString *all = g_string_new (NULL);
  const TtTraceEvent *event;

  g_assert_no_error (error);
  tt_trace_event_feed_on_header (feed, note_header, all);
  while ((event = tt_trace_event_feed_next (feed, &error)) != NULL)
    note_event (all, event);
  g_assert_null (tt_trace_event_feed_next (feed, NULL));
  note_end (all, error, sink);
  if (error == NULL)
    g_assert_cmpuint (tt_input_offset (tt_trace_event_feed_input (feed)), ==, file->text->len);
  return all;
}

/* @must: a line of the answer begins so; NULL: any answer. */
static void
compare (File *file, const char *must)
{
  file_write (file);
  for (int strict = 0; strict < 2; strict++)
    {
      GString *reader = by_reader (file, strict), *feed = by_feed (file, strict);

      g_assert_true (must == NULL || strict || strstr (reader->str, must) != NULL);
      g_assert_cmpuint (reader->len, ==, feed->len);
      g_assert_cmpmem (reader->str, reader->len, feed->str, feed->len);
      g_string_free (reader, TRUE);
      g_string_free (feed, TRUE);
    }
}

static void
add_event (GString *text, guint i, guint args_len)
{
  g_string_append_printf (
      text,
      "{\"ph\":\"X\",\"name\":\"o\\u0070 %u\",\"cat\":\"c\",\"pid\":%u,\"tid\":\"t\",\"ts\":%u.%03u,\"dur\":2,"
      "\"id\":%u,\"args\":{\"a\":\"",
      i, i % 7, i, i % 1000, i);
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
  g_test_add_func ("/event-feed/early-end", test_early_end);
  return g_test_run ();
}
