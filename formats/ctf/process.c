/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/process.h"

#include "formats/ctf/session.h"
#include "formats/ctf/states.h"

#include <string.h>

/* Without a pid in the event or its context everything on the host is one process. */
#define NO_PID (-1)

/* -- processes ---------------------------------------------------------------------------------------------- */

static void
free_thread (gpointer data)
{
  TtCtfThread *thread = data;

  g_array_unref (thread->open);
  g_clear_pointer (&thread->pending, g_array_unref);
  g_clear_pointer (&thread->doubt, g_array_unref);
  g_free (thread);
}

static void
free_process (gpointer data)
{
  TtCtfProcess *process = data;

  tt_ctf_regions_clear (&process->regions);
  g_hash_table_unref (process->threads);
  g_ptr_array_unref (process->in_order);
  g_clear_pointer (&process->manifest, g_hash_table_unref);
  g_clear_pointer (&process->calibrations, g_array_unref);
  g_free (process);
}

/* A process has one rank: traces of several machines under one name, whose processes have one number. */
static void
compare_rank (TtCtfSession *self, const TtCtfProcess *process, gint64 rank)
{
  const gint64 before =
      (gint64) GPOINTER_TO_SIZE (g_hash_table_lookup (self->processes->ranks, GUINT_TO_POINTER (process->id))) - 1;

  if (before < 0 || before == rank)
    return;
  g_hash_table_remove (self->processes->ranks, GUINT_TO_POINTER (process->id));
  tt_sink_repair_of (self->sink, process->id, TT_REPAIR_OTHER_RANK, self->trace.n_before);
  tt_sink_note (self->sink,
                "process %" G_GINT64_FORMAT " of host '%s' has MPI rank %" G_GINT64_FORMAT
                " in one trace and %" G_GINT64_FORMAT " in another: two processes of one number and host name,"
                " which are one here; 'tracetool import' each by itself makes a run of each",
                process->pid, self->trace.hostname != NULL ? self->trace.hostname : "?", before, rank);
}

static void
set_rank (TtCtfSession *self, TtCtfProcess *process, gint64 rank)
{
  GHashTable *by_rank = self->processes->by_rank;
  gpointer other;

  if (process->rank == rank)
    return;
  process->rank = rank;
  compare_rank (self, process, rank);
  tt_sink_label_process (self->sink, process->id, NULL, rank);
  if (g_hash_table_lookup_extended (by_rank, &rank, NULL, &other) && GPOINTER_TO_UINT (other) != process->id)
    self->processes->has_rank_twice = TRUE;
  g_hash_table_insert (by_rank, g_memdup2 (&rank, sizeof rank), GUINT_TO_POINTER (process->id));
}

/* What the process is called in the store. Free it. */
static char *
make_pid_text (const TtCtfSession *self, gint64 pid)
{
  if (pid != NO_PID)
    return g_strdup_printf ("%s%" G_GINT64_FORMAT, self->processes->pid_prefix, pid);
  if (self->options->pid != NULL)
    return g_strdup (self->options->pid);
  return g_strdup (self->trace.hostname != NULL ? self->trace.hostname : "host");
}

static TtCtfProcess *
add_process (TtCtfSession *self, gint64 pid, const char *label)
{
  TtCtfProcess *process = g_new0 (TtCtfProcess, 1);
  g_autofree char *valid = label == NULL ? NULL : g_utf8_make_valid (label, -1);
  g_autofree char *text = make_pid_text (self, pid);

  process->id = tt_sink_process (self->sink, text, valid, self->trace.hostname, self->options->rank);
  process->number = self->processes->in_order->len;
  process->rank = -1;
  process->order_lost_ns = G_MAXINT64;
  process->last_ns = process->shortest_delay_ns = TT_NO_TIME;
  process->threads = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, free_thread);
  process->in_order = g_ptr_array_new ();
  process->pid = pid;
  g_hash_table_insert (self->processes->by_pid, &process->pid, process);
  g_ptr_array_add (self->processes->in_order, process);
  return process;
}

/* What a thread has shown before an event that gives it to another process is damaged, and how often one may be. */
#define MIN_THREAD_EVENTS 16u
#define MAX_STRAYS 3u

/* Of a process that no event named before: the one whose thread the event is of, where that thread was seen so often that
 * a flipped bit is likelier; the first thread of a process has its number. NULL: there is none. */
static TtCtfProcess *
find_strayed_from (TtCtfSession *self, const TtCtfBinding *binding, const TtCtfEvent *event, gint64 pid)
{
  TtCtfProcesses *processes = self->processes;
  gint64 tid;

  if (binding->identity.pid == NULL || !tt_ctf_integer (event, binding->identity.tid, &tid) || tid == pid)
    return NULL;
  for (guint i = 0; i < processes->in_order->len; i++)
    {
      TtCtfProcess *process = processes->in_order->pdata[i];
      const TtCtfThread *thread = g_hash_table_lookup (process->threads, &tid);

      if (thread == NULL || thread->n_events < MIN_THREAD_EVENTS)
        continue;
      guint n = GPOINTER_TO_UINT (g_hash_table_lookup (processes->strays, &pid)) + 1;

      if (n > MAX_STRAYS)
        return NULL;
      g_hash_table_insert (processes->strays, g_memdup2 (&pid, sizeof pid), GUINT_TO_POINTER (n));
      tt_sink_repair_of (self->sink, process->id, TT_REPAIR_STRAY_THREAD, tt_ctf_event_number (self, event));
      return process;
    }
  return NULL;
}

/* LTTng has a trace for each process where its buffers are. */
static gint64
pid_of_trace (const TtCtfSession *self)
{
  return self->options->pid == NULL ? self->trace.pid : NO_PID;
}

/* Traces of 2017-18 know processes by their ranks alone. */
static TtCtfProcess *
find_process (TtCtfSession *self, TtCtfRecent *recent, const TtCtfBinding *binding, const TtCtfEvent *event)
{
  gint64 pid = NO_PID, rank = -1;
  gboolean has_rank = tt_ctf_integer (event, binding->identity.rank, &rank);

  rank = tt_ctf_as_signed (rank);
  if (!tt_ctf_integer (event, binding->identity.pid, &pid) || (binding->identity.is_of_perf && pid <= 0))
    pid = has_rank && rank >= 0 ? rank : pid_of_trace (self);

  TtCtfProcess *process = recent->process;
  if (process == NULL || recent->pid != pid)
    {
      process = g_hash_table_lookup (self->processes->by_pid, &pid);
      *recent = (TtCtfRecent){ .pid = pid, .process = process };
    }
  if (G_UNLIKELY (process == NULL))
    process = find_strayed_from (self, binding, event, pid);
  if (process == NULL)
    process = add_process (self, pid,
                           binding->identity.pid == NULL && pid != NO_PID && pid == self->trace.pid
                               ? self->trace.procname
                               : tt_ctf_text (event, binding->identity.label));
  /* Until MPI_Init returns, PInsight may write 0 as the rank. */
  if (has_rank && process->rank != rank && !event->is_moved)
    {
      gboolean is_mpi = binding->span != NULL && binding->span->kind == TT_CTF_MPI;
      if (rank > 0 || (rank == 0 && is_mpi && !(binding->mpi.is_init && binding->is_begin)))
        set_rank (self, process, rank);
    }
  process->last_ns = MAX (process->last_ns, event->ts_ns);
  return process;
}

gboolean
tt_ctf_knows_process (TtCtfSession *self, const TtCtfBinding *binding, const TtCtfEvent *event)
{
  gint64 pid;

  return !tt_ctf_integer (event, binding->identity.pid, &pid) || g_hash_table_contains (self->processes->by_pid, &pid);
}

TtCtfProcesses *
tt_ctf_processes_new (void)
{
  TtCtfProcesses *self = g_new0 (TtCtfProcesses, 1);

  self->by_pid = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, free_process);
  self->in_order = g_ptr_array_new ();
  self->by_rank = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->ranks = g_hash_table_new (NULL, NULL);
  self->strays = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  return self;
}

void
tt_ctf_processes_free (TtCtfProcesses *self)
{
  g_hash_table_unref (self->by_pid);
  g_ptr_array_unref (self->in_order);
  g_hash_table_unref (self->by_rank);
  g_hash_table_unref (self->strays);
  g_hash_table_unref (self->ranks);
  g_free (self->pid_prefix);
  g_free (self);
}

void
tt_ctf_processes_clear (TtCtfProcesses *self)
{
  for (guint i = 0; i < self->in_order->len; i++)
    {
      const TtCtfProcess *process = self->in_order->pdata[i];

      if (process->rank >= 0)
        g_hash_table_insert (self->ranks, GUINT_TO_POINTER (process->id), GSIZE_TO_POINTER ((gsize) process->rank + 1));
    }
  g_ptr_array_set_size (self->in_order, 0);
  memset (self->recent, 0, sizeof self->recent);
  g_hash_table_remove_all (self->by_pid);
  g_hash_table_remove_all (self->strays);
}

guint32
tt_ctf_process_of_rank (TtCtfSession *self, gint64 rank)
{
  GHashTable *by_rank = self->processes->by_rank;
  gpointer known = g_hash_table_lookup (by_rank, &rank);

  if (known != NULL)
    return GPOINTER_TO_UINT (known);

  g_autofree char *pid = g_strdup_printf ("rank%" G_GINT64_FORMAT, rank);
  guint32 process = tt_sink_process (self->sink, pid, "not in the trace", NULL, rank);
  g_hash_table_insert (by_rank, g_memdup2 (&rank, sizeof rank), GUINT_TO_POINTER (process));
  return process;
}

/* -- threads ------------------------------------------------------------------------------------------------- */

static TtCtfThread *
add_thread (TtCtfSession *self, TtCtfProcess *process, gint64 tid, const char *text, gint64 number)
{
  TtCtfThread *thread = g_new0 (TtCtfThread, 1);
  g_autofree char *label = number < 0 ? NULL : g_strdup_printf ("OpenMP thread %" G_GINT64_FORMAT, number);

  thread->process = process;
  thread->tid = tid;
  thread->last_ns = thread->first_ns = thread->looked_ns = thread->region_ns = TT_NO_TIME;
  thread->id = tt_sink_thread (self->sink, process->id, text, label, number >= 0 ? number : process->in_order->len);
  thread->nest = tt_nest_thread (self->nest, thread->id, process->id);
  thread->open = g_array_new (FALSE, FALSE, sizeof (TtCtfOpen));
  g_hash_table_insert (process->threads, &thread->tid, thread);
  g_ptr_array_add (process->in_order, thread);
  return thread;
}

/* The thread of the stream's event before this one, if it is this one's; NULL: perhaps another. */
static TtCtfThread *
find_recent (TtCtfSession *self, const TtCtfRecent *recent, const TtCtfBinding *binding, const TtCtfEvent *event)
{
  const TtCtfIdentity *identity = &binding->identity;
  gint64 pid, tid, rank;

  if (recent->thread == NULL || identity->is_of_perf || !tt_ctf_integer (event, identity->tid, &tid) ||
      tid != recent->key)
    return NULL;
  if (!tt_ctf_integer (event, identity->pid, &pid))
    {
      if (identity->rank != NULL)
        return NULL;
      pid = pid_of_trace (self);
    }
  if (pid != recent->pid)
    return NULL;
  /* It may be the first to tell its process' rank. */
  if (tt_ctf_integer (event, identity->rank, &rank) && tt_ctf_as_signed (rank) != recent->process->rank &&
      (rank != 0 || (binding->span != NULL && binding->span->kind == TT_CTF_MPI)))
    return NULL;
  recent->process->last_ns = MAX (recent->process->last_ns, event->ts_ns);
  return recent->thread;
}

TtCtfThread *
tt_ctf_thread_of (TtCtfSession *self, const TtCtfBinding *binding, const TtCtfEvent *event)
{
  TtCtfRecent *recent = &self->processes->recent[event->stream % TT_CTF_RECENT];
  TtCtfThread *known = find_recent (self, recent, binding, event);

  if (G_LIKELY (known != NULL))
    return known;

  TtCtfProcess *process = find_process (self, recent, binding, event);
  gint64 tid = 0, number = -1, pid;
  gboolean is_cpu = FALSE;

  tt_ctf_integer (event, binding->identity.number, &number);
  const gboolean is_of_none =
      binding->identity.is_of_perf && tt_ctf_integer (event, binding->identity.pid, &pid) && pid <= 0;
  if (is_of_none || !tt_ctf_integer (event, binding->identity.tid, &tid))
    {
      if (number >= 0)
        tid = number;
      else if (is_of_none || (binding->identity.pid == NULL && binding->identity.rank == NULL))
        {
          is_cpu = tt_ctf_integer (event, binding->identity.cpu, &tid);
          gint64 running = is_cpu ? tt_ctf_states_running (self->states, tid) : 0;
          if (running > 0)
            tid = running;
          is_cpu = is_cpu && running <= 0;
          tid = is_cpu || running > 0 ? tid : (gint64) event->stream;
        }
    }
  /* Processors have numbers of their own. */
  gint64 key = is_cpu ? -1 - tid : tid;
  if (recent->thread != NULL && recent->process == process && recent->key == key)
    return recent->thread;
  TtCtfThread *thread = g_hash_table_lookup (process->threads, &key);
  if (thread != NULL)
    {
      recent->key = key;
      recent->thread = recent->process == process ? thread : NULL;
      return thread;
    }

  g_autofree char *text = g_strdup_printf ("%s%" G_GINT64_FORMAT, is_cpu ? "cpu " : "", tid);
  return add_thread (self, process, key, text, number);
}
