/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/samples.h"

#define SAMPLES_A_CHECK 4096u

/* The arguments of a sample are those of its members that no event has. */
static void
make_args (const TtJsonValue *record, GString *args)
{
  static const char *const keys[] = { "cpu", "weight" };

  g_string_assign (args, "{");
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      TtJsonValue value = tt_json_get (record->raw, keys[i]);
      if (value.kind != TT_JSON_NUMBER)
        continue;
      g_string_append_printf (args, "%s\"%s\":", args->len > 1 ? "," : "", keys[i]);
      tt_json_clean (value.raw, args);
    }
  g_string_append_c (args, '}');
}

static void
add_sample (TtTraceEventImport *self, const TtJsonValue *record, GString *args)
{
  const TtJsonValue time = tt_json_get (record->raw, "ts");
  TtTraceEvent event = { .ph = 'P', .has = TT_EVENT_HAS_STACK, .offset = record->offset, .record = record->raw };
  TtTraceRecord row = { .step = TT_NO_STEP };
  gboolean is_inexact = FALSE;

  event.name = tt_json_get (record->raw, "name");
  event.tid = tt_json_get (record->raw, "tid");
  if (event.tid.kind == TT_JSON_NUMBER || event.tid.kind == TT_JSON_STRING)
    event.has |= TT_EVENT_HAS_TID;
  if (tt_json_decimal (&time, 3, &event.ts_ns, &is_inexact))
    event.has |= TT_EVENT_HAS_TS;
  if (is_inexact)
    tt_sink_repair (self->sink, TT_REPAIR_INEXACT_TIME, record->offset);
  event.pid = event.tid;
  event.has |= (event.has & TT_EVENT_HAS_TID) != 0 ? TT_EVENT_HAS_PID : 0;
  make_args (record, args);
  event.args = (TtJsonValue){ .kind = TT_JSON_OBJECT, .raw = { args->str, args->len }, .offset = record->offset };
  g_autofree char *tid = (event.has & TT_EVENT_HAS_TID) == 0 ? NULL : tt_json_text (&event.tid);
  guint32 process =
      tid == NULL || self->tids == NULL ? 0 : GPOINTER_TO_UINT (g_hash_table_lookup (self->tids, tid));
  if (process == 0)
    {
      if (!tt_trace_event_locate (self, &event, &row))
        return;
    }
  else if (!tt_trace_event_locate_in (self, &event, process, &row))
    return;
  row.name = tt_trace_event_name (self, &event);
  row.args = tt_trace_event_args (self, &event);
  tt_arrange_instant (self->arrange, &row);
}

static gboolean
read_samples (TtTraceEventImport *self, TtJson *json, GError **error)
{
  g_autoptr (GString) args = g_string_new (NULL);
  g_autoptr (GError) failed = NULL;
  TtJsonValue record;
  guint n = 0;

  if (!tt_json_begin_array (json, error))
    return FALSE;
  while (tt_json_next_record (json, &record, &failed))
    {
      if (record.kind == TT_JSON_OBJECT)
        add_sample (self, &record, args);
      else
        tt_sink_repair (self->sink, TT_REPAIR_NOT_AN_EVENT, record.offset);
      if (++n % SAMPLES_A_CHECK == 0 && (!tt_sink_check (self->sink, 0, error) || !tt_arrange_check (self->arrange, error)))
        return FALSE;
    }
  if (failed == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failed));
  return FALSE;
}

gboolean
tt_trace_event_add_samples (TtTraceEventImport *self, GError **error)
{
  TtRepairs unused = { 0 };
  TtJsonValue key;

  if (!self->has_samples)
    return TRUE;
  g_autoptr (TtInput) input = tt_input_open (self->path, error);
  if (input == NULL)
    return FALSE;
  tt_input_take_cut (input);
  g_autoptr (TtJson) json = tt_json_new (input, &unused);
  if (!tt_json_begin_object (json, error))
    return FALSE;
  while (tt_json_next_key (json, &key, NULL))
    if (TT_JSON_KEY_IS (key, "samples") && tt_json_peek (json, NULL) == TT_JSON_ARRAY &&
        !read_samples (self, json, error))
      return FALSE;
  return TRUE;
}
