/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/probe.h"

#include "formats/trace-event/reader.h"

#include <string.h>

#define LOOK_AHEAD ((gsize) 1 << 20)

/* Behind the blanks and the byte order mark. */
static char
first_byte (const TtProbe *file)
{
  gsize i = file->len >= 3 && memcmp (file->head, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

  while (i < file->len && (g_ascii_isspace (file->head[i]) || file->head[i] == '\0'))
    i++;
  return i < file->len ? (char) file->head[i] : '\0';
}

static gboolean
is_trace_event (const TtTraceEvent *event)
{
  gboolean has_lane = (event->has & (TT_EVENT_HAS_PID | TT_EVENT_HAS_TID)) != 0;
  gboolean has_name = event->name.kind != TT_JSON_NONE;

  return g_ascii_isgraph (event->ph) && event->ph != '?' &&
         (event->ph == 'M' ? has_name : (event->has & TT_EVENT_HAS_TS) != 0) && (has_lane || has_name);
}

guint
tt_trace_event_probe (const TtProbe *file)
{
  char first = first_byte (file);
  TtTraceEvent event = { .ph = 0 };

  if (first != '[' && first != '{')
    return 0;
  g_autoptr (TtTraceEventReader) reader = tt_trace_event_reader_new_head (file->path, LOOK_AHEAD, NULL);
  if (reader == NULL)
    return 0;
  if (tt_trace_event_reader_next (reader, &event, NULL))
    return is_trace_event (&event) ? 80 : 0;
  return tt_trace_event_reader_is_trace (reader) ? 60 : 0;
}

guint
tt_trace_event_probe_forced (const TtProbe *file)
{
  return MIN (tt_trace_event_probe (file), 1);
}
