#include "config.h"

#include "formats/ctf/session.h"

#include <string.h>

/*
 * PInsight's MPI events have ranks and tags, but no communicator, no size of a datatype and no request. So ranks are taken for
 * those of MPI_COMM_WORLD and lengths are unknown. What MPI_Irecv asks for is received by the wait that follows, if that
 * waits for just as many requests as the thread has open (or it is MPI_Wait, and the only one); else the source does not say
 * when, and the time is that at which MPI_Irecv returned.
 */

#define MOST_PENDING 1024u

/* One side of a message; the process of its other side may lie in a trace to come. */
typedef struct
{
  gint64 peer, tag, ts_ns;
  guint32 thread, own, owner, is_send;
} Half;

static gboolean
is_kind (TtCtfSession *self, guint32 name, const char *kind)
{
  TtName resolved;

  return tt_names_get (self->sink->names, name, &resolved) && resolved.sub_op != NULL &&
         (strcmp (resolved.sub_op, kind) == 0 || strcmp (resolved.sub_op, "SENDRECV") == 0);
}

/* A side with its rank and tag; FALSE: there is none, or it is a wildcard. */
static gboolean
read_side (TtCtfSession *self,
           const TtCtfEvent *event,
           const TtCtfMember *peer_member,
           const TtCtfMember *tag_member,
           gint64 *peer,
           gint64 *tag)
{
  if (!tt_ctf_integer (event, peer_member, peer) || !tt_ctf_integer (event, tag_member, tag))
    return FALSE;
  *peer = tt_ctf_as_signed (*peer);
  *tag = tt_ctf_as_signed (*tag);
  if (*peer >= 0 && *tag >= 0)
    return TRUE;
  tt_sink_repair (self->sink, TT_REPAIR_WILDCARD, self->base + event->number);
  return FALSE;
}

static void
keep_half (TtCtfSession *self, const TtCtfThread *thread, const Half *half)
{
  Half kept = *half;

  kept.thread = thread->id;
  kept.own = thread->process->id;
  tt_tape_append (self->halves, &kept, sizeof kept);
}

void
tt_ctf_send (TtCtfSession *self, TtCtfThread *thread, const TtCtfPlan *plan, const TtCtfEvent *event)
{
  Half half = { .ts_ns = event->ts_ns, .is_send = TRUE };

  if (plan->dest == NULL || !is_kind (self, plan->names[0][0], "SEND") ||
      !read_side (self, event, plan->dest, plan->send_tag, &half.peer, &half.tag))
    return;
  half.owner = tt_nest_owner (self->nest, thread->nest);
  if (half.owner != 0)
    keep_half (self, thread, &half);
}

void
tt_ctf_expect (TtCtfSession *self, TtCtfThread *thread, const TtCtfPlan *plan, const TtCtfEvent *event, TtCtfOpen *open)
{
  gboolean has_pending = thread->pending != NULL && thread->pending->len > 0;

  if (plan->is_wait && (!tt_ctf_integer (event, plan->count, &open->n_waited) || open->n_waited <= 0))
    open->n_waited = 1;
  if (plan->source != NULL && is_kind (self, plan->names[0][0], "RECV") &&
      !read_side (self, event, plan->source, plan->recv_tag, &open->peer, &open->tag))
    return;
  if ((plan->source != NULL && is_kind (self, plan->names[0][0], "RECV")) || (plan->is_wait && has_pending))
    open->owner = tt_nest_owner (self->nest, thread->nest);
}

void
tt_ctf_put_pending (TtCtfSession *self, TtCtfThread *thread)
{
  for (guint i = 0; thread->pending != NULL && i < thread->pending->len; i++)
    keep_half (self, thread, &g_array_index (thread->pending, Half, i));
  if (thread->pending != NULL)
    g_array_set_size (thread->pending, 0);
  thread->n_requests = 0;
}

/* All requests of the thread have been waited for, or nobody knows which. */
static void
end_wait (TtCtfSession *self, TtCtfThread *thread, const TtCtfOpen *open, gint64 ts_ns)
{
  gboolean are_all = open->n_waited == thread->n_requests;

  for (guint i = 0; are_all && thread->pending != NULL && i < thread->pending->len; i++)
    {
      Half *half = &g_array_index (thread->pending, Half, i);
      half->ts_ns = ts_ns;
      half->owner = open->owner;
    }
  tt_ctf_put_pending (self, thread);
}

/* Messages of one channel are received in the order in which they were asked for. */
static gboolean
has_pending_like (const TtCtfThread *thread, const TtCtfOpen *open)
{
  for (guint i = 0; thread->pending != NULL && i < thread->pending->len; i++)
    {
      const Half *half = &g_array_index (thread->pending, Half, i);
      if (half->peer == open->peer && half->tag == open->tag)
        return TRUE;
    }
  return FALSE;
}

void
tt_ctf_receive (TtCtfSession *self, TtCtfThread *thread, const TtCtfPlan *plan, const TtCtfOpen *open, gint64 ts_ns)
{
  const Half half = { .peer = open->peer, .tag = open->tag, .ts_ns = ts_ns, .owner = open->owner };

  if (plan->is_wait)
    {
      end_wait (self, thread, open, ts_ns);
      return;
    }
  thread->n_requests += plan->is_nonblocking;
  if (open->owner == 0)
    return;
  if (!plan->is_nonblocking)
    {
      if (has_pending_like (thread, open))
        tt_ctf_put_pending (self, thread);
      keep_half (self, thread, &half);
      return;
    }
  if (thread->pending == NULL)
    thread->pending = g_array_new (FALSE, FALSE, sizeof (Half));
  if (thread->pending->len == MOST_PENDING)
    tt_ctf_put_pending (self, thread);
  g_array_append_val (thread->pending, half);
}

static guint32
process_of_rank (TtCtfSession *self, gint64 rank)
{
  gpointer known = g_hash_table_lookup (self->ranks, &rank);

  if (known != NULL)
    return GPOINTER_TO_UINT (known);

  g_autofree char *pid = g_strdup_printf ("rank%" G_GINT64_FORMAT, rank);
  guint32 process = tt_sink_process (self->sink, pid, "not in the trace", NULL, rank);
  g_hash_table_insert (self->ranks, g_memdup2 (&rank, sizeof rank), GUINT_TO_POINTER (process));
  return process;
}

void
tt_ctf_put_messages (TtCtfSession *self)
{
  Half half;

  for (guint64 at = 0; at < tt_tape_size (self->halves); at += sizeof half)
    {
      tt_tape_read (self->halves, at, &half, sizeof half);
      tt_sink_half (self->sink, half.is_send != 0, FALSE, half.thread, half.own, process_of_rank (self, half.peer),
                    half.tag, 0, half.ts_ns, -1, half.owner);
    }
  if (self->has_rank_twice)
    tt_sink_note (self->sink,
                  "several processes have the same MPI rank (two runs in one trace?): messages may be joined "
                  "across them");
}
