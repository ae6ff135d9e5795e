/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/look-ahead.h"

#include "formats/trace-event/ids.h"
#include "formats/trace-event/reader.h"

#include <string.h>

#define EVENTS_A_CHECK 1000000u
/* As many as arrange trusts: those of a file with more are sorted. */
#define MAX_THREADS 4096u

/* The last span of a thread. */
typedef struct
{
  gint64 ts_ns, dur_ns;
} Last;

typedef struct
{
  TtByteIds *threads; /* pid, tid -> number + 1 */
  GArray *last;       /* of Last */
} LookAhead;

/* Only texts that differ if their bytes do: else two of them might be one thread. */
static gboolean
is_plain (const TtJsonValue *id)
{
  return (id->kind == TT_JSON_NUMBER || (id->kind == TT_JSON_STRING && !id->has_escapes)) &&
         g_utf8_validate_len (id->raw.bytes, id->raw.len, NULL);
}

static gboolean
is_span_in_order (LookAhead *self, const TtTraceEvent *event)
{
  const TtByteKey key = { .a = event->pid.raw, .b = event->tid.raw };
  const guint32 needed = TT_EVENT_HAS_TS | TT_EVENT_HAS_DUR | TT_EVENT_HAS_PID | TT_EVENT_HAS_TID;
  guint64 hash;

  if ((event->has & needed) != needed || event->dur_ns < 0 || event->tid.raw.len == 0)
    return FALSE;
  guint32 number = tt_byte_ids_find (self->threads, &key, &hash);
  if (G_UNLIKELY (number == 0))
    {
      const Last first = { event->ts_ns, event->dur_ns };
      if (self->last->len == MAX_THREADS || !is_plain (&event->pid) || !is_plain (&event->tid))
        return FALSE;
      g_array_append_val (self->last, first);
      tt_byte_ids_set (self->threads, &key, hash, self->last->len);
      return TRUE;
    }
  Last *last = &g_array_index (self->last, Last, number - 1);
  if (event->ts_ns < last->ts_ns || (event->ts_ns == last->ts_ns && event->dur_ns > last->dur_ns))
    return FALSE;
  *last = (Last){ event->ts_ns, event->dur_ns };
  return TRUE;
}

/* Samples come when the spans are over. */
static void
on_header (const TtJsonValue *key, const TtJsonValue *value, gpointer data)
{
  gboolean *has_samples = data;

  *has_samples |= TT_JSON_KEY_IS (*key, "samples") && value->kind == TT_JSON_ARRAY && value->raw.len != 2;
}

static gboolean
read_all (LookAhead *self, TtTraceEventReader *reader)
{
  g_autoptr (GError) error = NULL;
  TtTraceEvent event;
  guint64 n = 0, n_spans = 0;
  gboolean has_samples = FALSE;

  tt_trace_event_reader_on_header (reader, on_header, &has_samples);
  while (tt_trace_event_reader_next (reader, &event, &error))
    {
      if (G_LIKELY (event.ph == 'X'))
        {
          if (!is_span_in_order (self, &event))
            return FALSE;
          n_spans++;
        }
      else if (event.ph != 'M' && event.ph != 'C')
        return FALSE;
      if (++n % EVENTS_A_CHECK == 0 && tt_cancelled (NULL))
        return FALSE;
    }
  return error == NULL && n_spans > 0 && !has_samples;
}

gboolean
tt_trace_event_is_in_order (const char *path)
{
  if (strcmp (path, "-") == 0)
    return FALSE;
  g_autoptr (TtTraceEventReader) reader = tt_trace_event_reader_new_head (path, G_MAXSIZE, NULL);
  if (reader == NULL || tt_input_is_compressed (tt_trace_event_reader_input (reader)))
    return FALSE;

  LookAhead self = { .threads = tt_byte_ids_new (0), .last = g_array_new (FALSE, FALSE, sizeof (Last)) };
  gboolean is_in_order = read_all (&self, reader);
  tt_byte_ids_free (self.threads);
  g_array_unref (self.last);
  return is_in_order;
}
