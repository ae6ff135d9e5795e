/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome/standard-names.h"
#include "formats/trace-event/own-args.h"
#include "formats/trace-event/rows.h"

#include <string.h>

/* Traces whose names are standard names already: the seed's uniform template, and what tracetool exports. Steps are as
 * they stand there; where none do they are found. */

/* The tag of a call of a collective whose key is its number in its group, and of that of its root. */
#define TAG_NUMBERED 1u
#define TAG_ROOT 2u

typedef struct
{
  gboolean is_own; /* written by tracetool */
  StandardNames *names;
  TtStepFinder *finder; /* NULL: steps are not to be found */
} Standard;

/* -- recognising ------------------------------------------------------------------------------------- */

/* Whether the member @key of the file says that tracetool wrote it. */
static gboolean
is_signed (const TtClues *clues, const char *key)
{
  const char *text = g_hash_table_lookup (clues->headers, key);

  if (text == NULL || *text != '{')
    return FALSE;
  TtJsonValue tool = tt_json_get ((TtSlice){ text, strlen (text) }, "tool");
  return tool.kind == TT_JSON_STRING && TT_SLICE_IS (tool.raw, "tracetool");
}

static gboolean
has_original_names (const TtClues *clues)
{
  const char *text = g_hash_table_lookup (clues->headers, "otherData");
  TtJsonValue names = tt_json_get ((TtSlice){ text, strlen (text) }, "names");

  return names.kind == TT_JSON_STRING && TT_SLICE_IS (names.raw, "original");
}

static gboolean
is_own_export (const TtClues *clues)
{
  return is_signed (clues, "otherData");
}

static gboolean
is_own_template (const TtClues *clues)
{
  return is_signed (clues, "metadata");
}

static guint
probe (const TtClues *clues)
{
  if (is_own_export (clues))
    return 100;
  return clues->n_standard > 0 && clues->n_standard * 10 >= (clues->n_events - clues->n_marks) * 9 ? 70 : 0;
}

/* Times of our exports count from the first one, which the header has where there is one clock. */
static void
take_clock (TtTraceEventImport *import, const TtClues *clues)
{
  const char *other = g_hash_table_lookup (clues->headers, "otherData");
  TtJsonValue clocks = tt_json_get ((TtSlice){ other, strlen (other) }, "clocks"), key, value, first;
  const char *cursor = NULL;
  gint64 first_ns = 0;
  guint n = 0;

  if (clocks.kind != TT_JSON_OBJECT)
    return;
  while (tt_json_member (clocks.raw, &cursor, &key, &value))
    if (n++ > 0)
      return;
  if (n == 0 || value.kind != TT_JSON_OBJECT)
    return;
  import->is_ticks = TT_JSON_KEY_IS (key, "ticks");
  first = tt_json_get (value.raw, import->is_ticks ? "first_ticks" : "first_ns");
  if (tt_json_int64 (&first, &first_ns))
    import->shift_ns = first_ns;
  if (TT_JSON_KEY_IS (key, "epoch"))
    import->clock = TT_CLOCK_EPOCH;
}

static guint32
set_step (TtTraceRecord *span, guint32 parent, guint32 flows, gpointer data)
{
  Standard *self = data;

  span->step = tt_step_finder_step (self->finder, span->process, span->name, span->ts_ns, span->step);
  return 0;
}

/* The number that PyTorch gave to a call is among the arguments that an export keeps; that this is the root's part it adds. */
static guint32
tell_call (TtTraceRecord *span, guint32 parent, guint32 flows, gpointer data)
{
  TtTraceEventImport *import = data;

  if (span->tag != 0)
    {
      span->owner = tt_sink_new_owner (import->sink);
      tt_sink_call (import->sink, span->owner, (span->tag & TAG_ROOT) != 0 ? span->process : TT_NO_ID, -1,
                    (span->tag & TAG_NUMBERED) != 0 ? (gint64) span->key : -1);
    }
  return 0;
}

static gpointer
begin (TtTraceEventImport *import, const TtClues *clues)
{
  Standard *self = g_new0 (Standard, 1);

  self->is_own = is_own_export (clues);
  self->names = tt_standard_names_new ();
  self->names->is_own = self->is_own;
  if (!self->is_own && !is_own_template (clues) && clues->n_steps == 0 &&
      import->options->step_rule != TT_STEP_RULE_NONE)
    {
      self->finder = tt_step_finder_new (import->options->step_rule);
      tt_arrange_set_hook (import->arrange, set_step, self);
    }
  else if (!self->is_own)
    import->is_in_order = tt_trace_event_expect_order (import);
  if (self->is_own)
    {
      import->flows_are_numbered = import->counters_have_units = TRUE;
      self->names->names_are_original = has_original_names (clues);
      tt_arrange_set_hook (import->arrange, tell_call, import);
      take_clock (import, clues);
    }
  return self;
}

static void
release (gpointer state)
{
  Standard *self = state;

  g_clear_pointer (&self->finder, tt_step_finder_free);
  tt_standard_names_free (self->names);
  g_free (self);
}

/* -- steps ------------------------------------------------------------------------------------------- */

static void
inform_finder (Standard *self, TtTraceEventImport *import, const TtTraceEvent *event, const TtTraceRecord *row)
{
  TtStepClass klass = tt_standard_names_class (self->names, row->name);

  if ((klass == TT_STEP_OTHER && row->step == TT_NO_STEP) || (event->ph != 'X' && event->ph != 'B') ||
      (event->has & TT_EVENT_HAS_TS) == 0)
    return;
  tt_step_finder_add (self->finder, tt_trace_event_process (import, event), row->name, event->ts_ns, klass, row->step);
}

static gboolean
end (TtTraceEventImport *import, gpointer state, GError **error)
{
  Standard *self = state;

  return self->finder == NULL || tt_step_finder_finish (self->finder, import->sink->names, error);
}

/* -- events ------------------------------------------------------------------------------------------ */

static guint32
flags_of (const StandardArgs *args)
{
  guint32 flags = 0;

  if (args->flags.kind != TT_JSON_STRING)
    return 0;
  g_autofree char *text = tt_json_text (&args->flags);
  g_auto (GStrv) words = g_strsplit (text, ",", -1);
  for (guint i = 0; words[i] != NULL; i++)
    for (guint bit = 0; bit < TT_N_FLAGS; bit++)
      if (strcmp (words[i], tt_flags_text (1u << bit)) == 0)
        flags |= 1u << bit;
  return flags;
}

typedef struct
{
  const Standard *self;
  const TtTraceEvent *event;
  const StandardArgs *args;
} ArgsContext;

static gboolean
begins_with (TtSlice text, TtSlice head)
{
  return head.len == 0 || (text.len >= head.len && memcmp (text.bytes, head.bytes, head.len) == 0);
}

/* What an exporter has added to the arguments goes again. */
static gboolean
filter_arg (TtJsonValue *key, gpointer data)
{
  const ArgsContext *context = data;
  const StandardArgs *args = context->args;
  static const TtSlice prefix = { TT_OWN_ARG_PREFIX, sizeof TT_OWN_ARG_PREFIX - 1 };

  if (!tt_is_own_arg (key->raw.bytes, key->raw.len))
    return TRUE;
  if (begins_with (key->raw, prefix))
    {
      key->raw.bytes += prefix.len;
      key->raw.len -= prefix.len;
      return TRUE;
    }
  if (TT_JSON_KEY_IS (*key, "step"))
    return args->step.kind != TT_JSON_NUMBER;
  if (TT_JSON_KEY_IS (*key, "is_root"))
    return !context->self->is_own || args->is_root.kind != TT_JSON_TRUE;
  if (TT_JSON_KEY_IS (*key, "cnt"))
    return args->cnt.kind != TT_JSON_NUMBER;
  if (TT_JSON_KEY_IS (*key, "name"))
    return !context->self->is_own &&
           (args->name.kind != TT_JSON_STRING || !begins_with (args->name.raw, context->event->name.raw));
  return !context->self->is_own;
}

static guint64
keep_args (TtTraceEventImport *import, const Standard *self, const TtTraceEvent *event, const StandardArgs *args)
{
  const ArgsContext context = { self, event, args };

  return event->args.kind == TT_JSON_OBJECT
             ? tt_args_keeper_keep_with (&import->args, event, filter_arg, (gpointer) &context)
             : tt_trace_event_args (import, event);
}

/* The text that stands behind a number: args.KEY; in files of 0.1 args.name. */
static TtJsonValue
text_of_number (const TtTraceEvent *event, const char *key)
{
  TtJsonValue text = tt_json_get (event->args.raw, key);

  return text.kind != TT_JSON_NONE ? text : tt_json_get (event->args.raw, "name");
}

/* pid and tid of our exports are numbers for viewers. */
static void
put_metadata (TtTraceEventImport *import, const TtTraceEvent *event)
{
  TtJsonValue name, label;

  if (event->args.kind != TT_JSON_OBJECT)
    {
      tt_trace_event_add_metadata (import, event);
      return;
    }
  if (TT_SLICE_IS (event->name.raw, "process_name"))
    {
      name = text_of_number (event, "pid");
      g_autofree char *pid = tt_json_text (&name);
      TtJsonValue number = tt_json_get (event->args.raw, "rank");
      guint32 process = tt_trace_event_alias_process (import, event, pid);
      gint64 rank;
      if (tt_json_int64 (&number, &rank) && rank >= 0)
        tt_sink_label_process (import->sink, process, NULL, rank);
      name = tt_json_get (event->args.raw, "owner");
      if (name.kind == TT_JSON_STRING)
        tt_sink_own_process (import->sink, process,
                             tt_sink_process (import->sink, tt_trace_event_text (import, &name), NULL, NULL, -1));
      label = tt_json_get (event->args.raw, "label");
      if (label.kind == TT_JSON_STRING)
        tt_sink_label_process (import->sink, process, tt_trace_event_text (import, &label), -1);
    }
  else if (TT_SLICE_IS (event->name.raw, "process_labels"))
    {
      label = tt_json_get (event->args.raw, "labels");
      guint32 process = tt_trace_event_process (import, event);
      tt_sink_label_process (import->sink, process, tt_trace_event_text (import, &label), -1);
    }
  else if (TT_SLICE_IS (event->name.raw, "thread_name"))
    {
      name = text_of_number (event, "tid");
      g_autofree char *tid = tt_json_text (&name);
      guint32 process = tt_trace_event_process (import, event);
      guint32 thread = tt_trace_event_alias_thread (import, event, process, tid);
      label = tt_json_get (event->args.raw, "label");
      if (label.kind == TT_JSON_STRING)
        tt_sink_label_thread (import->sink, thread, tt_trace_event_text (import, &label), -1);
    }
  else
    tt_trace_event_add_metadata (import, event);
}

/* An end of an arrow, or a message without one, at its own time. */
static gboolean
put_arrow (TtTraceEventImport *import, const TtTraceEvent *event)
{
  TtTraceRecord record = { .step = TT_NO_STEP };
  TtTraceEvent unmoved = *event;
  TtJsonValue args = event->args, end, moved, nth;
  gint64 moved_ns = 0;
  guint64 nth_span;

  if (args.kind != TT_JSON_OBJECT)
    return FALSE;
  end = tt_json_get (args.raw, "end");
  if (end.kind == TT_JSON_OBJECT)
    args = end;
  moved = tt_json_get (args.raw, "moved_ns");
  if (!tt_json_int64 (&moved, &moved_ns) || moved_ns <= -G_MAXINT32 || moved_ns >= G_MAXINT32)
    moved_ns = 0;
  nth = tt_json_get (args.raw, "nth_span");
  if (tt_json_uint64 (&nth, &nth_span) && nth_span < G_MAXUINT32)
    record.nth_span = (guint32) nth_span;
  if (TT_SLICE_IS (event->cat.raw, "message"))
    return tt_trace_event_locate (import, event, &record) &&
           tt_trace_event_add_message (import, event, args.raw, &record, moved_ns);
  if (__builtin_sub_overflow (event->ts_ns, moved_ns * (import->is_ticks ? 1000 : 1), &unmoved.ts_ns))
    return FALSE;
  if (event->ph == 'i')
    return FALSE;
  tt_trace_event_add_as (import, &unmoved, &record);
  return TRUE;
}

/* What only our own exports have. */
static gboolean
put_own (TtTraceEventImport *import, const TtTraceEvent *event)
{
  TtTraceRecord record = { .step = TT_NO_STEP };

  switch (event->ph)
    {
    case 'M':
      put_metadata (import, event);
      return TRUE;
    case 'C':
      if (tt_trace_event_locate (import, event, &record))
        tt_trace_event_add_counter (import, event, &record, FALSE);
      return TRUE;
    case 'X':
      /* What an arrow of ours is tied to where its span cannot be. */
      return TT_SLICE_IS (event->cat.raw, "arrow");
    case 's':
    case 'f':
    case 'i':
      return put_arrow (import, event);
    default:
      return FALSE;
    }
}

static void
tag_call (const StandardArgs *args, TtTraceRecord *row)
{
  gint64 number;

  if (tt_json_int64 (&args->sequence, &number) && number >= 0 && number <= TT_MAX_CALL_SEQUENCE)
    {
      row->tag = TAG_NUMBERED;
      row->key = (guint64) number;
    }
  if (args->is_root.kind == TT_JSON_TRUE)
    row->tag |= TAG_ROOT;
}

static gboolean
put (TtTraceEventImport *import, const TtTraceEvent *event, gpointer state, GError **error)
{
  Standard *self = state;
  StandardArgs args = { 0 };
  TtTraceRecord row = { .step = TT_NO_STEP };
  gint64 step;

  if (self->is_own && put_own (import, event))
    return TRUE;
  if (!tt_trace_event_is_row (event->ph))
    {
      tt_trace_event_add_as (import, event, &row);
      return TRUE;
    }
  if (event->args.kind == TT_JSON_OBJECT)
    tt_standard_args (event->args.raw, &args);
  row.name = tt_standard_names_find (self->names, import, event, &args);
  if (row.name == TT_NO_ID)
    row.name = tt_trace_event_name (import, event);
  if (args.step.kind == TT_JSON_NUMBER && tt_json_int64 (&args.step, &step) && step >= 0 && step <= G_MAXINT32)
    row.step = (gint32) step;
  if (self->is_own)
    row.flags = flags_of (&args);
  if (event->ph == 'X' && (row.flags & TT_FLAG_COLLECTIVE) != 0)
    tag_call (&args, &row);
  row.args = keep_args (import, self, event, &args);
  if (self->finder != NULL)
    inform_finder (self, import, event, &row);
  tt_trace_event_add_as (import, event, &row);
  return TRUE;
}

static void
header (TtTraceEventImport *import, const TtJsonValue *key, const TtJsonValue *value, gpointer state)
{
  const Standard *self = state;

  if (!self->is_own)
    tt_trace_event_add_header (import, key, value, NULL);
}

const TtDialect tt_dialect_standard = {
  .name = "standard",
  .probe = probe,
  .begin = begin,
  .event = put,
  .header = header,
  .end = end,
  .release = release,
};

TT_DIALECT_FORMAT (standard, "traces under standard names: the uniform template, exports of tracetool");
