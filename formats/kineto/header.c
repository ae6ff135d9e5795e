/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/kineto/header.h"

#include <string.h>

#include "formats/kineto/kineto.h"
#include "formats/trace-event/rows.h"

#define MAX_FACT_BYTES ((gsize) 256 << 10)

static void
add_devices (TtTraceEventImport *import, const TtJsonValue *devices)
{
  const char *cursor = NULL;
  TtJsonValue device;
  guint n = 0;

  while (n++ < 1024 && tt_json_item (devices->raw, &cursor, &device))
    if (device.kind == TT_JSON_OBJECT)
      {
        gint64 id;
        g_autofree char *text = tt_kineto_device_text (device.raw, &id);
        g_autofree char *key = g_strdup_printf ("device %" G_GINT64_FORMAT, id);

        tt_trace_event_add_fact (import, key, text);
      }
}

/* Member by member, because the process groups of a large job are long. */
static void
add_job (TtTraceEventImport *import, const TtJsonValue *job)
{
  const char *cursor = NULL;
  TtJsonValue key, value;
  gint64 rank;

  while (tt_json_member (job->raw, &cursor, &key, &value))
    {
      g_autofree char *name = g_strdup (tt_trace_event_text (import, &key));
      g_autofree char *path = g_strconcat ("distributedInfo/", name, NULL);

      if (value.raw.len > MAX_FACT_BYTES)
        tt_sink_repair (import->sink, TT_REPAIR_LONG_HEADER, value.offset);
      else
        tt_trace_event_add_fact (import, path, tt_trace_event_text (import, &value));
      if (import->rank < 0 && strcmp (name, "rank") == 0 && tt_json_int64 (&value, &rank) && rank >= 0)
        import->rank = rank;
    }
}

void
tt_kineto_header (TtTraceEventImport *import, const TtJsonValue *key, const TtJsonValue *value)
{
  if (TT_JSON_KEY_IS (*key, "deviceProperties") && value->kind == TT_JSON_ARRAY)
    add_devices (import, value);
  else if (TT_JSON_KEY_IS (*key, "distributedInfo") && value->kind == TT_JSON_OBJECT)
    add_job (import, value);
  else
    tt_trace_event_add_header (import, key, value, NULL);
}
