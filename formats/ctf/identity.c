#include "config.h"

#include "formats/ctf/session.h"

#include <string.h>

/* Where neither the event nor its context says a pid: all that is on the host. */
#define NO_PID (-1)

static const TtCtfMember *
first_member (const TtCtfClass *klass, TtCtfScope scope, const char *const *names)
{
  for (guint i = 0; names[i] != NULL; i++)
    {
      const TtCtfMember *member = tt_ctf_scope_member (klass, scope, names[i]);
      if (member != NULL && member->kind != TT_CTF_OTHER)
        return member;
    }
  return NULL;
}

/* Contexts of the stream, then those of the class. */
static const TtCtfMember *
context_member (const TtCtfClass *klass, const char *const *names)
{
  const TtCtfMember *member = first_member (klass, TT_CTF_COMMON, names);

  return member != NULL ? member : first_member (klass, TT_CTF_SPECIFIC, names);
}

void
tt_ctf_identity_find (TtCtfIdentity *self, const TtCtfClass *klass)
{
  static const char *const pids[] = { "vpid", "pid", NULL };
  static const char *const tids[] = { "vtid", "tid", "pthread_id", NULL };
  static const char *const labels[] = { "procname", NULL };
  gboolean is_pinsight = strstr (klass->name, "pinsight") != NULL;

  /* Of other tracers a pid in the payload is the one that is told of (sched_process_fork). */
  if (is_pinsight)
    self->pid = tt_ctf_scope_member (klass, TT_CTF_PAYLOAD, "pid");
  if (self->pid == NULL)
    self->pid = context_member (klass, pids);
  self->tid = context_member (klass, tids);
  self->label = context_member (klass, labels);
  self->cpu = tt_ctf_scope_member (klass, TT_CTF_PACKET, "cpu_id");
  if (is_pinsight)
    {
      self->rank = tt_ctf_scope_member (klass, TT_CTF_PAYLOAD, "mpirank");
      self->number = tt_ctf_scope_member (klass, TT_CTF_PAYLOAD, "global_thread_num");
    }
}

/* -- processes ---------------------------------------------------------------------------------------------- */

static void
thread_free (gpointer data)
{
  TtCtfThread *thread = data;

  g_array_unref (thread->open);
  g_clear_pointer (&thread->pending, g_array_unref);
  g_free (thread);
}

void
tt_ctf_process_free (gpointer data)
{
  TtCtfProcess *process = data;

  tt_ctf_regions_free (process);
  g_hash_table_unref (process->threads);
  g_ptr_array_unref (process->in_order);
  g_hash_table_unref (process->manifest);
  g_array_unref (process->calibrations);
  g_free (process);
}

void
tt_ctf_know_rank (TtCtfSession *self, TtCtfProcess *process, gint64 rank)
{
  gpointer other;

  if (process->rank == rank)
    return;
  process->rank = rank;
  tt_sink_label_process (self->sink, process->id, NULL, rank);
  if (g_hash_table_lookup_extended (self->ranks, &rank, NULL, &other) && GPOINTER_TO_UINT (other) != process->id)
    self->has_rank_twice = TRUE;
  g_hash_table_insert (self->ranks, g_memdup2 (&rank, sizeof rank), GUINT_TO_POINTER (process->id));
}

static TtCtfProcess *
new_process (TtCtfSession *self, gint64 pid, const char *label)
{
  TtCtfProcess *process = g_new0 (TtCtfProcess, 1);
  g_autofree char *valid = label == NULL ? NULL : g_utf8_make_valid (label, -1);
  g_autofree char *text = pid != NO_PID                ? g_strdup_printf ("%s%" G_GINT64_FORMAT, self->host_prefix, pid)
                          : self->options->pid != NULL ? g_strdup (self->options->pid)
                                                       : g_strdup (self->hostname != NULL ? self->hostname : "host");

  process->id = tt_sink_process (self->sink, text, valid, self->hostname, self->options->rank);
  process->rank = -1;
  process->last_ns = process->least_delay_ns = TT_NO_TIME;
  process->threads = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, thread_free);
  process->in_order = g_ptr_array_new ();
  process->manifest = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  process->calibrations = g_array_new (FALSE, FALSE, 2 * sizeof (gint64));
  g_hash_table_insert (self->processes, g_memdup2 (&pid, sizeof pid), process);
  g_ptr_array_add (self->in_order, process);
  return process;
}

/* Traces of 2017-18 know processes by their ranks alone. */
static TtCtfProcess *
process_of (TtCtfSession *self, const TtCtfPlan *plan, const TtCtfEvent *event)
{
  gint64 pid = NO_PID, rank = -1;
  gboolean has_rank = tt_ctf_integer (event, plan->identity.rank, &rank);

  rank = tt_ctf_as_signed (rank);
  if (!tt_ctf_integer (event, plan->identity.pid, &pid))
    pid = has_rank && rank >= 0 ? rank : NO_PID;

  TtCtfProcess *process = g_hash_table_lookup (self->processes, &pid);
  if (process == NULL)
    process = new_process (self, pid, tt_ctf_text (event, plan->identity.label));
  /* Until MPI_Init returns a rank may be said as 0. */
  if (has_rank && process->rank != rank)
    {
      gboolean is_mpi = plan->span != NULL && plan->span->kind == TT_CTF_MPI;
      if (rank > 0 || (rank == 0 && is_mpi && !(plan->is_mpi_init && plan->is_begin)))
        tt_ctf_know_rank (self, process, rank);
    }
  process->last_ns = MAX (process->last_ns, event->ts_ns);
  return process;
}

/* -- threads ------------------------------------------------------------------------------------------------- */

static TtCtfThread *
new_thread (TtCtfSession *self, TtCtfProcess *process, gint64 tid, const char *text, gint64 number)
{
  TtCtfThread *thread = g_new0 (TtCtfThread, 1);
  g_autofree char *label = number < 0 ? NULL : g_strdup_printf ("OpenMP thread %" G_GINT64_FORMAT, number);

  thread->process = process;
  thread->id = tt_sink_thread (self->sink, process->id, text, label, number >= 0 ? number : process->in_order->len);
  thread->nest = tt_nest_thread (self->nest, thread->id, process->id);
  thread->open = g_array_new (FALSE, FALSE, sizeof (TtCtfOpen));
  g_hash_table_insert (process->threads, g_memdup2 (&tid, sizeof tid), thread);
  g_ptr_array_add (process->in_order, thread);
  return thread;
}

/* A tid, else the number of the OpenMP thread, else, where not even processes are told apart, the processor. */
TtCtfThread *
tt_ctf_thread_of (TtCtfSession *self, const TtCtfPlan *plan, const TtCtfEvent *event)
{
  TtCtfProcess *process = process_of (self, plan, event);
  gint64 tid = 0, number = -1;
  gboolean is_cpu = FALSE;

  tt_ctf_integer (event, plan->identity.number, &number);
  if (!tt_ctf_integer (event, plan->identity.tid, &tid))
    {
      if (number >= 0)
        tid = number;
      else if (plan->identity.pid == NULL && plan->identity.rank == NULL)
        {
          is_cpu = tt_ctf_integer (event, plan->identity.cpu, &tid);
          tid = is_cpu ? tid : (gint64) event->stream;
        }
    }
  TtCtfThread *thread = g_hash_table_lookup (process->threads, &tid);
  if (thread != NULL)
    return thread;

  g_autofree char *text = g_strdup_printf ("%s%" G_GINT64_FORMAT, is_cpu ? "cpu " : "", tid);
  return new_thread (self, process, tid, text, number);
}
