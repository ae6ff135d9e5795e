/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/rows.h"

#include "formats/trace-event/span-extras.h"

#include <string.h>
#include <xxhash.h>

/* What each kind of event (ph) becomes. Format: "Trace Event Format", the document of Chrome's tracing team. */

/* -- who belongs together ---------------------------------------------------------------------------- */

static guint64
hash_part (guint64 key, TtSlice part)
{
  return XXH3_64bits_withSeed (part.bytes, part.len, key);
}

/* Ids are the whole trace's, but for {"local": ..}, which is the process'. Without a seed: the same input gives the
 * same rows. */
static guint64
make_key (TtTraceEventImport *self, const TtTraceEvent *event, guint32 process, const char *kind, gboolean with_name)
{
  TtJsonValue id = event->id;
  guint32 owner = 0;

  if (event->id2.kind == TT_JSON_OBJECT)
    {
      id = tt_json_get (event->id2.raw, "local");
      owner = id.kind == TT_JSON_NONE ? 0 : process - self->sink->source_first_process + 1;
      if (id.kind == TT_JSON_NONE)
        id = tt_json_get (event->id2.raw, "global");
    }
  if (id.kind == TT_JSON_NONE)
    tt_trace_event_repair (self, event, TT_REPAIR_NO_EVENT_ID);

  guint64 key = hash_part (owner, (TtSlice){ kind, strlen (kind) });
  key = hash_part (key, event->cat.raw);
  key = hash_part (key, id.raw);
  key = hash_part (key, event->scope.raw);
  return with_name ? hash_part (key, event->name.raw) : key;
}

/* -- kinds ------------------------------------------------------------------------------------------- */

static void
add_flow (TtTraceEventImport *self, const TtTraceEvent *event, const TtTraceRecord *row)
{
  TtFlowPhase phase = event->ph == 's' ? TT_FLOW_START : event->ph == 't' ? TT_FLOW_STEP : TT_FLOW_END;
  gboolean binds_to_next = event->ph == 'f' && (event->has & TT_EVENT_BINDS_ENCLOSING) == 0;
  guint64 key;

  if (!self->flows_are_numbered || !tt_json_uint64 (&event->id, &key))
    key = make_key (self, event, row->process, "flow", TRUE);
  tt_arrange_flow (self->arrange, row, tt_trace_event_flow_kind (self, event), key, phase, binds_to_next);
}

/* 0 as @process: the event's. */
static inline gboolean
locate (TtTraceEventImport *self, const TtTraceEvent *event, guint32 process, TtTraceRecord *row)
{
  gint64 ts_ns = event->ts_ns, dur_ns = event->dur_ns, end_ns;

  if (G_UNLIKELY (self->is_ticks))
    {
      ts_ns /= 1000;
      dur_ns /= 1000;
    }
  if (G_UNLIKELY ((event->has & TT_EVENT_HAS_TS) == 0 || __builtin_add_overflow (ts_ns, self->shift_ns, &ts_ns) ||
                  __builtin_add_overflow (ts_ns, dur_ns, &end_ns)))
    {
      tt_trace_event_repair (self, event, TT_REPAIR_NO_TIME);
      return FALSE;
    }
  row->process = process != 0 ? process : tt_trace_event_process (self, event);
  row->thread = tt_trace_event_thread (self, event, row->process);
  row->ts_ns = ts_ns;
  row->dur_ns = dur_ns;
  row->offset = event->offset;
  return TRUE;
}

gboolean
tt_trace_event_locate (TtTraceEventImport *self, const TtTraceEvent *event, TtTraceRecord *row)
{
  return locate (self, event, 0, row);
}

gboolean
tt_trace_event_locate_in (TtTraceEventImport *self, const TtTraceEvent *event, guint32 process, TtTraceRecord *row)
{
  return locate (self, event, process, row);
}

/* An asynchronous span that was made a complete one: nests with others of its line in the viewer. */
static void
add_async_span (TtTraceEventImport *self, const TtTraceEvent *event, const TtTraceRecord *span)
{
  guint64 key = hash_part (hash_part (span->process, event->tid.raw), (TtSlice){ "line", 4 });
  TtTraceRecord end = *span;

  end.args = 0;
  end.ts_ns = span->ts_ns + MAX (span->dur_ns, 0);
  tt_arrange_async_begin (self->arrange, span, key);
  tt_arrange_async_end (self->arrange, &end, key);
}

static void
add_event (TtTraceEventImport *self, const TtTraceEvent *event, TtTraceRecord *row)
{
  if (!tt_trace_event_locate (self, event, row))
    return;
  if (G_UNLIKELY (event->has & TT_EVENT_HAS_EXTRAS))
    tt_trace_event_add_extras (self, event, row);
  switch (event->ph)
    {
    case 'X':
      if (G_UNLIKELY (row->flags & TT_FLAG_ASYNC))
        add_async_span (self, event, row);
      else
        tt_arrange_span (self->arrange, row);
      break;
    case 'B':
      tt_arrange_begin (self->arrange, row);
      break;
    case 'E':
      tt_arrange_end (self->arrange, row);
      break;
    case 'b':
      tt_arrange_async_begin (self->arrange, row, make_key (self, event, row->process, "async", FALSE));
      break;
    case 'e':
      tt_arrange_async_end (self->arrange, row, make_key (self, event, row->process, "async", FALSE));
      break;
    case 'S':
      tt_arrange_async_begin (self->arrange, row, make_key (self, event, row->process, "legacy", FALSE));
      break;
    case 'F':
      tt_arrange_async_end (self->arrange, row, make_key (self, event, row->process, "legacy", FALSE));
      break;
    case 'n':
    case 'T':
    case 'p':
      row->flags |= TT_FLAG_ASYNC;
      tt_arrange_instant (self->arrange, row);
      break;
    default:
      tt_arrange_instant (self->arrange, row);
    }
}

static gboolean
is_skipped (char ph)
{
  return strchr ("NODVvc()=,", ph) != NULL;
}

void
tt_trace_event_add_as (TtTraceEventImport *self, const TtTraceEvent *event, TtTraceRecord *row)
{
  switch (event->ph)
    {
    case 'X':
    case 'B':
    case 'E':
    case 'b':
    case 'e':
    case 'S':
    case 'F':
    case 'n':
    case 'T':
    case 'p':
    case 'i':
    case 'I':
    case 'R':
    case 'P':
      add_event (self, event, row);
      break;
    case 's':
    case 't':
    case 'f':
      if (tt_trace_event_locate (self, event, row))
        add_flow (self, event, row);
      break;
    case 'C':
      if (tt_trace_event_locate (self, event, row))
        tt_trace_event_add_counter (self, event, row, TRUE);
      break;
    case 'M':
      tt_trace_event_add_metadata (self, event);
      break;
    default:
      tt_trace_event_repair (self, event, is_skipped (event->ph) ? TT_REPAIR_SKIPPED_KIND : TT_REPAIR_UNKNOWN_KIND);
    }
}

gboolean
tt_trace_event_is_row (char ph)
{
  return ph == 'X' || (ph != '\0' && strchr ("BEbeSFnTpiIRP", ph) != NULL);
}

guint64
tt_trace_event_args_with_stack (TtTraceEventImport *self, const TtTraceEvent *event)
{
  TtTraceEvent joined = *event;
  gboolean is_lost;

  if (event->args.kind != TT_JSON_OBJECT && event->args.kind != TT_JSON_NONE && event->args.kind != TT_JSON_NULL)
    {
      tt_trace_event_repair (self, event, TT_REPAIR_NO_STACK);
      return tt_args_keeper_keep (&self->args, event);
    }
  tt_stacks_look_for (self->stacks, self->path);
  joined.args.raw = tt_stacks_join_args (self->stacks, event, &is_lost);
  joined.arg_places = NULL;
  joined.args.kind = TT_JSON_OBJECT;
  if (is_lost)
    tt_trace_event_repair (self, event, TT_REPAIR_NO_STACK);
  return tt_args_keeper_keep (&self->args, &joined);
}

void
tt_trace_event_add (TtTraceEventImport *self, const TtTraceEvent *event, guint32 name, gint32 step, guint32 tag)
{
  const guint32 more = TT_EVENT_HAS_EXTRAS | TT_EVENT_HAS_STACK;
  TtTraceRecord row;

  tt_trace_record_clear (&row);
  row.name = name;
  row.step = step;
  row.tag = tag;
  if (G_LIKELY (event->ph == 'X' && (event->has & (more | TT_EVENT_HAS_NO_ARGS)) == TT_EVENT_HAS_NO_ARGS))
    {
      if (locate (self, event, 0, &row))
        tt_arrange_span (self->arrange, &row);
      return;
    }
  if (tt_trace_event_is_row (event->ph))
    row.args = tt_trace_event_args (self, event);
  tt_trace_event_add_as (self, event, &row);
}
