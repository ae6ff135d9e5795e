/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/chrome-export.h"

#include "formats/chrome-export/collect.h"
#include "formats/chrome-export/ends.h"
#include "formats/chrome-export/flow.h"
#include "formats/chrome-export/halves.h"
#include "formats/chrome-export/owners.h"
#include "formats/chrome-export/part.h"
#include "formats/chrome-export/roots.h"
#include "formats/chrome-export/write.h"

#include "src/base/error.h"
#include "src/store/time-shares.h"
#include "src/trace/span.h"

/* -- from the store ---------------------------------------------------------------------------------- */

static TtClock
parse_clock (const char *text)
{
  for (TtClock clock = TT_CLOCK_EPOCH; clock <= TT_CLOCK_TICKS; clock++)
    if (g_strcmp0 (text, tt_clock_text (clock)) == 0)
      return clock;
  return TT_CLOCK_RELATIVE;
}

static gboolean
on_name (const TtStoredName *name, gpointer data)
{
  tt_chrome_name (data, name->id, name->text, name->suffix);
  return TRUE;
}

static gboolean
on_metadata (guint32 process, guint32 thread, const char *key, const char *value, gpointer data)
{
  tt_chrome_metadata (data, process, thread, key, value);
  return TRUE;
}

static gboolean
define_all (TtChrome *chrome, TtStore *store, GError **error)
{
  guint n;

  const TtSource *sources = tt_store_sources (store, &n);
  for (guint i = 0; i < n; i++)
    tt_chrome_source (chrome, sources[i].id, parse_clock (sources[i].clock));
  const TtProcess *processes = tt_store_processes (store, &n);
  for (guint i = 0; i < n; i++)
    {
      tt_chrome_process (chrome, processes[i].id, processes[i].pid, processes[i].label, processes[i].rank);
      tt_chrome_own_process (chrome, processes[i].id, processes[i].owner);
    }
  const TtThread *threads = tt_store_threads (store, &n);
  for (guint i = 0; i < n; i++)
    {
      const TtThread *thread = &threads[i];
      tt_chrome_thread (chrome, thread->id, thread->process, thread->tid, thread->label, thread->order);
    }
  const TtSeries *series = tt_store_series (store, &n);
  for (guint i = 0; i < n; i++)
    tt_chrome_series (chrome, series[i].id, series[i].name, series[i].unit);
  /* Of a damaged database not all of them need to have a row. */
  chrome->max_name = tt_store_max_name (store);
  return tt_store_each_metadata (store, on_metadata, chrome, error) &&
         tt_store_each_name (store, on_name, chrome, error);
}

static gboolean
on_counter (guint32 series, guint32 thread, gint64 ts_ns, gboolean is_real, gint64 integer, double real, gpointer data)
{
  union
  {
    double real;
    gint64 bits;
  } value = { .real = real };

  tt_chrome_counter (data, series, thread, ts_ns, is_real, is_real ? value.bits : integer);
  return TRUE;
}

static guint64
keep_args (TtChrome *chrome, const TtEvent *event)
{
  if (event->args != NULL)
    return tt_chrome_args_add (chrome->args, event->args, event->args_len);
  if (event->args_len > 0)
    return tt_chrome_args_add_long (chrome->args, event->args_len);
  return 0;
}

/* What is outside a time window counts for nothing. But for the template, whose numbers of occurrences count from the begin
 * of the run, and for runs of several clocks, which are told by the first event of each thread. */
static gboolean
cut_to_window (TtChrome *chrome)
{
  const TtSelection *selection = chrome->options->selection;
  const GArray *sources = chrome->sources;

  if (selection == NULL || !tt_selection_has_window (selection) || chrome->language->only_spans || sources->len == 0)
    return FALSE;
  for (guint i = 1; i < sources->len; i++)
    if (g_array_index (sources, ChromeSource, i).clock != g_array_index (sources, ChromeSource, 0).clock)
      return FALSE;
  tt_selection_window (selection, &chrome->begin_ns, &chrome->end_ns);
  return TRUE;
}

/* Times are counted from the first of the run, which is not read. */
static gboolean
cut_scans (TtChrome *chrome, TtStore *store, GError **error)
{
  gint64 first_ns, last_ns;
  g_autoptr (GError) failed = NULL;

  if (chrome->part == NULL && !cut_to_window (chrome))
    return TRUE;
  if (tt_store_time_range (store, &first_ns, &last_ns, &failed))
    tt_chrome_source_time (chrome, g_array_index (chrome->sources, ChromeSource, 0).id, first_ns);
  if (failed == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failed));
  return FALSE;
}

static gboolean
scan_events (TtChrome *chrome, TtStore *store, GError **error)
{
  TtProgress *progress;
  g_autoptr (GError) failed = NULL;
  TtEvent event;
  guint n = 0;
  TtEventScan *scan = tt_event_scan_new_between (store, TT_SCAN_ARGS, chrome->begin_ns, chrome->end_ns, error);

  if (scan == NULL)
    return FALSE;
  g_autoptr (ChromeEnds) ends = tt_chrome_ends_new (chrome, store, scan, error);
  if (ends == NULL)
    {
      tt_event_scan_finish (scan, NULL);
      return FALSE;
    }
  progress = tt_progress_new ("reading", tt_store_n_events (store), "events");
  while (failed == NULL && tt_event_scan_next (scan, &event))
    {
      tt_chrome_event (chrome, &event, keep_args (chrome, &event), TT_NO_PLACE);
      if (tt_chrome_ends_event (ends, &event, &failed) && ++n == TT_BATCH_ROWS)
        {
          tt_progress_add (progress, n);
          tt_cancelled (&failed);
          n = 0;
        }
    }
  tt_progress_free (progress);
  if (!tt_event_scan_finish (scan, failed == NULL ? error : NULL))
    return FALSE;
  if (failed != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&failed));
      return FALSE;
    }
  return tt_chrome_ends_finish (ends, error);
}

static gboolean
find_name_in_store (gpointer data, guint32 id, TtStoredName *name)
{
  const TtStoredName *stored = tt_store_peek_name (data, id);

  if (stored == NULL)
    return FALSE;
  *name = *stored;
  return TRUE;
}

static gboolean
collect (TtChrome *chrome, TtStore *store, GError **error)
{
  return define_all (chrome, store, error) && cut_scans (chrome, store, error) &&
         (chrome->roots == NULL || tt_chrome_roots_read (chrome->roots, store, error)) &&
         tt_store_each_counter (store, on_counter, chrome, error) && scan_events (chrome, store, error);
}

/* -- by parts ---------------------------------------------------------------------------------------- */

/* Of the time of a part, what is read before it at first; then ever more, up to all. */
#define LEADS_OF_PART 64
#define LEAD_GROWTH 8

static gboolean
has_one_clock (TtStore *store)
{
  guint n;
  const TtSource *sources = tt_store_sources (store, &n);

  for (guint i = 1; i < n; i++)
    if (g_strcmp0 (sources[i].clock, sources[0].clock) != 0)
      return FALSE;
  return n > 0;
}

/* When this rank's part begins, and the next. *@can: the same on all ranks. */
static gboolean
find_part (TtStore *store,
           const TtExportOptions *options,
           gint64 *begin_ns,
           gint64 *next_ns,
           gboolean *can,
           GError **error)
{
  const TtCrew *crew = options->crew;
  g_autofree gint64 *begins = g_new0 (gint64, crew->n + 1);

  *can = options->selection == NULL && options->language == NULL && has_one_clock (store);
  if (!*can)
    return TRUE;
  if (!tt_store_time_shares (store, crew->n, begins, can, error))
    return FALSE;
  begins[crew->n] = G_MAXINT64;
  *begin_ns = begins[crew->rank];
  *next_ns = begins[crew->rank + 1];
  return TRUE;
}

/* NULL: @error. */
static TtChrome *
collect_part (TtStore *store,
              const TtExportOptions *options,
              const ChromePart *times,
              TtExportReport *report,
              GError **error)
{
  g_autoptr (TtChrome) chrome = tt_chrome_new (options, report);
  ChromePart *part = chrome->part = tt_chrome_part_new (options->crew, tt_store_max_thread (store));

  part->first_ns = times->first_ns;
  part->last_ns = times->last_ns;
  part->from_ns = times->from_ns;
  chrome->begin_ns = part->from_ns;
  chrome->end_ns = part->last_ns == G_MAXINT64 ? G_MAXINT64 : part->last_ns + 1;
  report->n_flows_lost = 0;
  return collect (chrome, store, error) ? g_steal_pointer (&chrome) : NULL;
}

static gboolean
export_part (TtStore *store, TtOutput *out, const TtExportOptions *options, TtExportReport *report, GError **error)
{
  ChromePart times = { 0 };
  gint64 first_ns, last_ns, next_ns = 0;
  gboolean can;

  if (!find_part (store, options, &times.first_ns, &next_ns, &can, error))
    return FALSE;
  report->end = can ? TT_EXPORT_WHOLE : TT_EXPORT_ODD;
  if (!can)
    return TRUE;
  if (!tt_store_time_range (store, &first_ns, &last_ns, error))
    return FALSE;
  times.last_ns = next_ns == G_MAXINT64 ? G_MAXINT64 : next_ns - 1;
  gint64 lead_ns = tt_time_since (MIN (last_ns, next_ns), MAX (first_ns, times.first_ns)) / LEADS_OF_PART;
  for (;; lead_ns = lead_ns > G_MAXINT64 / LEAD_GROWTH ? G_MAXINT64 : lead_ns * LEAD_GROWTH)
    {
      lead_ns = MAX (lead_ns, 1);
      times.from_ns = times.first_ns <= first_ns || tt_time_since (times.first_ns, first_ns) <= lead_ns
                          ? G_MININT64
                          : times.first_ns - lead_ns;
      g_autoptr (TtChrome) chrome = collect_part (store, options, &times, report, error);
      if (chrome == NULL)
        return FALSE;
      if (times.from_ns != G_MININT64 && !chrome->part->is_odd && !tt_chrome_part_is_settled (chrome->part))
        continue;
      if (!tt_chrome_finish (chrome, out, find_name_in_store, store, error))
        return FALSE;
      report->end = chrome->part->is_over ? TT_EXPORT_OVER : chrome->part->is_odd ? TT_EXPORT_ODD : TT_EXPORT_WHOLE;
      return TRUE;
    }
}

gboolean
tt_chrome_export (TtStore *store, TtOutput *out, const TtExportOptions *options, TtExportReport *report, GError **error)
{
  if (options->crew != NULL)
    return export_part (store, out, options, report, error);
  g_autoptr (TtChrome) chrome = tt_chrome_new (options, report);

  if (options->selection != NULL && !tt_selection_bind (options->selection, store, error))
    return FALSE;
  return collect (chrome, store, error) && tt_chrome_finish (chrome, out, find_name_in_store, store, error);
}

/* -- from an importer -------------------------------------------------------------------------------- */

typedef struct
{
  TtSinkBack back;
  TtChrome *chrome;
  ChromeOwners *owners;
  ChromeHalves *halves;
  ChromeFlows *flows;
  TtOutput *out;
  TtNames *names; /* the sink's */
} ChromeBack;

static void
define_name (ChromeBack *self, const TtBatch *batch, const TtDefinition *definition)
{
  const char *text[TT_N_NAME_TEXTS];

  for (int i = 0; i < TT_N_NAME_TEXTS; i++)
    text[i] = tt_batch_text (batch, definition->text[i]);
  const char *whole = text[TT_NAME_TEXT] != NULL ? text[TT_NAME_TEXT] : "";
  tt_chrome_name (self->chrome, definition->id, whole, text[TT_NAME_SUFFIX]);
  if (self->chrome->options->selection == NULL)
    return;

  TtStoredName name = {
    .id = definition->id,
    .op_cat = text[TT_NAME_OP_CAT],
    .op_name = text[TT_NAME_OP_NAME],
    .sub_op = text[TT_NAME_SUB_OP],
    .suffix = text[TT_NAME_SUFFIX],
    .text = text[TT_NAME_TEXT],
    .raw = text[TT_NAME_RAW],
    .group = text[TT_NAME_GROUP],
    .file = text[TT_NAME_FILE],
    .line = definition->a,
    .is_collective = definition->b != 0,
  };
  tt_selection_bind_name (self->chrome->options->selection, definition->id, &name);
}

static gboolean
define (ChromeBack *self, const TtBatch *batch, const TtDefinition *definition, GError **error)
{
  const char *first = tt_batch_text (batch, definition->text[0]);
  const char *second = tt_batch_text (batch, definition->text[1]);

  switch (definition->kind)
    {
    case TT_DEFINE_SOURCE:
      tt_chrome_source (self->chrome, definition->id, (TtClock) definition->a);
      break;
    case TT_DEFINE_SOURCE_END:
      tt_chrome_source (self->chrome, definition->id, (TtClock) definition->c);
      return tt_chrome_flows_end_source (self->flows, self->owners, &self->chrome->report->repairs, error);
    case TT_DEFINE_PROCESS:
      tt_chrome_process (self->chrome, definition->id, first, second, definition->a);
      break;
    case TT_DEFINE_THREAD:
      tt_chrome_thread (self->chrome, definition->id, definition->parent, first, second, definition->a);
      break;
    case TT_DEFINE_NAME:
      define_name (self, batch, definition);
      break;
    case TT_DEFINE_SERIES:
      tt_chrome_series (self->chrome, definition->id, first, second);
      break;
    case TT_DEFINE_PROCESS_LABEL:
      tt_chrome_label_process (self->chrome, definition->id, first, definition->a);
      break;
    case TT_DEFINE_PROCESS_OWNER:
      tt_chrome_own_process (self->chrome, definition->id, definition->parent);
      break;
    case TT_DEFINE_THREAD_LABEL:
      tt_chrome_label_thread (self->chrome, definition->id, first, definition->a);
      break;
    case TT_DEFINE_METADATA:
      tt_chrome_metadata (self->chrome, definition->parent, definition->id, first, second);
      tt_chrome_halves_metadata (self->halves, definition->parent, first, second);
      break;
    case TT_DEFINE_PARAMETER:
    case TT_N_DEFINITIONS:
      break;
    }
  return TRUE;
}

static TtBatch *
back_write (TtSinkBack *back, TtBatch *batch, GError **error)
{
  ChromeBack *self = (ChromeBack *) back;
  const TtCounterColumns *counters = &batch->counters;

  for (guint i = 0; i < batch->definitions->len; i++)
    if (!define (self, batch, &g_array_index (batch->definitions, TtDefinition, i), error))
      return NULL;
  tt_chrome_args_take (self->chrome->args, batch, &self->chrome->report->repairs);
  tt_chrome_events (self->chrome, batch);
  for (guint i = 0; i < counters->n; i++)
    tt_chrome_counter (self->chrome, counters->series[i], counters->thread[i], counters->ts_ns[i], counters->is_real[i],
                       counters->value[i]);
  tt_chrome_owners_add (self->owners, batch);
  if (self->chrome->roots != NULL)
    tt_chrome_roots_add (self->chrome->roots, batch);
  tt_chrome_halves_add (self->halves, self->chrome, batch);
  tt_chrome_flows_add (self->flows, batch);

  if (!tt_spill_check (self->chrome->extras, error) || !tt_chrome_args_check (self->chrome->args, error))
    return NULL;
  tt_batch_clear (batch);
  return batch;
}

static gboolean
find_name_of_names (gpointer data, guint32 id, TtStoredName *stored)
{
  TtName name;

  if (!tt_names_get (data, id, &name))
    return FALSE;
  *stored = (TtStoredName){
    .id = id,
    .op_cat = name.op_cat,
    .op_name = name.op_name,
    .sub_op = name.sub_op,
    .suffix = name.suffix,
    .text = name.text,
    .raw = name.raw,
    .group = name.group,
    .file = name.file,
    .line = name.line,
    .is_collective = name.is_collective,
    .communicator = name.communicator,
  };
  return TRUE;
}

/* Only now all ranks are known. */
static void
bind_threads (TtChrome *chrome)
{
  for (guint32 id = 0; id < chrome->threads->len; id++)
    {
      const ChromeThread *known = tt_chrome_thread_at (chrome, id);
      if (known->tid == NULL)
        continue;
      const ChromeProcess *of = tt_chrome_process_at (chrome, known->process);
      TtThread thread = {
        .id = id, .process = known->process, .tid = known->tid, .label = known->label, .order = known->order
      };
      TtProcess process = { .id = known->process, .pid = of->pid, .label = of->label, .rank = of->rank };
      tt_selection_bind_thread (chrome->options->selection, id, &thread, &process);
    }
}

static gboolean
back_finish (TtSinkBack *back, GError **error)
{
  ChromeBack *self = (ChromeBack *) back;
  TtChrome *chrome = self->chrome;

  if (chrome->options->selection != NULL)
    {
      bind_threads (chrome);
      tt_selection_bind_first_time (chrome->options->selection, tt_chrome_first_time (chrome));
      cut_to_window (chrome);
    }
  tt_names_seal (self->names);
  return (chrome->roots == NULL || tt_chrome_roots_finish (chrome->roots, chrome, self->owners, error)) &&
         tt_chrome_halves_finish (self->halves, chrome, self->owners, error) &&
         tt_chrome_flows_finish (self->flows, chrome, error) &&
         tt_chrome_finish (chrome, self->out, find_name_of_names, self->names, error);
}

static void
back_dispose (TtSinkBack *back)
{
  ChromeBack *self = (ChromeBack *) back;

  tt_chrome_free (self->chrome);
  tt_chrome_owners_free (self->owners);
  tt_chrome_halves_free (self->halves);
  tt_chrome_flows_free (self->flows);
}

static const TtSinkBackClass back_class = {
  .name = "chrome",
  .write = back_write,
  .finish = back_finish,
  .dispose = back_dispose,
};

TtSink *
tt_chrome_sink_new (TtOutput *out, TtNames *names, const TtExportOptions *options, TtExportReport *report)
{
  ChromeBack *self = g_new0 (ChromeBack, 1);

  self->back.klass = &back_class;
  self->chrome = tt_chrome_new (options, report);
  self->owners = tt_chrome_owners_new ();
  self->halves = tt_chrome_halves_new ();
  self->flows = tt_chrome_flows_new ();
  self->out = out;
  self->names = names;
  TtSink *sink = tt_sink_new (&self->back, names);
  sink->tells_places = TRUE;
  sink->takes_no_hash = TRUE;
  return sink;
}
