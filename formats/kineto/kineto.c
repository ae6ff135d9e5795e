/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/kineto/importer.h"

/*
 * The importer of PyTorch traces: a dialect of trace-event JSON. Spans get their names and steps in a hook, once the
 * spans that contain them are known; what they do with devices (roles.h) goes to the sink from there.
 */

#include <string.h>

#include "formats/kineto/ahead.h"
#include "formats/kineto/header.h"
#include "formats/trace-event/probe.h"
#include "formats/trace-event/rows.h"

#define MARKS_MEMORY ((gsize) 1 << 20)

/* The category that Kineto gives to flows between the passes of autograd. */
static const TtFlowKind autograd_flow = { .text = "fwdbwd", .link = TT_LINK_AUTOGRAD };

/* -- recognising ------------------------------------------------------------------------------------- */

static guint
kineto_probe (const TtClues *clues)
{
  gboolean has_schema = g_hash_table_contains (clues->headers, "schemaVersion");
  gboolean has_more = g_hash_table_contains (clues->headers, "deviceProperties") ||
                      g_hash_table_contains (clues->headers, "distributedInfo");
  GHashTableIter iter;
  gpointer category;
  guint n = 0, n_shared = 0;

  g_hash_table_iter_init (&iter, clues->categories);
  while (g_hash_table_iter_next (&iter, &category, NULL))
    {
      n += tt_kineto_is_category (category);
      n_shared += tt_kineto_is_shared_category (category);
    }
  if (has_schema && n + n_shared > 0)
    return 95;
  if (has_schema && has_more)
    return 90;
  if (n + n_shared == 0 && g_hash_table_contains (clues->process_names, TT_KINETO_CPU_ROW))
    return 80;
  return n >= 2 ? 85 : 0;
}

/* -- before the events ------------------------------------------------------------------------------ */

static void
look_at_clue (const TtClues *clues, const char *key, KinetoAhead *ahead)
{
  const char *value = g_hash_table_lookup (clues->headers, key);
  g_autofree char *text = value == NULL ? NULL : g_strdup_printf ("\"%s\":%s,", key, value);

  if (text != NULL)
    tt_kineto_look_at (text, strlen (text), TRUE, ahead);
}

static gpointer
kineto_begin (TtTraceEventImport *import, const TtClues *clues)
{
  Kineto *self = g_new0 (Kineto, 1);
  KinetoAhead ahead;

  self->import = import;
  self->names = tt_kineto_names_new (import->sink, import->options);
  self->steps = tt_kineto_steps_new (import->options->is_step != NULL ? TT_STEP_RULE_NONE : import->options->step_rule);
  self->labels = tt_kineto_labels_new (import);
  self->marks = tt_tape_new (MARKS_MEMORY);
  self->launches = tt_kineto_launches_new (import);
  self->roots = tt_kineto_roots_new ();
  self->link_kind = tt_arrange_flow_kind (import->arrange, &autograd_flow);
  import->has_own_marks = TRUE;
  tt_trace_event_feed_index_args (import->feed);
  tt_arrange_set_hook (import->arrange, tt_kineto_hook, self);

  tt_kineto_look_ahead (import->path, &ahead);
  look_at_clue (clues, "baseTimeNanoseconds", &ahead);
  look_at_clue (clues, "distributedInfo", &ahead);
  if (ahead.rank >= 0)
    import->rank = ahead.rank;
  tt_trace_event_prefix_pids (import);
  gboolean is_relative = !ahead.has_time || ahead.first_us < ahead.base_ns / 1000;
  if (ahead.has_base && is_relative && !import->options->no_align)
    {
      import->shift_ns = ahead.base_ns;
      import->clock = TT_CLOCK_EPOCH;
    }
  return self;
}

/* -- events ------------------------------------------------------------------------------------------ */

static guint64
key_of (Kineto *self, guint32 traits, const KinetoArgs *args)
{
  const KinetoMark mark = {
    .correlation = args->has_correlation ? args->correlation : 0,
    .stream = args->stream,
    .waits_on = args->waits_on,
    .waits_for = args->waits_for,
    .sequence = args->sequence,
    .root = tt_kineto_root_of_kernel (args->collective.raw, args->root, &args->ranks),
  };

  if ((traits & KINETO_NAME_HAS_MARK) != 0)
    return tt_tape_append (self->marks, &mark, sizeof mark) + 1;
  return mark.correlation;
}

/* Of a collective that a backend does on the host. */
static guint64
key_of_work (Kineto *self, const TtTraceEvent *event)
{
  KinetoMark mark = { .stream = -1, .waits_on = -1, .sequence = -1, .root = -1 };

  self->has_work = TRUE;
  mark.work =
      tt_kineto_roots_work (self->roots, tt_trace_event_process (self->import, event), event->ts_ns, event->name.raw);
  return mark.work == 0 ? 0 : tt_tape_append (self->marks, &mark, sizeof mark) + 1;
}

/* FALSE: its times are missing or beyond what 64 bits hold. */
static gboolean
read_times (const Kineto *self, const TtTraceEvent *event, gint64 *ts_ns, gint64 *end_ns)
{
  return (event->has & TT_EVENT_HAS_TS) != 0 && !__builtin_add_overflow (event->ts_ns, self->import->shift_ns, ts_ns) &&
         !__builtin_add_overflow (*ts_ns, event->dur_ns, end_ns);
}

static void
note_step (Kineto *self, const TtTraceEvent *event, guint32 name, guint32 traits)
{
  guint32 process = tt_trace_event_process (self->import, event);
  gint64 ts_ns, end_ns;
  gboolean is_kept = TRUE;

  if (!read_times (self, event, &ts_ns, &end_ns))
    return;
  if (traits & KINETO_NAME_IS_CHOSEN)
    is_kept = tt_kineto_steps_add (self->steps, process, TT_NO_STEP, ts_ns, end_ns);
  else if (traits & KINETO_NAME_IS_RESET)
    tt_kineto_steps_note_reset (self->steps, end_ns);
  else if (self->import->options->is_step != NULL)
    return;
  else if (traits & KINETO_NAME_IS_STEP)
    is_kept = tt_kineto_steps_add (self->steps, process, tt_kineto_names_step (self->names, name), ts_ns, end_ns);
  else
    is_kept = tt_kineto_steps_add_optimizer (self->steps, process, name, ts_ns, end_ns);
  if (!is_kept)
    tt_sink_repair_of (self->import->sink, process, TT_REPAIR_TOO_MANY_STEPS, event->offset);
}

static void
note_call (Kineto *self, const TtTraceEvent *event, guint64 correlation)
{
  KinetoCall call = { .correlation = correlation };
  gint64 end_ns;

  if (!read_times (self, event, &call.ts_ns, &end_ns))
    return;
  call.process = tt_trace_event_process (self->import, event);
  tt_kineto_steps_add_call (self->steps, &call);
}

/* Kernels may have one name for several collectives (SendRecv, Generic): the arguments say which, and whose. */
static guint32
name_collective (Kineto *self, guint32 name, KinetoKind kind, const KinetoArgs *args)
{
  const char *sub_op = tt_kineto_sub_op (args->collective.raw.bytes, args->collective.raw.len);
  gboolean is_transfer = kind == KINETO_DEVICE;
  guint64 communicator = is_transfer ? tt_kineto_communicator (args->group.raw, args->ranks.raw) : 0;

  if (sub_op == NULL && communicator == 0)
    return name;
  return tt_kineto_names_refine (self->names, name, sub_op, is_transfer && tt_kineto_is_collective (sub_op),
                                 communicator);
}

/* Annotations that no rule knows are what a program calls a stretch of its time; others are an operation. */
static gboolean
is_window (const TtTraceEvent *event, KinetoKind kind, guint32 traits)
{
  if (kind == KINETO_ANNOTATION)
    return (traits & KINETO_NAME_IS_OPEN) != 0 && (traits & KINETO_NAME_IS_RESET) == 0;
  return kind == KINETO_DEVICE_ANNOTATION || TT_SLICE_IS (event->cat.raw, "Trace");
}

/* A step of --step-by. */
static gboolean
is_chosen (KinetoKind kind, guint32 traits)
{
  gboolean is_host = kind == KINETO_ANNOTATION || kind == KINETO_OPERATOR || kind == KINETO_PYTHON;

  return is_host && (traits & KINETO_NAME_IS_CHOSEN) != 0;
}

static void
add_span (Kineto *self, const TtTraceEvent *event)
{
  KinetoKind kind = tt_kineto_kind (event->cat.raw);
  guint32 name =
      kind == KINETO_PYTHON ? tt_kineto_python_name (self->import, event) : tt_trace_event_name (self->import, event);
  guint32 traits = tt_kineto_names_traits (self->names, name);
  TtTraceRecord record = { .name = name, .step = TT_NO_STEP };
  KinetoArgs args = { 0 };

  /* Before PyTorch 1.13 annotations were operators. */
  if (kind == KINETO_OPERATOR && (traits & KINETO_NAME_IS_ANNOTATION) != 0)
    kind = KINETO_ANNOTATION;
  if (kind == KINETO_OPERATOR || kind == KINETO_CALL || kind == KINETO_PYTHON)
    tt_kineto_labels_note_host (self->labels);
  if (kind != KINETO_PYTHON && kind != KINETO_ANNOTATION)
    tt_kineto_args (event, &args);
  if ((kind == KINETO_ANNOTATION && (traits & KINETO_NAME_IS_ANNOTATION) != 0) || is_chosen (kind, traits))
    note_step (self, event, name, traits);
  if (args.has_correlation && kind == KINETO_CALL)
    note_call (self, event, args.correlation);
  if (args.has_correlation && kind == KINETO_DEVICE)
    tt_kineto_launches_note_work (self->launches);
  if (kind == KINETO_CALL && (traits & KINETO_NAME_IS_LAUNCH) != 0)
    record.flags = TT_FLAG_ENQUEUE;
  if (is_window (event, kind, traits))
    record.flags = TT_FLAG_WINDOW;
  if (self->import->options->is_step != NULL ? is_chosen (kind, traits)
                                             : kind == KINETO_ANNOTATION && (traits & KINETO_NAME_IS_STEP) != 0)
    record.flags |= TT_FLAG_STEP;
  if (kind == KINETO_OPERATOR)
    tt_kineto_order_note (&self->order, event);
  if (kind == KINETO_OPERATOR && args.autograd == KINETO_FORWARD)
    tt_kineto_steps_note_forward (self->steps, event->ts_ns + self->import->shift_ns);
  if (kind == KINETO_OPERATOR && (traits & KINETO_NAME_IS_COMM) != 0 && args.inputs.kind == TT_JSON_ARRAY)
    tt_kineto_roots_ask (self->roots, tt_trace_event_process (self->import, event), event->ts_ns, event->name.raw,
                         &args.inputs);
  if ((traits & KINETO_NAME_IS_COMM) != 0)
    record.name = name_collective (self, name, kind, &args);
  if (kind == KINETO_DEVICE_ANNOTATION && (traits & KINETO_NAME_IS_STEP) != 0 && self->import->options->is_step == NULL)
    record.step = tt_kineto_names_step (self->names, name);
  record.tag = (kind + 1) | args.autograd << TAG_AUTOGRAD_SHIFT;
  if (kind == KINETO_CALL || kind == KINETO_DEVICE)
    record.key = key_of (self, tt_kineto_names_traits (self->names, record.name), &args);
  else if (kind == KINETO_ANNOTATION && (traits & KINETO_NAME_IS_JOINT) != 0)
    record.key = key_of_work (self, event);
  record.args = tt_trace_event_args (self->import, event);
  tt_trace_event_add_as (self->import, event, &record);
}

/* The sign of an event of the caching allocator, "[memory]", says whether it allocates or frees. */
static void
add_instant (Kineto *self, const TtTraceEvent *event)
{
  TtTraceRecord record = { .name = tt_trace_event_name (self->import, event), .step = TT_NO_STEP };
  gboolean is_activity = event->cat.raw.len > 0 && tt_kineto_kind (event->cat.raw) != KINETO_PROFILER;
  KinetoArgs args;
  gint64 bytes;

  if (TT_SLICE_IS (event->cat.raw, "cpu_instant_event") ||
      (event->cat.raw.len == 0 && TT_SLICE_IS (event->name.raw, "[memory]")))
    {
      tt_kineto_args (event, &args);
      if (args.bytes.kind != TT_JSON_NONE && tt_json_int64 (&args.bytes, &bytes))
        record.name = tt_kineto_names_refine (self->names, record.name, bytes < 0 ? "FREE" : "ALLOC", FALSE, 0);
    }
  record.tag = (is_activity ? KINETO_OTHER : KINETO_PROFILER) + 1;
  record.args = tt_trace_event_args (self->import, event);
  tt_trace_event_add_as (self->import, event, &record);
}

/* Flows of autograd have one name, whatever the release. */
static void
add_flow (TtTraceEventImport *import, const TtTraceEvent *event)
{
  TtTraceEvent flow = *event;

  if (tt_kineto_is_autograd_flow (event->cat.raw))
    {
      flow.label = 0;
      flow.cat.raw = (TtSlice){ autograd_flow.text, strlen (autograd_flow.text) };
    }
  tt_trace_event_add (import, &flow, TT_NO_ID, TT_NO_STEP, 0);
}

static gboolean
kineto_event (TtTraceEventImport *import, const TtTraceEvent *event, gpointer state, GError **error)
{
  Kineto *self = state;
  TtTraceEvent span;

  if (event->ph == 'X' && event->cat.kind == TT_JSON_NONE && tt_kineto_row_category (event->pid.raw) != NULL)
    {
      span = *event;
      span.label = 0;
      span.cat.kind = TT_JSON_STRING;
      span.cat.raw.bytes = tt_kineto_row_category (event->pid.raw);
      span.cat.raw.len = strlen (span.cat.raw.bytes);
      event = &span;
    }
  if (event->ph == 'M')
    {
      tt_kineto_labels_hold (self->labels, event);
      return TRUE;
    }
  tt_kineto_labels_use (self->labels, event);
  switch (event->ph)
    {
    case 'X':
      add_span (self, event);
      break;
    case 'i':
    case 'I':
      add_instant (self, event);
      break;
    case 's':
    case 't':
    case 'f':
      if (tt_kineto_is_launch_flow (event->cat.raw, event->name.raw))
        tt_kineto_launches_hold (self->launches, event);
      else
        add_flow (import, event);
      break;
    default:
      tt_trace_event_add (import, event, tt_trace_event_name (import, event), TT_NO_STEP,
                          tt_kineto_kind (event->cat.raw) + 1);
    }
  return TRUE;
}

/* -- header ---------------------------------------------------------------------------------------- */

static void
kineto_header (TtTraceEventImport *import, const TtJsonValue *key, const TtJsonValue *value, gpointer state)
{
  Kineto *self = state;
  gint64 rank = import->rank;

  tt_kineto_header (import, key, value);
  if (TT_JSON_KEY_IS (*key, "distributedInfo"))
    tt_kineto_roots_groups (self->roots, value);
  self->is_late |= import->rank != rank;
}

/* -- after the events ------------------------------------------------------------------------------ */

static gboolean
kineto_end (TtTraceEventImport *import, gpointer state, GError **error)
{
  Kineto *self = state;

  if (tt_kineto_order_is_by_end (&self->order))
    tt_arrange_set_by_end (import->arrange);
  tt_kineto_labels_write (self->labels, self->is_late);
  if (!tt_kineto_launches_end (self->launches, error))
    return FALSE;
  tt_kineto_roots_finish (self->roots);
  if (import->options->is_step != NULL && tt_kineto_steps_count (self->steps) == 0)
    tt_sink_note (import->sink, "%s: no span of the host has a name that '--step-by' matches: there are no steps",
                  import->path);
  if (self->has_work && tt_kineto_roots_n_groups (self->roots) > 1)
    tt_sink_note (import->sink, "calls of gloo do not say of which process group they are, and ranks are in several: "
                                "those of two groups may be taken for one");
  if (import->shift_ns != 0)
    {
      g_autofree char *shift = g_strdup_printf ("%" G_GINT64_FORMAT, import->shift_ns);
      tt_trace_event_add_fact (import, "clock_shift_ns", shift);
    }
  return tt_tape_check (self->marks, error) && tt_kineto_steps_finish (self->steps, error);
}

static void
kineto_release (gpointer state)
{
  Kineto *self = state;

  tt_kineto_names_free (self->names);
  tt_kineto_steps_free (self->steps);
  tt_kineto_labels_free (self->labels);
  tt_tape_free (self->marks);
  tt_kineto_launches_free (self->launches);
  tt_kineto_roots_free (self->roots);
  g_free (self);
}

const TtDialect tt_dialect_kineto = {
  .name = "kineto",
  .probe = kineto_probe,
  .begin = kineto_begin,
  .event = kineto_event,
  .header = kineto_header,
  .end = kineto_end,
  .release = kineto_release,
  .takes_step_names = TRUE,
};

TT_DIALECT_FORMAT (kineto, "PyTorch profiler (Kineto) traces");
