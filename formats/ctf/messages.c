/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PInsight's MPI events have ranks and tags, but no communicator, no size of a datatype and no request. So ranks are
 * taken as ranks of MPI_COMM_WORLD, and lengths are unknown. The message of an MPI_Irecv is received by the wait behind
 * which no request of the thread is open any more: by its end at the latest, for which of several waits had it the trace
 * does not say. Where there is none, it is the next receive of the channel, which cannot come before it was sent, or the
 * end of the thread. No time is earlier than the message can have been received: as an effect it would be before its cause.
 * Roots of collectives are ranks of MPI_COMM_WORLD likewise: see calls.h of the analyzers for where that is believed.
 */
#include "config.h"

#include "formats/ctf/messages.h"

#include "src/base/tape.h"

#include <string.h>

#define TAPE_MEMORY ((gsize) 4 << 20)
#define MAX_PENDING 1024u

typedef enum
{
  SIDE_RECEIVE,
  SIDE_SEND,
  SIDE_CALL, /* no message: a collective, peer is its root */
} Side;

/* One side of a message; the process of the other side may be in a trace that is still to be read. */
typedef struct
{
  gint64 peer, tag, ts_ns;
  guint32 thread, own, owner, side;
} Half;

struct _TtCtfMessages
{
  TtTape *halves; /* of Half */
};

TtCtfMessages *
tt_ctf_messages_new (void)
{
  TtCtfMessages *self = g_new0 (TtCtfMessages, 1);

  self->halves = tt_tape_new (TAPE_MEMORY);
  return self;
}

void
tt_ctf_messages_free (TtCtfMessages *self)
{
  tt_tape_free (self->halves);
  g_free (self);
}

gboolean
tt_ctf_messages_check (TtCtfMessages *self, GError **error)
{
  return tt_tape_check (self->halves, error);
}

/* Whether the call of that name sends, or receives, as @kind says. */
static gboolean
is_kind (TtCtfSession *self, guint32 name, const char *kind)
{
  TtName resolved;

  return tt_names_get (self->sink->names, name, &resolved) && resolved.sub_op != NULL &&
         (strcmp (resolved.sub_op, kind) == 0 || strcmp (resolved.sub_op, "SENDRECV") == 0);
}

/* Rank and tag of one side; FALSE: the call has none, or a wildcard. */
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
  tt_sink_repair (self->sink, TT_REPAIR_WILDCARD, tt_ctf_event_number (self, event));
  return FALSE;
}

static void
keep_half (TtCtfSession *self, const TtCtfThread *thread, const Half *half)
{
  Half kept = *half;

  kept.thread = thread->id;
  kept.own = thread->process->id;
  tt_tape_append (self->messages->halves, &kept, sizeof kept);
}

void
tt_ctf_send (TtCtfSession *self, TtCtfThread *thread, const TtCtfBinding *binding, const TtCtfEvent *event)
{
  Half half = { .ts_ns = event->ts_ns, .side = SIDE_SEND };

  if (binding->mpi.dest == NULL || !is_kind (self, binding->names[0][0], "SEND") ||
      !read_side (self, event, binding->mpi.dest, binding->mpi.send_tag, &half.peer, &half.tag))
    return;
  half.owner = tt_nest_owner (self->nest, thread->nest);
  if (half.owner != 0)
    keep_half (self, thread, &half);
}

void
tt_ctf_call (TtCtfSession *self, TtCtfThread *thread, const TtCtfBinding *binding, const TtCtfEvent *event)
{
  Half half = { .ts_ns = event->ts_ns, .side = SIDE_CALL };

  if (!tt_ctf_integer (event, binding->mpi.root, &half.peer))
    return;
  half.peer = tt_ctf_as_signed (half.peer);
  half.owner = tt_nest_owner (self->nest, thread->nest);
  if (half.peer >= 0 && half.owner != 0)
    keep_half (self, thread, &half);
}

void
tt_ctf_expect (TtCtfSession *self,
               TtCtfThread *thread,
               const TtCtfBinding *binding,
               const TtCtfEvent *event,
               TtCtfReceive *receive)
{
  const TtCtfMpiBinding *mpi = &binding->mpi;
  gboolean has_pending = thread->pending != NULL && thread->pending->len > 0;
  gboolean is_receive = mpi->source != NULL && is_kind (self, binding->names[0][0], "RECV");

  if (mpi->is_wait && (!tt_ctf_integer (event, mpi->count, &receive->n_waited) || receive->n_waited <= 0))
    receive->n_waited = 1;
  if (is_receive && !read_side (self, event, mpi->source, mpi->recv_tag, &receive->peer, &receive->tag))
    return;
  if (is_receive || (mpi->is_wait && has_pending))
    receive->owner = tt_nest_owner (self->nest, thread->nest);
}

/* Of the call that @owner is; 0: of none. */
static void
receive_pending (TtCtfSession *self, TtCtfThread *thread, guint32 owner, gint64 ts_ns)
{
  for (guint i = 0; thread->pending != NULL && i < thread->pending->len; i++)
    {
      Half *half = &g_array_index (thread->pending, Half, i);

      half->ts_ns = ts_ns;
      half->owner = owner;
      keep_half (self, thread, half);
    }
  if (thread->pending != NULL)
    g_array_set_size (thread->pending, 0);
}

void
tt_ctf_end_pending (TtCtfSession *self, TtCtfThread *thread)
{
  receive_pending (self, thread, 0, thread->last_ns);
}

void
tt_ctf_lose_requests (TtCtfThread *thread)
{
  thread->has_lost_requests = TRUE;
}

/* A wait for more than are open has some that are none any more, or that the trace does not tell. */
static void
end_wait (TtCtfSession *self, TtCtfThread *thread, const TtCtfReceive *receive, gint64 ts_ns)
{
  if (thread->has_lost_requests)
    return;
  thread->n_requests = MAX (thread->n_requests - receive->n_waited, 0);
  if (thread->n_requests == 0)
    receive_pending (self, thread, receive->owner, ts_ns);
}

/* Whether a receive of the same channel is pending: messages of a channel come in the order of their receives. */
static gboolean
has_pending_like (const TtCtfThread *thread, const TtCtfReceive *receive)
{
  for (guint i = 0; thread->pending != NULL && i < thread->pending->len; i++)
    {
      const Half *half = &g_array_index (thread->pending, Half, i);
      if (half->peer == receive->peer && half->tag == receive->tag)
        return TRUE;
    }
  return FALSE;
}

void
tt_ctf_receive (TtCtfSession *self,
                TtCtfThread *thread,
                const TtCtfBinding *binding,
                const TtCtfReceive *receive,
                gint64 ts_ns)
{
  const Half half = { .peer = receive->peer, .tag = receive->tag, .ts_ns = ts_ns, .owner = receive->owner };

  if (binding->mpi.is_wait)
    {
      end_wait (self, thread, receive, ts_ns);
      return;
    }
  thread->n_requests += binding->mpi.is_nonblocking;
  if (receive->owner == 0)
    return;
  if (!binding->mpi.is_nonblocking)
    {
      if (has_pending_like (thread, receive))
        receive_pending (self, thread, 0, ts_ns - 1);
      keep_half (self, thread, &half);
      return;
    }
  if (thread->pending == NULL)
    thread->pending = g_array_new (FALSE, FALSE, sizeof (Half));
  if (thread->pending->len == MAX_PENDING)
    receive_pending (self, thread, 0, ts_ns);
  g_array_append_val (thread->pending, half);
}

/* Ranks far beyond all that are known, which hardly any message names, are damage. */
#define MAX_FEW 3u
#define FAR_TIMES 16
#define FAR_BEYOND 1024

/* Free it: rank -> how many messages name it. */
static GHashTable *
count_far_peers (TtCtfSession *self, gint64 *far)
{
  GHashTable *peers = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  GHashTableIter iter;
  gpointer rank, process;
  Half half;

  *far = 0;
  g_hash_table_iter_init (&iter, self->processes->by_rank);
  while (g_hash_table_iter_next (&iter, &rank, &process))
    *far = MAX (*far, *(const gint64 *) rank);
  *far = MIN (*far, G_MAXINT32) * FAR_TIMES + FAR_BEYOND;
  for (guint64 at = 0; at < tt_tape_size (self->messages->halves); at += sizeof half)
    {
      tt_tape_read (self->messages->halves, at, &half, sizeof half);
      guint n = half.side != SIDE_CALL && half.peer > *far ? GPOINTER_TO_UINT (g_hash_table_lookup (peers, &half.peer))
                                                           : MAX_FEW + 1;
      if (n <= MAX_FEW)
        g_hash_table_insert (peers, g_memdup2 (&half.peer, sizeof half.peer), GUINT_TO_POINTER (n + 1));
    }
  return peers;
}

/* A root of which there is no trace is none that others wait for. */
static void
write_root (TtCtfSession *self, const Half *call)
{
  guint32 root = GPOINTER_TO_UINT (g_hash_table_lookup (self->processes->by_rank, &call->peer));

  if (root != 0)
    tt_sink_call (self->sink, call->owner, root, -1, -1);
}

void
tt_ctf_write_messages (TtCtfSession *self)
{
  gint64 far;
  g_autoptr (GHashTable) far_peers = count_far_peers (self, &far);
  Half half;

  for (guint64 at = 0; at < tt_tape_size (self->messages->halves); at += sizeof half)
    {
      tt_tape_read (self->messages->halves, at, &half, sizeof half);
      if (half.side == SIDE_CALL)
        {
          write_root (self, &half);
          continue;
        }
      if (half.peer > far && GPOINTER_TO_UINT (g_hash_table_lookup (far_peers, &half.peer)) <= MAX_FEW)
        {
          tt_sink_repair (self->sink, TT_REPAIR_UNKNOWN_PEER, self->trace.n_before);
          continue;
        }
      guint32 other = tt_ctf_process_of_rank (self, half.peer);
      tt_sink_half (self->sink, half.side == SIDE_SEND, FALSE, half.thread, half.own, other, half.tag, 0, half.ts_ns,
                    -1, half.owner);
    }
  if (self->processes->has_rank_twice)
    tt_sink_note (self->sink,
                  "several processes have the same MPI rank (two runs in one trace?): messages may be joined "
                  "across them");
}
