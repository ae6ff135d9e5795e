#include "config.h"

#include "formats/ctf/layout.h"
#include "formats/ctf/metadata.h"
#include "formats/ctf/session.h"
#include "src/base/error.h"
#include "src/base/input.h"

#include <glib/gstdio.h>
#include <string.h>

#define HALVES_MEMORY ((gsize) 4 << 20)
#define MOST_NOTES 20u

/* -- events ------------------------------------------------------------------------------------------------- */

static void
take_fact (TtCtfSession *self, TtCtfThread *thread, TtCtfPlan *plan, const TtCtfEvent *event)
{
  switch (plan->fact->kind)
    {
    case TT_CTF_ACTIVITY:
      tt_ctf_activity (self, thread, plan, event);
      break;
    case TT_CTF_CALIBRATION:
      tt_ctf_calibrate (self, thread->process, plan, event);
      break;
    case TT_CTF_ENERGY:
      tt_ctf_energy (self, thread, plan, event);
      break;
    case TT_CTF_MANIFEST_PROCESS:
      tt_ctf_manifest_process (self, thread->process, plan, event);
      break;
    case TT_CTF_MANIFEST_VALUE:
      tt_ctf_manifest_value (self, thread->process, plan, event);
      break;
    }
  tt_nest_touch (self->nest, thread->nest, event->ts_ns);
}

static void
put_instant (TtCtfSession *self, TtCtfThread *thread, TtCtfPlan *plan, const TtCtfEvent *event)
{
  gboolean is_zero;
  const TtNestSpan instant = { .ts_ns = event->ts_ns,
                               .args = tt_ctf_plan_args (self, plan, event),
                               .offset = self->base + event->number,
                               .name = tt_ctf_plan_name (self, plan, event, &is_zero),
                               .step = TT_NO_STEP };

  tt_nest_moment (self->nest, thread->nest, &instant);
}

/* In traces of 2017-18 the begin of MPI_Init knows the pid, and its end the rank: nothing joins them. */
static gboolean
is_unlinked_init (TtCtfSession *self, const TtCtfPlan *plan, const TtCtfEvent *event)
{
  if (!plan->is_old_mpi || !plan->is_mpi_init)
    return FALSE;
  if (plan->is_begin)
    tt_sink_repair (self->sink, TT_REPAIR_UNLINKED_INIT, self->base + event->number);
  return TRUE;
}

static void
take_event (const TtCtfEvent *event, gpointer data)
{
  TtCtfSession *self = data;
  TtCtfPlan *plan = event->klass->plan;

  if (G_UNLIKELY (plan == NULL))
    {
      event->klass->plan = plan = tt_ctf_plan_new (self, event->klass);
      event->klass->free_plan = tt_ctf_plan_free;
    }
  self->n_events = event->number;
  if (is_unlinked_init (self, plan, event) && plan->is_begin)
    return;

  TtCtfThread *thread = tt_ctf_thread_of (self, plan, event);
  if (plan->fact != NULL)
    take_fact (self, thread, plan, event);
  else if (plan->span == NULL)
    put_instant (self, thread, plan, event);
  else if (plan->is_old_mpi && plan->is_mpi_init)
    tt_nest_touch (self->nest, thread->nest, event->ts_ns);
  else if (plan->is_begin)
    tt_ctf_begin_span (self, thread, plan, event);
  else
    tt_ctf_end_span (self, thread, plan, event);
}

static void
take_loss (gboolean is_packets, gint64 count, gpointer data)
{
  TtCtfSession *self = data;
  TtRepairKind kind = is_packets ? TT_REPAIR_LOST_PACKETS : TT_REPAIR_LOST_EVENTS;

  tt_repairs_add_many (&self->sink->repairs, kind, self->base + self->n_events, count > 0 ? (guint64) count : 1);
}

static void
take_broken (const char *stream, gboolean has_begun, const char *why, gpointer data)
{
  TtCtfSession *self = data;

  tt_sink_repair (self->sink, TT_REPAIR_BROKEN_STREAM, self->base + self->n_events);
  if (++self->n_broken < MOST_NOTES)
    tt_sink_note (self->sink, "%s: '%s' is damaged and %s: %s", self->path, stream,
                  has_begun ? "read up to there" : "left out", why);
}

static gboolean
take_facts (const TtCtfFacts *facts, gpointer data)
{
  TtCtfSession *self = data;

  g_free (self->hostname);
  self->hostname = facts->hostname == NULL ? NULL : g_strdup (facts->hostname);
  self->clock_offset_ns = facts->clock_offset_ns;
  self->is_relative |= !facts->is_epoch;
  return TRUE;
}

static gboolean
check (gpointer data, GError **error)
{
  TtCtfSession *self = data;

  return tt_sink_check (self->sink, 0, error) && tt_nest_check (self->nest, error) &&
         tt_tape_check (self->halves, error);
}

/* -- a trace ------------------------------------------------------------------------------------------------- */

static gboolean
finish_trace (TtCtfSession *self, GError **error)
{
  for (guint i = 0; i < self->in_order->len; i++)
    {
      tt_ctf_close_all (self, self->in_order->pdata[i]);
      tt_ctf_put_manifest (self, self->in_order->pdata[i]);
    }
  tt_nest_finish (self->nest);
  return tt_nest_check (self->nest, error) && tt_ctf_put_activities (self, error) && check (self, error);
}

static gboolean
read_trace (TtCtfSession *self, const char *path, GError **error)
{
  static const TtCtfHandler handler = {
    .begin = take_facts, .event = take_event, .lost = take_loss, .broken = take_broken, .check = check
  };
  g_autoptr (TtNest) nest = tt_nest_new (self->sink);
  g_autoptr (GHashTable) processes = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, tt_ctf_process_free);
  g_autoptr (GPtrArray) in_order = g_ptr_array_new ();

  self->path = path;
  self->nest = nest;
  self->processes = processes;
  self->in_order = in_order;
  self->devices = tt_ctf_devices_new ();
  self->n_events = 0;
  gboolean is_read = tt_ctf_read (path, &handler, self, error) && finish_trace (self, error);
  self->base += self->n_events;
  g_clear_pointer (&self->devices, tt_ctf_devices_free);
  return is_read;
}

/* -- several hosts -------------------------------------------------------------------------------------------- */

static gboolean
take_hostname (const TtCtfFacts *facts, gpointer data)
{
  *(char **) data = g_strdup (facts->hostname);
  return FALSE;
}

/* The hosts of @traces, NULL where one is not known. */
static GPtrArray *
list_hosts (const GPtrArray *traces)
{
  static const TtCtfHandler handler = { .begin = take_hostname };
  GPtrArray *hosts = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < traces->len; i++)
    {
      char *host = NULL;
      /* What is wrong with the trace is said when it is read. */
      tt_ctf_read_facts (traces->pdata[i], &handler, &host, NULL);
      g_ptr_array_add (hosts, host);
    }
  return hosts;
}

/* A pid alone names a process only on one host. */
static gboolean
are_several (const GPtrArray *hosts)
{
  for (guint i = 1; i < hosts->len; i++)
    if (g_strcmp0 (hosts->pdata[i], hosts->pdata[0]) != 0)
      return TRUE;
  return FALSE;
}

/* -- a set ----------------------------------------------------------------------------------------------------- */

/* One hash over all files. */
static gboolean
fingerprint (const TtInputSet *set, guint64 *bytes, char **hash, GError **error)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_MD5);

  *bytes = 0;
  for (guint i = 0; i < set->paths->len; i++)
    {
      g_autoptr (TtInput) input = tt_input_open (set->paths->pdata[i], error);
      g_autofree char *digest = input == NULL || hash == NULL ? NULL : tt_input_hash (input, error);

      if (input == NULL || (hash != NULL && digest == NULL))
        return FALSE;
      if (digest != NULL)
        g_checksum_update (sum, (const guchar *) digest, -1);
      *bytes += tt_input_disk_bytes (input);
    }
  if (hash != NULL)
    *hash = g_strdup (g_checksum_get_string (sum));
  return TRUE;
}

static gboolean
read_traces (TtCtfSession *self, const GPtrArray *traces, GError **error)
{
  g_autoptr (GPtrArray) hosts = traces->len > 1 ? list_hosts (traces) : NULL;
  gboolean has_prefix = hosts != NULL && are_several (hosts);

  for (guint i = 0; i < traces->len; i++)
    {
      g_free (self->host_prefix);
      self->host_prefix =
          has_prefix && hosts->pdata[i] != NULL ? g_strdup_printf ("%s.", (char *) hosts->pdata[i]) : g_strdup ("");
      if (!read_trace (self, traces->pdata[i], error))
        return FALSE;
    }
  tt_ctf_put_messages (self);
  return TRUE;
}

static gboolean
check_any (const TtCtfSession *self, const char *path, GError **error)
{
  if (self->base > 0 || self->n_broken == 0)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: no event can be read: %s", path,
               self->sink->notes->len == 0 ? "its streams are damaged"
                                           : (const char *) self->sink->notes->pdata[self->sink->notes->len - 1]);
  return FALSE;
}

static guint
count_metadata (const TtInputSet *input)
{
  guint n = 0;

  for (guint i = 0; i < input->paths->len; i++)
    n += g_str_has_suffix (input->paths->pdata[i], G_DIR_SEPARATOR_S TT_CTF_METADATA);
  return n;
}

/* All traces of @input, each once; NULL with @error: not all that were there can be found again. */
static GPtrArray *
traces_of (const TtInputSet *input, GError **error)
{
  g_autoptr (GPtrArray) traces = tt_ctf_layout_traces (input->root);

  for (guint i = 0; i < input->joined->len; i++)
    {
      g_autoptr (GPtrArray) more = tt_ctf_layout_traces (input->joined->pdata[i]);
      for (guint k = 0; k < more->len; k++)
        if (!g_ptr_array_find_with_equal_func (traces, more->pdata[k], g_str_equal, NULL))
          g_ptr_array_add (traces, g_strdup (more->pdata[k]));
    }
  if (traces->len == count_metadata (input))
    return g_steal_pointer (&traces);
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT,
               "%s: only %u of %u traces can be opened again: files have gone, or too many are open (ulimit -n)",
               input->root, traces->len, count_metadata (input));
  return NULL;
}

static gboolean
import_set (const TtInputSet *input, const TtImportOptions *options, TtSink *sink, GError **error)
{
  g_autoptr (GPtrArray) traces = traces_of (input, error);
  guint64 bytes = 0;
  TtCtfSession self = {
    .sink = sink,
    .options = options,
    .json = g_string_new (NULL),
    .halves = tt_tape_new (HALVES_MEMORY),
    .ranks = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL),
  };

  tt_names_set_source (sink->names, "ctf");
  tt_sink_begin_source (sink, "ctf", input->root, TT_CLOCK_EPOCH);
  sink->repairs.counts_events = TRUE;
  gboolean is_good = traces != NULL && read_traces (&self, traces, error) && check_any (&self, input->root, error) &&
                     (!options->strict || tt_repairs_check_none (&sink->repairs, input->root, error));
  g_autofree char *hash = NULL;
  is_good = is_good && fingerprint (input, &bytes, &hash, error) && tt_sink_check (sink, bytes, error);
  if (is_good)
    tt_sink_end_source (sink, bytes, hash, self.is_relative ? TT_CLOCK_RELATIVE : TT_CLOCK_EPOCH);
  g_string_free (self.json, TRUE);
  tt_tape_free (self.halves);
  g_hash_table_unref (self.ranks);
  g_free (self.host_prefix);
  g_free (self.hostname);
  return is_good;
}

/* -- the format -------------------------------------------------------------------------------------------------- */

static gboolean
list_files (TtInputSet *set, GError **error)
{
  g_autoptr (GPtrArray) traces = tt_ctf_layout_traces (set->root);

  for (guint i = 0; i < traces->len; i++)
    {
      gboolean is_cut;
      g_autofree char *text = tt_ctf_metadata_read (traces->pdata[i], &is_cut, error);
      g_autoptr (GPtrArray) files = text == NULL ? NULL : tt_ctf_trace_files (traces->pdata[i], text, NULL, error);

      if (files == NULL)
        return FALSE;
      for (guint k = 0; k < files->len; k++)
        g_ptr_array_add (set->paths, g_strdup (files->pdata[k]));
    }
  if (set->paths->len == 0)
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
                 "%s: no CTF trace in the directory or below: none has a file 'metadata'", set->root);
  return set->paths->len > 0;
}

/* What a file of a trace is good for on its own: metadata stand for their directory. */
static gboolean
is_lone_stream (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);

  return strcmp (name, TT_CTF_METADATA) != 0;
}

static gboolean
group (GPtrArray *paths, gboolean from_directory, GPtrArray *inputs, GPtrArray *notes, GError **error)
{
  for (guint i = 0; i < paths->len; i++)
    {
      const char *path = paths->pdata[i];
      gboolean is_directory = g_file_test (path, G_FILE_TEST_IS_DIR);
      g_autofree char *directory = is_directory ? g_strdup (path) : g_path_get_dirname (path);
      g_autoptr (TtInputSet) set = tt_input_set_new ();

      if (!is_directory && is_lone_stream (path))
        {
          const char *advice =
              tt_ctf_is_trace (directory) ? "give its directory" : "its directory has no file 'metadata'";
          if (from_directory)
            {
              g_ptr_array_add (notes, g_strdup_printf ("'%s' left aside: one stream of a CTF trace; %s", path, advice));
              continue;
            }
          g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: one stream of a CTF trace, no trace alone; %s, '%s'",
                       path, advice, directory);
          return FALSE;
        }
      set->root = g_steal_pointer (&directory);
      if (!list_files (set, error))
        return FALSE;
      g_ptr_array_add (inputs, g_steal_pointer (&set));
    }
  return TRUE;
}

static guint
probe (const TtProbe *file)
{
  switch (tt_ctf_head (file->head, file->len))
    {
    case TT_CTF_TEXT_HEAD:
    case TT_CTF_PACKET_HEAD:
      return 95;
    case TT_CTF_STREAM_HEAD:
      return 90;
    default:
      return 0;
    }
}

const TtFormat tt_format_ctf = {
  .name = "ctf",
  .summary = "CTF traces of PInsight and LTTng: directories with a file 'metadata'",
  .probe = probe,
  .group = group,
  .import = import_set,
  .claims = tt_ctf_layout_claims,
  .joins = TRUE,
  .fingerprint = fingerprint,
};
