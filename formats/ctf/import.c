/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The importer of CTF: finds the traces of an input, reads them one after another, and hands each event to the part
 * that its binding names.
 */
#include "config.h"

#include "formats/ctf/import.h"

#include "formats/ctf/binaries.h"
#include "formats/ctf/closing.h"
#include "formats/ctf/devices.h"
#include "formats/ctf/evidence.h"
#include "formats/ctf/facts.h"
#include "formats/ctf/fingerprint.h"
#include "formats/ctf/interrupts.h"
#include "formats/ctf/layout.h"
#include "formats/ctf/messages.h"
#include "formats/ctf/metadata.h"
#include "formats/ctf/parts.h"
#include "formats/ctf/reader.h"
#include "formats/ctf/requests.h"
#include "formats/ctf/spans.h"
#include "formats/ctf/states.h"
#include "formats/ctf/teams.h"
#include "formats/ctf/text.h"
#include "src/base/error.h"
#include "src/base/look.h"

#include <glib/gstdio.h>
#include <string.h>

/* Of Linux. */
#define MAX_PID 4194304
#define MAX_NOTES 20u

typedef struct
{
  TtCtfSession session;
  gboolean is_relative;             /* the clock of a trace does not count from 1970 */
  char *with_clock, *without_clock; /* the first trace of each sort; NULL: none */
  guint n_broken;
  char *last_broken; /* why the last stream that is left out is; NULL: none is */
} Import;

/* -- events ------------------------------------------------------------------------------------------------- */

static void
consume_fact (TtCtfSession *self, TtCtfThread *thread, TtCtfBinding *binding, const TtCtfEvent *event)
{
  switch (binding->fact->kind)
    {
    case TT_CTF_ACTIVITY:
      tt_ctf_activity (self, thread, binding, event);
      break;
    case TT_CTF_CALIBRATION:
      tt_ctf_calibrate (self, thread->process, binding, event);
      break;
    case TT_CTF_ENERGY:
      tt_ctf_energy (self, thread, event);
      break;
    case TT_CTF_MANIFEST_PROCESS:
      tt_ctf_manifest_process (thread->process, event);
      break;
    case TT_CTF_MANIFEST_VALUE:
      tt_ctf_manifest_value (thread->process, binding, event);
      break;
    }
  tt_nest_touch (self->nest, thread->nest, event->ts_ns);
}

static void
write_instant (TtCtfSession *self, TtCtfThread *thread, TtCtfBinding *binding, const TtCtfEvent *event)
{
  gboolean is_zero;
  const TtNestSpan instant = { .ts_ns = event->ts_ns,
                               .args = tt_ctf_event_args (self, binding, event),
                               .offset = tt_ctf_event_number (self, event),
                               .name = tt_ctf_event_name (self, binding, event, &is_zero),
                               .step = TT_NO_STEP };

  tt_nest_moment (self->nest, thread->nest, &instant);
}

/* Requests stay as instants of the thread that asks, too. */
static void
consume_kernel (TtCtfSession *self, TtCtfThread *thread, TtCtfBinding *binding, const TtCtfEvent *event)
{
  if (binding->kernel.kind >= TT_CTF_REQUEST_BEGIN)
    {
      write_instant (self, thread, binding, event);
      tt_ctf_request (self, binding, event);
      return;
    }
  tt_nest_touch (self->nest, thread->nest, event->ts_ns);
  tt_ctf_interrupt (self, binding, event);
}

static void
begin_span (TtCtfSession *self, TtCtfThread *thread, TtCtfBinding *binding, const TtCtfEvent *event)
{
  tt_ctf_begin_span (self, thread, binding, event);
  if (binding->span->kind == TT_CTF_DEVICE_CALL)
    tt_ctf_launch (self, thread, binding, event);
}

/* In traces of 2017-18 the begin of MPI_Init has the pid, and its end the rank: nothing joins them. */
static gboolean
is_unlinked_init (TtCtfSession *self, const TtCtfBinding *binding, const TtCtfEvent *event)
{
  if (!binding->mpi.is_old || !binding->mpi.is_init)
    return FALSE;
  if (binding->is_begin)
    tt_sink_repair (self->sink, TT_REPAIR_UNLINKED_INIT, tt_ctf_event_number (self, event));
  return TRUE;
}

/* Of processes numbered 0 there is one, the kernel's, which says more than zeros. */
static gboolean
is_hole (const TtCtfBinding *binding, const TtCtfEvent *event)
{
  gint64 pid;

  return tt_ctf_integer (event, binding->identity.pid, &pid) && pid == 0 && tt_ctf_event_is_zero (event);
}

/* No system numbers its processes so, and what is in process 0 is the kernel's and in its thread 0. */
static gboolean
cannot_be (const TtCtfBinding *binding, const TtCtfEvent *event)
{
  gint64 pid, tid = 0;

  if (!tt_ctf_integer (event, binding->identity.pid, &pid))
    return FALSE;
  if (binding->identity.is_of_perf && pid <= 0)
    return pid < -1;
  return pid < 0 || pid > MAX_PID || (pid == 0 && tt_ctf_integer (event, binding->identity.tid, &tid) && tid != 0);
}

/* Names and labels stand once in the metadata, and in the arguments of each event: no more than so many times its bytes,
 * beyond what traces of few events may take. */
#define ARGS_PER_BYTE 64u
#define LEAST_ARGS ((guint64) 16 << 20)

static void
on_event (const TtCtfEvent *event, gpointer data)
{
  TtCtfSession *self = &((Import *) data)->session;
  TtCtfBinding *binding = event->klass->binding;

  self->args_room += (guint64) event->n_bytes * ARGS_PER_BYTE;
  if (G_UNLIKELY (binding == NULL))
    {
      binding = tt_ctf_binding_new (event->klass, (const char *const *) self->options->args, self->more_rules);
      event->klass->binding = binding;
      event->klass->free_binding = tt_ctf_binding_free;
    }
  self->trace.n_events = event->number;
  self->trace.last_ns = event->ts_ns;
  if (G_UNLIKELY (is_hole (binding, event)))
    {
      tt_sink_repair (self->sink, TT_REPAIR_ZERO_RECORD, tt_ctf_event_number (self, event));
      return;
    }
  if (G_UNLIKELY (cannot_be (binding, event) || (event->is_moved && !tt_ctf_knows_process (self, binding, event))))
    {
      tt_sink_repair (self->sink, TT_REPAIR_DAMAGED_RECORD, tt_ctf_event_number (self, event));
      return;
    }
  gboolean is_unlinked = is_unlinked_init (self, binding, event);
  if (is_unlinked && binding->is_begin)
    return;

  if (G_UNLIKELY (self->sees_states))
    tt_ctf_states_see (self, binding, event);
  TtCtfThread *thread = tt_ctf_thread_of (self, binding, event);
  tt_ctf_weigh (self, thread, binding, event);
  self->current = thread->process;
  if (G_UNLIKELY (binding->memory.kind != TT_CTF_MEMORY_NONE) && self->binaries != NULL)
    tt_ctf_binaries_change (self->binaries, thread->process, binding, event);
  if (event->is_moved)
    tt_sink_repair_of (self->sink, thread->process->id, TT_REPAIR_TIME_OUTLIER, tt_ctf_event_number (self, event));
  if (G_UNLIKELY (binding->kernel.kind != TT_CTF_NOT_OF_DEVICES))
    consume_kernel (self, thread, binding, event);
  else if (binding->fact != NULL)
    consume_fact (self, thread, binding, event);
  else if (binding->span == NULL)
    write_instant (self, thread, binding, event);
  else if (is_unlinked)
    tt_nest_touch (self->nest, thread->nest, event->ts_ns);
  else if (binding->is_begin)
    begin_span (self, thread, binding, event);
  else
    tt_ctf_end_span (self, thread, binding, event);
  if (G_UNLIKELY (binding->state.kind != TT_CTF_NO_CHANGE))
    tt_ctf_states_change (self, binding, event);
  thread->last_ns = MAX (thread->last_ns, event->ts_ns);
  thread->n_events++;
}

static void
on_loss (const TtCtfLoss *loss, gpointer data)
{
  TtCtfSession *self = &((Import *) data)->session;
  TtRepairKind kind = loss->kind == TT_CTF_LOST_PACKETS ? TT_REPAIR_LOST_PACKETS : TT_REPAIR_LOST_EVENTS;
  TtCtfLoss bounded = *loss;

  if (loss->from_ns == TT_CTF_ALWAYS)
    bounded.from_ns =
        loss->until_ns == TT_CTF_ALWAYS ? self->trace.earliest_ns : MIN (self->trace.earliest_ns, loss->until_ns);
  tt_ctf_losses_add (&self->losses, &bounded);
  tt_ctf_states_lose (self, loss);
  tt_ctf_interrupts_lose (self, loss);
  tt_ctf_requests_lose (self);
  if (loss->kind != TT_CTF_LOST_PERHAPS)
    tt_repairs_add_many (&self->sink->repairs, kind, self->trace.n_before + self->trace.n_events,
                         loss->count > 0 ? (guint64) loss->count : 1);
}

/* A stream of which nothing can be read; FALSE: who imports goes on only with all. */
static gboolean
leave_out (Import *import, const char *stream, const char *why)
{
  const TtImportOptions *options = import->session.options;
  g_autofree char *path = g_build_filename (import->session.trace.path, stream, NULL);
  GError *fault = NULL;

  g_set_error (&fault, TT_ERROR, TT_ERROR_FORMAT, "%s is damaged: %s", path, why);
  g_free (import->last_broken);
  import->last_broken = g_strdup (fault->message);
  gboolean is_left_out = options->leave_out != NULL && options->leave_out (path, &fault, options->leave_out_data);
  g_clear_error (&fault);
  return is_left_out;
}

static void
on_broken_stream (const char *stream, TtCtfBreak how, const char *why, gpointer data)
{
  static const char *const words[] = { [TT_CTF_BREAK_AT_BEGIN] = "is damaged and left out",
                                       [TT_CTF_BREAK_LATER] = "is damaged and read up to there",
                                       [TT_CTF_BREAK_NO_CLOCK] = "is left out" };
  Import *import = data;
  TtCtfSession *self = &import->session;
  TtRepairKind kind = how == TT_CTF_BREAK_NO_CLOCK ? TT_REPAIR_OTHER_CLOCK : TT_REPAIR_BROKEN_STREAM;

  tt_sink_repair (self->sink, kind, self->trace.n_before + self->trace.n_events);
  ++import->n_broken;
  if (how == TT_CTF_BREAK_AT_BEGIN && leave_out (import, stream, why))
    return;
  if (import->n_broken < MAX_NOTES)
    tt_sink_note (self->sink, "%s: '%s' %s: %s", self->trace.path, stream, words[how], why);
}

static gboolean
on_facts (const TtCtfFacts *facts, gpointer data)
{
  Import *import = data;
  TtCtfTrace *trace = &import->session.trace;

  g_free (trace->hostname);
  trace->hostname = facts->hostname == NULL ? NULL : g_strdup (facts->hostname);
  trace->pid = facts->pid;
  g_free (trace->procname);
  trace->procname = g_strdup (facts->procname);
  trace->linux_version = facts->linux_version;
  trace->clock_offset_ns = facts->clock_offset_ns;
  trace->earliest_ns = facts->earliest_ns;
  import->is_relative |= facts->clock != TT_CTF_CLOCK_EPOCH;
  if (facts->n_repeated > 0)
    tt_sink_note (import->session.sink,
                  "%s: %" G_GUINT64_FORMAT " packets stand in several snapshots, and are read once", trace->path,
                  facts->n_repeated);
  if (facts->n_others > 0)
    {
      tt_repairs_add_many (&import->session.sink->repairs, TT_REPAIR_OTHER_UUID, trace->n_before, facts->n_others);
      tt_sink_note (import->session.sink,
                    "%s: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                    " packets, the first in '%s', have another UUID than the metadata: they are read as these have it,"
                    " and may be another trace's",
                    trace->path, facts->n_others, facts->n_packets, facts->other);
    }
  char **first = facts->clock == TT_CTF_NO_CLOCK ? &import->without_clock : &import->with_clock;
  if (*first == NULL)
    *first = g_strdup (trace->path);
  if (facts->clock == TT_CTF_NO_CLOCK)
    tt_sink_note (
        import->session.sink,
        "%s: its events have no times, for its metadata map no clock: they are kept in their order, and times "
        "are numbers of events",
        trace->path);
  return import->with_clock == NULL || import->without_clock == NULL;
}

/* Numbers of events and times have nothing in common. */
static gboolean
check_clocks (const Import *import, GError **error)
{
  if (import->with_clock == NULL || import->without_clock == NULL)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
               "%s: its events have no times, those of '%s' have: import them into databases of their own",
               import->without_clock, import->with_clock);
  return FALSE;
}

static gboolean
on_check (gpointer data, GError **error)
{
  TtCtfSession *self = &((Import *) data)->session;

  return tt_sink_check (self->sink, 0, error) && tt_nest_check (self->nest, error) &&
         tt_ctf_messages_check (self->messages, error);
}

/* -- a trace ------------------------------------------------------------------------------------------------- */

/* So many events a trace has at least, for one that has a process for itself. */
#define OTHER_EVENTS 300u
#define MAX_LONE_PROCESSES 3u

/* One damaged field invents a process, and nothing tells it from one that did a single thing. */
static void
tell_lone_processes (TtCtfSession *self)
{
  const GPtrArray *processes = self->processes->in_order;
  g_autoptr (GString) pids = g_string_new (NULL);
  guint n = 0;

  for (guint i = 0; i < processes->len; i++)
    {
      const TtCtfProcess *process = processes->pdata[i];
      const TtCtfThread *thread = process->in_order->len == 1 ? process->in_order->pdata[0] : NULL;

      if (thread == NULL || thread->n_events != 1)
        continue;
      g_string_append_printf (pids, "%s%" G_GINT64_FORMAT, n == 0 ? "" : ", ", process->pid);
      n++;
    }
  if (n > 0 && n <= MAX_LONE_PROCESSES && self->trace.n_events >= OTHER_EVENTS)
    tt_sink_note (self->sink, "%s: process%s %s %s a single event of %" G_GUINT64_FORMAT ": perhaps damaged",
                  self->trace.path, n == 1 ? "" : "es", pids->str, n == 1 ? "has" : "have each", self->trace.n_events);
}

static gboolean
finish_trace (Import *import, GError **error)
{
  TtCtfSession *self = &import->session;
  const GPtrArray *processes = self->processes->in_order;

  for (guint i = 0; i < processes->len; i++)
    {
      tt_ctf_team_settle_all (self, processes->pdata[i]);
      tt_ctf_close_spans (self, processes->pdata[i]);
      tt_ctf_write_manifest (self, processes->pdata[i]);
    }
  tell_lone_processes (self);
  tt_ctf_write_coverage (self);
  tt_ctf_interrupts_finish (self);
  tt_ctf_requests_finish (self);
  gboolean is_written = tt_ctf_states_finish (self, error);
  tt_nest_finish (self->nest);
  return is_written && tt_nest_check (self->nest, error) && tt_ctf_write_activities (self, error) &&
         on_check (import, error);
}

static gboolean
read_trace (Import *import, const TtCtfParts *parts, GError **error)
{
  static const TtCtfHandler handler = {
    .begin = on_facts, .event = on_event, .lost = on_loss, .broken = on_broken_stream, .check = on_check
  };
  TtCtfSession *self = &import->session;
  g_autoptr (TtNest) nest = tt_nest_new (self->sink);

  self->trace.path = parts->root;
  self->trace.n_events = 0;
  if (self->binaries != NULL)
    tt_ctf_binaries_forget (self->binaries);
  self->nest = nest;
  self->devices = tt_ctf_devices_new ();
  self->states = tt_ctf_states_new ();
  self->sees_states = TRUE;
  self->interrupts = tt_ctf_interrupts_new ();
  self->requests = tt_ctf_requests_new ();
  gboolean is_read =
      tt_ctf_read_parts ((const char *const *) parts->paths->pdata, parts->root, &handler, import, error) &&
      check_clocks (import, error) && finish_trace (import, error);
  self->trace.n_before += self->trace.n_events;
  g_clear_pointer (&self->devices, tt_ctf_devices_free);
  g_clear_pointer (&self->states, tt_ctf_states_free);
  g_clear_pointer (&self->interrupts, tt_ctf_interrupts_free);
  g_clear_pointer (&self->requests, tt_ctf_requests_free);
  tt_ctf_processes_clear (self->processes);
  tt_ctf_losses_clear (&self->losses);
  tt_ctf_coverage_clear (&self->coverage);
  self->nest = NULL;
  return is_read;
}

/* -- a set ----------------------------------------------------------------------------------------------------- */

/* A trace of which nothing has been read is no reason to refuse the others. A disk that fails is: what it holds may be
 * whole. */
static gboolean
read_or_leave_out (Import *import, const TtCtfParts *parts, gboolean is_last, GError **error)
{
  const TtImportOptions *options = import->session.options;
  GError *fault = NULL;

  if (read_trace (import, parts, &fault))
    return TRUE;
  gboolean is_needed = is_last && import->session.trace.n_before == 0;
  gboolean has_both_clocks = import->with_clock != NULL && import->without_clock != NULL;
  gboolean is_damage = !g_error_matches (fault, TT_ERROR, TT_ERROR_INPUT);

  if (is_damage && !is_needed && !has_both_clocks && import->session.trace.n_events == 0 &&
      options->leave_out != NULL && !import->session.options->strict &&
      options->leave_out (parts->root, &fault, options->leave_out_data))
    return TRUE;
  g_propagate_error (error, fault);
  return FALSE;
}

static gboolean
read_traces (Import *import, const GPtrArray *directories, GError **error)
{
  TtCtfProcesses *processes = import->session.processes;
  g_autoptr (GPtrArray) traces = tt_ctf_parts_find (directories);
  gboolean has_prefix = tt_ctf_parts_have_hosts (traces);

  for (guint i = 0; i < traces->len; i++)
    {
      const TtCtfParts *parts = traces->pdata[i];

      g_free (processes->pid_prefix);
      processes->pid_prefix = has_prefix && parts->host != NULL ? g_strdup_printf ("%s.", parts->host) : g_strdup ("");
      if (!read_or_leave_out (import, parts, i + 1 == traces->len, error))
        return FALSE;
    }
  tt_ctf_write_messages (&import->session);
  return TRUE;
}

static gboolean
check_any (const Import *import, const char *path, GError **error)
{
  if (import->session.trace.n_before > 0 || import->n_broken == 0)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: no event can be read: %s", path,
               import->last_broken == NULL ? "its streams are damaged" : import->last_broken);
  return FALSE;
}

/* Pairs of events that the user names. NULL: there are none. */
static GArray *
list_rules (const TtNameRules *names)
{
  const GArray *pairs = names == NULL ? NULL : tt_name_rules_pairs (names);
  GArray *rules;

  if (pairs == NULL || pairs->len == 0)
    return NULL;
  rules = g_array_new (FALSE, TRUE, sizeof (TtCtfSpanRule));
  for (guint i = 0; i < pairs->len; i++)
    {
      const TtPairRule *pair = &g_array_index (pairs, TtPairRule, i);
      const TtCtfSpanRule rule = { .begin = pair->begin,
                                   .end = pair->end,
                                   .kind = TT_CTF_OTHER_SPAN,
                                   .op_cat = pair->op_cat,
                                   .op_field = pair->field,
                                   .match = { pair->field },
                                   .nests = TRUE };
      g_array_append_val (rules, rule);
    }
  return rules;
}

gboolean
tt_ctf_import (const TtInputSet *input, const TtImportOptions *options, TtSink *sink, GError **error)
{
  g_autoptr (GPtrArray) traces = tt_ctf_layout_find (input, error);
  g_autoptr (TtHashAhead) ahead = tt_hash_ahead_new (input->paths);
  guint64 bytes = 0;
  Import import = {
    .session = {
      .sink = sink,
      .options = options,
      .processes = tt_ctf_processes_new (),
      .messages = tt_ctf_messages_new (),
      .json = g_string_new (NULL),
      .args_room = LEAST_ARGS,
      .binaries = options->binaries == NULL ? NULL : tt_ctf_binaries_new (options->binaries),
    },
  };
  TtCtfSession *self = &import.session;

  self->more_rules = list_rules (tt_names_rules (sink->names));
  tt_names_set_source (sink->names, "ctf");
  if (traces != NULL && !sink->takes_no_hash)
    tt_hash_ahead_start (ahead);
  tt_sink_begin_source (sink, "ctf", input->root, TT_CLOCK_EPOCH);
  sink->repairs.counts_events = TRUE;
  gboolean is_good = traces != NULL && read_traces (&import, traces, error) &&
                     check_any (&import, input->root, error) &&
                     (!options->strict || tt_repairs_check_none (&sink->repairs, input->root, error));
  if (is_good && self->binaries != NULL)
    tt_ctf_binaries_tell (self);
  g_autofree char *hash = NULL;
  is_good = is_good &&
            (sink->takes_no_hash ? tt_ctf_fingerprint (input, &bytes, NULL, error)
                                 : tt_ctf_join_hashes (input, ahead, &bytes, &hash, error)) &&
            tt_sink_check (sink, bytes, error);
  if (is_good)
    tt_sink_end_source (sink, bytes, hash == NULL ? "" : hash,
                        import.without_clock != NULL ? TT_CLOCK_TICKS
                        : import.is_relative         ? TT_CLOCK_RELATIVE
                                                     : TT_CLOCK_EPOCH);
  g_free (import.last_broken);
  g_free (import.with_clock);
  g_free (import.without_clock);
  g_string_free (self->json, TRUE);
  g_clear_pointer (&self->more_rules, g_array_unref);
  tt_ctf_kinship_clear (&self->kinship);
  tt_ctf_messages_free (self->messages);
  tt_ctf_binaries_free (self->binaries);
  tt_ctf_processes_free (self->processes);
  g_free (self->trace.hostname);
  g_free (self->trace.procname);
  return is_good;
}
