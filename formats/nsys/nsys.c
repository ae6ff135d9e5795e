/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/nsys/device.h"
#include "formats/nsys/host.h"
#include "formats/nsys/labels.h"
#include "formats/nsys/lanes.h"
#include "formats/nsys/measures.h"
#include "formats/nsys/mpi.h"
#include "formats/nsys/names.h"
#include "formats/nsys/nvtx.h"
#include "formats/nsys/samples.h"
#include "src/base/error.h"
#include "src/base/input.h"
#include "src/base/slots.h"

#include <string.h>

/* `nsys export --type sqlite`: the importer. */

/* Most calls start nothing on a device. Kineto has arrows of this name for the same thing. */
static const TtFlowKind launch_flow = { .text = "ac2g", .link = TT_LINK_LAUNCH, .is_open = TRUE };

/* -- once all rows are in --------------------------------------------------------------------------------- */

static guint32
hook (TtTraceRecord *span, guint32 context, guint32 flows, gpointer data)
{
  TtNsys *self = data;
  guint32 role = span->tag & TT_NSYS_ROLE_MASK;

  (void) flows;
  if (span->tag == 0)
    return context;
  if (role != TT_NSYS_PLAIN_CALL)
    {
      const TtActivity activity = { .role = (TtActivityRole) role,
                                    .blocks = (span->tag & TT_NSYS_BLOCKS) != 0,
                                    .queue = tt_activity_is_work ((TtActivityRole) role)
                                                 ? span->thread
                                                 : span->tag >> TT_NSYS_QUEUE_SHIFT,
                                    .correlation = span->key };
      span->activity = tt_sink_hold_activity (self->sink, &activity);
    }
  if (self->is_joined && span->key != 0 && role != TT_ACTIVITY_TRACER)
    {
      guint64 program = tt_nsys_program_of (self->lanes, span->process) - self->sink->source_first_process + 1;

      span->own_flow = &launch_flow;
      span->flow_key = tt_slots_mix (span->key ^ tt_slots_mix (program));
      span->flow_phase = TT_NSYS_IS_WORK_OR_MARK (role) ? TT_FLOW_CONSUMER : TT_FLOW_START;
    }
  return context;
}

/* -- what is not read ------------------------------------------------------------------------------------- */

static const char *const read_tables[] = { "CUPTI_ACTIVITY_KIND_KERNEL",
                                           "CUPTI_ACTIVITY_KIND_MEMCPY",
                                           "CUPTI_ACTIVITY_KIND_MEMSET",
                                           "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
                                           "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
                                           "NVTX_EVENTS",
                                           "MPI_P2P_EVENTS",
                                           "MPI_COLLECTIVES_EVENTS",
                                           "MPI_START_WAIT_EVENTS",
                                           "MPI_OTHER_EVENTS",
                                           "CUDA_GPU_MEMORY_USAGE_EVENTS",
                                           "GPU_METRICS",
                                           "DIAGNOSTIC_EVENT",
                                           "MPI_COMMUNICATORS",
                                           "COMPOSITE_EVENTS",
                                           NULL };

static gboolean
has_times (TtNsys *self, const char *table)
{
  return tt_tables_has_column (self->tables, table, "start") || tt_tables_has_column (self->tables, table, "timestamp");
}

/* Tables of events that no reader takes are named, with their rows. */
static gboolean
report_rest (TtNsys *self, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (const char *const *table = tt_tables_names (self->tables); *table != NULL; table++)
    {
      guint64 n;

      if (g_strv_contains (read_tables, *table) || tt_nsys_is_of_calls (*table) || !has_times (self, *table))
        continue;
      if (!tt_tables_count (self->tables, *table, &n, error))
        return FALSE;
      if (n == 0)
        continue;
      tt_repairs_add_many (&self->sink->repairs, TT_REPAIR_SKIPPED_KIND, self->n_rows, n);
      if (names->len < 1000)
        g_string_append_printf (names, "%s%.100s (%" G_GUINT64_FORMAT ")", names->len > 0 ? ", " : "", *table, n);
    }
  if (names->len > 0)
    tt_sink_note (self->sink, "%s: tables that are not read, with their rows: %s", self->path, names->str);
  return TRUE;
}

/* -- one file ---------------------------------------------------------------------------------------------- */

static gboolean
is_export (const TtTables *tables)
{
  for (const char *const *table = tt_tables_names (tables); *table != NULL; table++)
    if (g_strv_contains (read_tables, *table) || tt_nsys_is_of_calls (*table))
      return TRUE;
  return FALSE;
}

static gboolean
check_is_export (const TtNsys *self, GError **error)
{
  if (is_export (self->tables))
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
               "%s: an SQLite database, but no export of Nsight Systems: it has none of its tables of events",
               self->path);
  return FALSE;
}

/* *clock: relative where the export does not say when the session began. */
static gboolean
read_clock (TtNsys *self, TtClock *clock, GError **error)
{
  static const char *const columns[] = { "utcEpochNs", NULL };
  GError *local = NULL;
  g_autoptr (TtRows) rows = tt_tables_rows (self->tables, "TARGET_INFO_SESSION_START_TIME", columns, "LIMIT 1", &local);

  *clock = TT_CLOCK_RELATIVE;
  if (rows != NULL && tt_nsys_next (self, rows, &local) && tt_rows_int (rows, 0, &self->base_ns) && self->base_ns > 0)
    *clock = TT_CLOCK_EPOCH;
  else
    self->base_ns = 0;
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, local);
  return FALSE;
}

static gboolean
has_work (TtNsys *self)
{
  for (guint i = 0; i < 5; i++)
    if (!tt_tables_is_empty (self->tables, read_tables[i]))
      return TRUE;
  return FALSE;
}

static gboolean
read_rows (TtNsys *self, GError **error)
{
  self->sink->repairs.counts_events = TRUE;
  self->is_joined = has_work (self) && !tt_tables_is_empty (self->tables, "CUPTI_ACTIVITY_KIND_RUNTIME");
  tt_arrange_flow_kind (self->arrange, &launch_flow);
  tt_arrange_set_hook (self->arrange, hook, self);
  return tt_nsys_names_open (self, error) && tt_nsys_lanes_read (self, error) && tt_nsys_read_calls (self, error) &&
         tt_nsys_read_devices (self, error) && tt_nsys_read_nvtx (self, error) && tt_nsys_read_mpi (self, error) &&
         tt_nsys_read_samples (self, error) && tt_nsys_read_measures (self, error) &&
         tt_nsys_read_labels (self, error) && report_rest (self, error) && tt_arrange_check (self->arrange, error) &&
         tt_arrange_finish (self->arrange, error);
}

static gboolean
import_open (TtNsys *self, TtInput *file, GError **error)
{
  g_autofree char *hash = tt_input_hash (file, error);
  TtClock clock;

  if (hash == NULL || !check_is_export (self, error))
    return FALSE;
  tt_names_set_source (self->sink->names, "nsys");
  tt_sink_begin_source (self->sink, "nsys", self->path, TT_CLOCK_RELATIVE);
  if (!tt_sink_check (self->sink, tt_input_progress (file), error) || !read_clock (self, &clock, error) ||
      !read_rows (self, error))
    return FALSE;
  if (self->options->strict && !tt_repairs_check_none (&self->sink->repairs, self->path, error))
    return FALSE;
  tt_nsys_own_timeless (self);
  tt_sink_end_source (self->sink, tt_input_disk_bytes (file), hash, clock);
  return TRUE;
}

static gboolean
import_file (const char *path, const TtImportOptions *options, TtSink *sink, GError **error)
{
  TtNsys self = { .sink = sink, .options = options, .path = path };
  g_autoptr (TtTables) tables = tt_tables_open (path, error);
  g_autoptr (TtInput) file = tables == NULL ? NULL : tt_input_open (path, error);
  g_autoptr (TtArrange) arrange = NULL;
  g_autoptr (GString) args = g_string_new (NULL);

  if (file == NULL)
    return FALSE;
  self.tables = tables;
  self.arrange = arrange = tt_arrange_new (sink);
  self.args = args;
  self.lanes = tt_nsys_lanes_new ();
  self.names = tt_nsys_names_new ();
  gboolean is_done = import_open (&self, file, error);
  tt_nsys_names_free (self.names);
  tt_nsys_lanes_free (self.lanes);
  tt_map64_clear (&self.timeless);
  return is_done;
}

static gboolean
import_set (const TtInputSet *input, const TtImportOptions *options, TtSink *sink, GError **error)
{
  return import_file (input->paths->pdata[0], options, sink, error);
}

/* The first bytes are those of any database; what tables it has is known once it is open. Why it cannot be opened is
 * told when it is imported. */
static guint
probe (const TtProbe *file)
{
  guint32 application_id;

  if (!tt_tables_probe (file->head, file->len, &application_id) || application_id != 0)
    return 0;

  g_autoptr (TtTables) tables = tt_tables_open (file->path, NULL);
  return tables == NULL ? 30 : is_export (tables) ? 90 : 0;
}

const TtFormat tt_format_nsys = {
  .name = "nsys",
  .summary = "Nsight Systems: SQLite export of a report (nsys export --type sqlite)",
  .probe = probe,
  .group = tt_group_by_file,
  .import = import_set,
};
