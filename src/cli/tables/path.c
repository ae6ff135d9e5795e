/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/path.h"

static double
percent_of (gint64 part, gint64 whole)
{
  return whole > 0 ? 100.0 * (double) part / (double) whole : 0.0;
}

/* What the columns know beside their row; the store may be NULL. */
typedef struct
{
  TtStore *store;
  const TtCriticalPath *path;
} Context;

static gint64
length_ns (const void *context)
{
  return ((const Context *) context)->path->length_ns;
}

/* -- operations ---------------------------------------------------------------------------------- */

/* @context of columns: a Context; @row: a TtPathOp. */
static TtReportCell
op_time (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_int (((const TtPathOp *) row)->time_ns);
}

static TtReportCell
op_share (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_real (percent_of (((const TtPathOp *) row)->time_ns, length_ns (context)));
}

static TtReportCell
op_spans (const TtReportField *self, const void *row, const void *context)
{
  const TtPathOp *op = row;

  return op->n_spans > 0 ? tt_cell_int (op->n_spans) : tt_cell_empty ();
}

static TtReportCell
op_name (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (((const TtPathOp *) row)->name);
}

static const TtReportField op_fields[] = {
  { TT_COLUMN_TIME, "Time", "time", op_time },
  { TT_COLUMN_PERCENT, "Path %", "path_percent", op_share },
  { TT_COLUMN_COUNT, "Spans", "spans", op_spans },
  { TT_COLUMN_TEXT, "Name", "name", op_name },
};

/* Time that belongs to no operation shown. */
static void
add_rest (TtReport *report, gint64 time_ns, const char *name)
{
  const TtPathOp rest = { .name = (char *) name, .time_ns = time_ns };

  tt_report_row (report, &rest);
}

TtReport *
tt_path_op_table (const TtCriticalPath *path, const TtReportView *view)
{
  const Context context = { NULL, path };
  TtReport *report = tt_report_of_fields (op_fields, G_N_ELEMENTS (op_fields), view, &context);
  guint n = view->top == 0 ? path->ops->len : MIN (view->top, path->ops->len);
  gint64 left_ns = 0;

  for (guint i = 0; i < n; i++)
    tt_report_row (report, &g_array_index (path->ops, TtPathOp, i));
  for (guint i = n; i < path->ops->len; i++)
    left_ns += g_array_index (path->ops, TtPathOp, i).time_ns;
  if (n < path->ops->len)
    {
      g_autofree char *name = g_strdup_printf ("(%u more operations)", path->ops->len - n);
      add_rest (report, left_ns, name);
    }
  if (path->transfer_ns > path->latency_ns)
    add_rest (report, path->transfer_ns - path->latency_ns, "(messages on their way)");
  if (path->latency_ns > 0)
    add_rest (report, path->latency_ns, "(launched or released, not yet begun)");
  if (path->before_ns > 0)
    add_rest (report, path->before_ns, "(before the process begins)");
  if (path->outside_ns > 0)
    add_rest (report, path->outside_ns, "(not in any span)");
  return report;
}

/* -- processes ----------------------------------------------------------------------------------- */

typedef enum
{
  PROCESS_TIME,
  PROCESS_SHARE,
  PROCESS_PIECES,
  PROCESS_TRANSFER,
  PROCESS_WAITED,
  PROCESS_PID,
} ProcessFact;

static const char *
pid_of (const void *context, guint32 id)
{
  const TtProcess *process = tt_store_process (((const Context *) context)->store, id);

  return process == NULL ? NULL : process->pid;
}

static TtReportCell
process_fact (const TtReportField *self, const void *row, const void *context)
{
  const TtPathProcess *process = row;

  switch ((ProcessFact) self->id)
    {
    case PROCESS_TIME:
      return tt_cell_int (process->time_ns);
    case PROCESS_SHARE:
      return tt_cell_real (percent_of (process->time_ns, length_ns (context)));
    case PROCESS_PIECES:
      return tt_cell_int (process->n_segments);
    case PROCESS_TRANSFER:
      return tt_cell_int (process->transfer_ns);
    case PROCESS_WAITED:
      return tt_cell_int (process->waited_ns);
    case PROCESS_PID:
      return tt_cell_text (pid_of (context, process->process));
    }
  g_return_val_if_reached (tt_cell_empty ());
}

static const TtReportField process_fields[] = {
  { TT_COLUMN_TIME, "Time", "time", process_fact, PROCESS_TIME },
  { TT_COLUMN_PERCENT, "Path %", "path_percent", process_fact, PROCESS_SHARE },
  { TT_COLUMN_COUNT, "Pieces", "pieces", process_fact, PROCESS_PIECES },
  { TT_COLUMN_TIME, "Transfer in", "transfer_in", process_fact, PROCESS_TRANSFER },
  { TT_COLUMN_TIME, "Waited", "waited", process_fact, PROCESS_WAITED },
  { TT_COLUMN_WORD, "Process", "pid", process_fact, PROCESS_PID },
};

TtReport *
tt_path_process_table (TtStore *store, const TtCriticalPath *path, const TtReportView *view)
{
  const Context context = { store, path };
  TtReport *report = tt_report_of_fields (process_fields, G_N_ELEMENTS (process_fields), view, &context);

  tt_report_limit (report, view);
  for (guint i = 0; i < path->processes->len; i++)
    tt_report_row (report, &g_array_index (path->processes, TtPathProcess, i));
  return report;
}

/* -- segments ------------------------------------------------------------------------------------ */

/* A piece of the path and the end of the piece before. */
typedef struct
{
  const TtPathSegment *segment;
  gint64 before_ns;
} Piece;

typedef enum
{
  PIECE_BEGIN,
  PIECE_TIME,
  PIECE_TRANSFER,
  PIECE_WAITED,
  PIECE_PID,
  PIECE_TID,
  PIECE_HOP,
  PIECE_OPERATION,
  PIECE_INFERRED,
} PieceFact;

/* Of a training job: what the path is in. */
static TtReportCell
operation_of (TtStore *store, const TtPathSegment *segment)
{
  const TtStoredName *name = segment->name == TT_NO_ID ? NULL : tt_store_name (store, segment->name);

  if (name == NULL)
    return tt_cell_text ("(not in any span)");
  if (name->suffix == NULL)
    return tt_cell_text (name->text);
  return tt_cell_take (g_strconcat (name->text, "~>", name->suffix, NULL));
}

static TtReportCell
piece_fact (const TtReportField *self, const void *row, const void *context)
{
  const Context *table = context;
  const TtPathSegment *segment = ((const Piece *) row)->segment;
  const TtThread *thread = tt_store_thread (table->store, segment->thread);

  switch ((PieceFact) self->id)
    {
    case PIECE_BEGIN:
      return tt_cell_int (segment->begin_ns - table->path->points.first_ns);
    case PIECE_TIME:
      return tt_cell_int (segment->end_ns - segment->begin_ns);
    case PIECE_TRANSFER:
      return tt_cell_int (segment->begin_ns - ((const Piece *) row)->before_ns);
    case PIECE_WAITED:
      return tt_cell_int (segment->waited_ns);
    case PIECE_PID:
      return tt_cell_text (thread == NULL ? NULL : pid_of (context, thread->process));
    case PIECE_TID:
      return tt_cell_text (thread == NULL ? NULL : thread->tid);
    case PIECE_HOP:
      return tt_cell_text (tt_path_hop_text (segment->hop));
    case PIECE_OPERATION:
      return operation_of (table->store, segment);
    case PIECE_INFERRED:
      return tt_cell_text (segment->is_inferred ? "yes" : "no");
    }
  g_return_val_if_reached (tt_cell_empty ());
}

static const TtReportField piece_fields[] = {
  { TT_COLUMN_TIME, "Begin", "begin", piece_fact, PIECE_BEGIN, .is_moment = TRUE },
  { TT_COLUMN_TIME, "Time", "time", piece_fact, PIECE_TIME },
  { TT_COLUMN_TIME, "Transfer in", "transfer_in", piece_fact, PIECE_TRANSFER },
  { TT_COLUMN_TIME, "Waited", "waited", piece_fact, PIECE_WAITED },
  { TT_COLUMN_WORD, "Process", "pid", piece_fact, PIECE_PID },
  { TT_COLUMN_WORD, "Thread", "tid", piece_fact, PIECE_TID },
  { TT_COLUMN_WORD, "Came by", "came_by", piece_fact, PIECE_HOP },
  { TT_COLUMN_WORD, "Inferred", "inferred", piece_fact, PIECE_INFERRED, 100 },
  { TT_COLUMN_TEXT, "Name", "name", piece_fact, PIECE_OPERATION }, /* of training jobs */
};

TtReport *
tt_path_segment_table (TtStore *store, const TtCriticalPath *path, const TtReportView *view)
{
  const Context context = { store, path };
  guint n_fields = G_N_ELEMENTS (piece_fields) - (path->steps == NULL);
  TtReport *report = tt_report_of_fields (piece_fields, n_fields, view, &context);
  guint n = view->top == 0 ? path->segments->len : MIN (view->top, path->segments->len);
  gint64 end_ns = path->points.first_ns;

  for (guint i = 0; i < n; i++)
    {
      const TtPathSegment *segment = &g_array_index (path->segments, TtPathSegment, i);
      const Piece piece = { segment, end_ns };

      tt_report_row (report, &piece);
      end_ns = segment->end_ns;
    }
  if (n < path->segments->len)
    {
      g_autofree char *footer = g_strdup_printf ("and %u more pieces; '--top 0' shows all", path->segments->len - n);
      tt_report_footer (report, footer);
    }
  return report;
}

/* -- kinds --------------------------------------------------------------------------------------- */

/* @row: a TtPathKind. */
static TtReportCell
kind_time (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_int (((const Context *) context)->path->kind_ns[*(const TtPathKind *) row]);
}

static TtReportCell
kind_share (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_real (
      percent_of (((const Context *) context)->path->kind_ns[*(const TtPathKind *) row], length_ns (context)));
}

static TtReportCell
kind_name (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (tt_path_kind_text (*(const TtPathKind *) row));
}

static const TtReportField kind_fields[] = {
  { TT_COLUMN_TIME, "Time", "time", kind_time },
  { TT_COLUMN_PERCENT, "Path %", "path_percent", kind_share },
  { TT_COLUMN_WORD, "Kind", "kind", kind_name },
};

TtReport *
tt_path_kind_table (const TtCriticalPath *path, const TtReportView *view)
{
  const Context context = { NULL, path };
  TtReport *report = tt_report_of_fields (kind_fields, G_N_ELEMENTS (kind_fields), view, &context);

  for (TtPathKind kind = 0; kind < TT_N_PATH_KINDS; kind++)
    if (kind != (path->steps == NULL ? TT_PATH_INPUT : TT_PATH_HOST))
      tt_report_row (report, &kind);
  return report;
}

/* -- steps --------------------------------------------------------------------------------------- */

typedef enum
{
  STEP_NUMBER,
  STEP_TIME,
  STEP_PROCESS,
  STEP_SHARE,
  STEP_KIND, /* and the kinds after it */
} StepFact;

/* @row: a TtPathStep. */
static TtReportCell
step_fact (const TtReportField *self, const void *row, const void *context)
{
  const TtPathStep *step = row;

  switch ((StepFact) self->id)
    {
    case STEP_NUMBER:
      return tt_cell_int (step->step);
    case STEP_TIME:
      return tt_cell_int (step->end_ns - step->begin_ns);
    case STEP_PROCESS:
      return tt_cell_text (pid_of (context, step->process));
    case STEP_SHARE:
      return tt_cell_real (percent_of (step->process_ns, step->end_ns - step->begin_ns));
    default:
      return tt_cell_int (step->kind_ns[self->id - STEP_KIND]);
    }
}

static const TtReportField step_fields[] = {
  { TT_COLUMN_COUNT, "Step", "step", step_fact, STEP_NUMBER },
  { TT_COLUMN_TIME, "Time", "time", step_fact, STEP_TIME },
  { TT_COLUMN_TIME, "Computation", "computation", step_fact, STEP_KIND + TT_PATH_COMPUTATION },
  { TT_COLUMN_TIME, "Communication", "communication", step_fact, STEP_KIND + TT_PATH_COMMUNICATION },
  { TT_COLUMN_TIME, "Copy", "copy", step_fact, STEP_KIND + TT_PATH_COPY, 100 },
  { TT_COLUMN_TIME, "Input", "input", step_fact, STEP_KIND + TT_PATH_INPUT, 100 },
  { TT_COLUMN_TIME, "Launch", "launch", step_fact, STEP_KIND + TT_PATH_LAUNCH, 100 },
  { TT_COLUMN_TIME, "Sync", "sync", step_fact, STEP_KIND + TT_PATH_SYNC, 100 },
  { TT_COLUMN_TIME, "Idle", "idle", step_fact, STEP_KIND + TT_PATH_IDLE },
  { TT_COLUMN_WORD, "Most on", "pid", step_fact, STEP_PROCESS },
  { TT_COLUMN_PERCENT, "There %", "pid_percent", step_fact, STEP_SHARE },
};

TtReport *
tt_path_step_table (TtStore *store, const TtCriticalPath *path, const TtReportView *view)
{
  const Context context = { store, path };
  TtReport *report = tt_report_of_fields (step_fields, G_N_ELEMENTS (step_fields), view, &context);

  tt_report_limit (report, view);
  for (guint i = 0; i < path->steps->len; i++)
    tt_report_row (report, &g_array_index (path->steps, TtPathStep, i));
  return report;
}

/* -- in words ------------------------------------------------------------------------------------ */

static void
append_hops (GString *text, guint64 n, const char *one, const char *many)
{
  char count[TT_TIME_TEXT];

  if (n > 0)
    g_string_append_printf (text, ", %s %s", tt_count_text (count, n), n == 1 ? one : many);
}

char *
tt_path_bound_text (TtStore *store, const TtCriticalPath *path)
{
  GString *text;
  const TtPathProcess *most = path->processes->len > 1 ? &g_array_index (path->processes, TtPathProcess, 0) : NULL;
  const TtProcess *process = most == NULL ? NULL : tt_store_process (store, most->process);
  gboolean has_kinds = path->steps != NULL || path->points.n_device_spans > 0;
  TtPathKind kind = 0;

  for (TtPathKind other = 0; other < TT_N_PATH_KINDS; other++)
    if (path->kind_ns[other] > path->kind_ns[kind])
      kind = other;
  if (path->length_ns <= 0 || (!has_kinds && process == NULL))
    return NULL;
  text = g_string_new (NULL);
  g_string_append_printf (text, "%s is bounded by", path->points.step == TT_NO_STEP ? "The run" : "The step");
  if (has_kinds)
    g_string_append_printf (text, " %s (%.1f %%)",
                            kind == TT_PATH_IDLE ? "what is in no span" : tt_path_kind_text (kind),
                            percent_of (path->kind_ns[kind], path->length_ns));
  gint64 messages_ns = path->transfer_ns - path->latency_ns;
  gboolean by_messages = !has_kinds && messages_ns > most->time_ns;
  if (by_messages)
    g_string_append_printf (text, " messages on their way (%.1f %%)", percent_of (messages_ns, path->length_ns));
  if (process != NULL)
    g_string_append_printf (text, "%s process %s (%.1f %%)", has_kinds || by_messages ? ", most of all on" : "",
                            process->pid, percent_of (most->time_ns, path->length_ns));
  return g_string_free (text, FALSE);
}

char *
tt_path_describe (TtStore *store, const TtCriticalPath *path)
{
  GString *text = g_string_new (NULL);
  char time[TT_TIME_TEXT], pieces[TT_TIME_TEXT], what[96];
  guint n_steps = path->steps == NULL ? 0 : path->steps->len;

  if (path->points.step == TT_NO_STEP && n_steps > 1)
    g_snprintf (what, sizeof what, "the whole run of %u steps, %s each (mean)", n_steps,
                tt_time_auto (time, path->length_ns / n_steps));
  else if (path->points.step == TT_NO_STEP)
    g_strlcpy (what, "the whole run", sizeof what);
  else
    g_snprintf (what, sizeof what, "step %d", path->points.step);
  g_string_append_printf (text, "Critical path: %s, %s; %s %s on %u %s", tt_time_auto (time, path->length_ns), what,
                          tt_count_text (pieces, path->segments->len), path->segments->len == 1 ? "piece" : "pieces",
                          path->processes->len, path->processes->len == 1 ? "process" : "processes");
  append_hops (text, path->n_hops[TT_HOP_MESSAGE], "late message", "late messages");
  append_hops (text, path->n_hops[TT_HOP_COLLECTIVE] - path->n_inferred[TT_HOP_COLLECTIVE], "late rank in a collective",
               "late ranks in collectives");
  append_hops (text, path->n_inferred[TT_HOP_COLLECTIVE], "late rank in a collective (inferred)",
               "late ranks in collectives (inferred)");
  append_hops (text, path->n_hops[TT_HOP_RECEIVER], "late receiver", "late receivers");
  append_hops (text, path->n_hops[TT_HOP_JOIN], "join of a thread (inferred)", "joins of threads (inferred)");
  append_hops (text, path->n_hops[TT_HOP_LOCK], "lock (inferred)", "locks (inferred)");
  append_hops (text, path->n_hops[TT_HOP_TEAM], "late thread at a barrier (inferred)",
               "late threads at barriers (inferred)");
  guint64 n_told = path->n_hops[TT_HOP_THREAD] - path->n_inferred[TT_HOP_THREAD];
  append_hops (text, n_told, "thread begin", "thread begins");
  append_hops (text, path->n_inferred[TT_HOP_THREAD], "thread begin (inferred)", "thread begins (inferred)");
  append_hops (text, path->n_hops[TT_HOP_LAUNCH], "launch", "launches");
  append_hops (text, path->n_hops[TT_HOP_EVENT], "wait for an event", "waits for events");
  append_hops (text, path->n_hops[TT_HOP_SYNCHRONIZE], "wait of the host", "waits of the host");
  append_hops (text, path->n_hops[TT_HOP_AUTOGRAD], "begin or end of a backward pass (inferred)",
               "begins and ends of backward passes (inferred)");
  append_hops (text, path->n_hops[TT_HOP_OBJECT], "object of another thread (inferred)",
               "objects of other threads (inferred)");
  append_hops (text, path->n_hops[TT_HOP_QUEUE], "enqueue of another thread (inferred)",
               "enqueues of other threads (inferred)");
  g_autofree char *bound = tt_path_bound_text (store, path);
  if (bound != NULL)
    g_string_append_printf (text, "\n%s", bound);
  return g_string_free (text, FALSE);
}

static void
append_note (GString *text, guint64 n, const char *one, const char *note)
{
  char count[TT_TIME_TEXT];

  if (n > 0)
    g_string_append_printf (text, "%s%s %s", text->len > 0 ? "\n" : "", tt_count_text (count, n), n == 1 ? one : note);
}

char *
tt_path_notes (const TtCriticalPath *path)
{
  const TtPathPoints *points = &path->points;
  GString *text = g_string_new (NULL);

  append_note (text, points->n_backward, "message came before it was sent (clocks disagree): not followed",
               "messages came before they were sent (clocks disagree): not followed");
  append_note (text, points->n_halves, "message lacks a partner or a span: not followed",
               "messages lack a partner or a span: not followed");
  append_note (text, points->n_dropped, "call of a collective that ranks do not call equally often: not followed",
               "calls of collectives that ranks do not call equally often: not followed");
  append_note (text, points->n_early,
               "call of a collective ended before the last rank came (a root, or clocks disagree): not followed",
               "calls of collectives ended before the last rank came (a root, or clocks disagree): not followed");
  append_note (text, path->n_inferred[TT_HOP_EVENT], "wait for an event is inferred: the trace does not say what for",
               "waits for events are inferred: the trace does not say what for");
  append_note (text, path->n_inferred[TT_HOP_SYNCHRONIZE],
               "wait of the host is inferred: the trace does not say for which stream",
               "waits of the host are inferred: the trace does not say for which stream");
  append_note (text, points->device_counts.n_unlaunched,
               "span on a device has no launch before it: followed on its stream only",
               "spans on devices have no launch before them: followed on their streams only");
  append_note (text, points->device_counts.n_backward,
               "span on a device began before what its stream waited for was done (clocks disagree): not followed",
               "spans on devices began before what their streams waited for was done (clocks disagree): not followed");
  append_note (text, path->n_backward, "span ended before what it needs (clocks disagree): not followed",
               "spans ended before what they need (clocks disagree): not followed");
  append_note (text, path->n_overlapping, "span is shorter than what it calls: the times add up to more than the path",
               "spans are shorter than what they call: their times add up to more than the path");
  append_note (text, path->n_crossing, "span crosses another on its thread: time in both counts for both",
               "spans cross others on their threads: time in two of them counts for both");
  return g_string_free (text, text->len == 0);
}
