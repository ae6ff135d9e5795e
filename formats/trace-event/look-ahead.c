/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/look-ahead.h"

#include "formats/trace-event/reader.h"
#include "formats/trace-event/span-order.h"

#include <string.h>

#define EVENTS_A_CHECK 1000000u

static void
on_header (const TtJsonValue *key, const TtJsonValue *value, gpointer data)
{
  tt_span_order_take_header (data, key, value);
}

/* @max: bytes of events that are looked at; of fewer than all it is only known what is against it. */
static gboolean
is_in_order (const char *path, gsize max)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TtSpanOrder) order = tt_span_order_new ();
  g_autoptr (TtTraceEventReader) reader = tt_trace_event_reader_new_head (path, max, NULL);
  TtTraceEvent event = { .ph = 0 };
  guint64 n = 0;

  if (reader == NULL || tt_input_is_compressed (tt_trace_event_reader_input (reader)))
    return FALSE;
  tt_trace_event_reader_on_header (reader, on_header, order);
  while (tt_trace_event_reader_next (reader, &event, &error))
    {
      if (!tt_span_order_take (order, &event))
        return FALSE;
      if (++n % EVENTS_A_CHECK == 0 && tt_cancelled (NULL))
        return FALSE;
    }
  return error == NULL && (tt_span_order_end (order) || max < G_MAXSIZE);
}

gboolean
tt_trace_event_is_in_order (const char *path)
{
  return strcmp (path, "-") != 0 && is_in_order (path, G_MAXSIZE);
}

gboolean
tt_trace_event_begins_in_order (const char *path)
{
  return strcmp (path, "-") != 0 && is_in_order (path, TT_LOOK_AHEAD_BYTES);
}
