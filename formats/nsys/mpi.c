/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/nsys/mpi.h"

#include "formats/nsys/lanes.h"
#include "formats/nsys/names.h"
#include "src/base/slots.h"

#include <string.h>

enum
{
  BEGIN,
  END,
  THREAD,
  NAME,
  COMM,
  TAG,
  PEER,
  SIZE,
  REQUEST,
  ROOT,
  RECV_SIZE,
};

static const char *const columns[] = { "start",      "end",  "globalTid",     "textId",   "commHandle", "tag",
                                       "remoteRank", "size", "requestHandle", "rootRank", "recvSize",   NULL };
static const char *const tables[] = { "MPI_P2P_EVENTS", "MPI_COLLECTIVES_EVENTS", "MPI_START_WAIT_EVENTS",
                                      "MPI_OTHER_EVENTS" };

typedef struct
{
  gint64 rank, handle;
  gint64 size;
  guint32 id; /* the same for all members */
} Communicator;

/* A receive that has not ended, or a wait. */
typedef struct
{
  gint64 thread, request, ts_ns, end_ns;
  TtTraceRecord at;
  TtArrangeHalf half;
  guint is_wait;
} Pending;

typedef struct
{
  TtNsys *nsys;
  GArray *communicators; /* of Communicator, sorted */
  GArray *pending;       /* of Pending */
  gint64 n_world;        /* ranks of MPI_COMM_WORLD; 0: not known */
} Mpi;

/* More of them are not kept: their receives have no time. */
#define MOST_PENDING (1u << 22)
#define MOST_COMMUNICATORS (1u << 20)

static gboolean
fail (GError **error, GError *failure)
{
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

/* -- communicators ---------------------------------------------------------------------------------------- */

static int
compare_communicators (gconstpointer a, gconstpointer b)
{
  const Communicator *one = a, *other = b;

  if (one->rank != other->rank)
    return one->rank < other->rank ? -1 : 1;
  return one->handle == other->handle ? 0 : one->handle < other->handle ? -1 : 1;
}

static gboolean
read_communicators (Mpi *self, GError **error)
{
  static const char *const wanted[] = { "rank", "commHandle", "size", "groupRoot", "groupRootUid", NULL };
  GError *local = NULL;
  g_autoptr (TtRows) rows = tt_tables_rows (self->nsys->tables, "MPI_COMMUNICATORS", wanted, NULL, &local);

  while (rows != NULL && tt_nsys_next (self->nsys, rows, &local))
    {
      Communicator one = { .size = tt_rows_int_or (rows, 2, 0) };
      gint64 root, uid;

      if (!tt_rows_int (rows, 0, &one.rank) || !tt_rows_int (rows, 1, &one.handle) ||
          !tt_rows_int (rows, 3, &root) || !tt_rows_int (rows, 4, &uid) ||
          self->communicators->len >= MOST_COMMUNICATORS)
        {
          tt_sink_repair (self->nsys->sink, TT_REPAIR_BAD_ROW, self->nsys->n_rows);
          continue;
        }
      one.id = (guint32) (tt_slots_mix ((guint64) uid ^ tt_slots_mix ((guint64) root)) & G_MAXINT32) | 1;
      self->n_world = MAX (self->n_world, one.size);
      g_array_append_val (self->communicators, one);
    }
  g_array_sort (self->communicators, compare_communicators);
  return fail (error, local);
}

/* NULL: the report does not describe it. */
static const Communicator *
find_communicator (const Mpi *self, TtRows *rows)
{
  Communicator wanted = { .rank = tt_nsys_rank_of_thread (self->nsys, tt_rows_int_or (rows, THREAD, 0)) };
  guint at;

  if (!tt_rows_int (rows, COMM, &wanted.handle) ||
      !g_array_binary_search (self->communicators, &wanted, compare_communicators, &at))
    return NULL;
  return &g_array_index (self->communicators, Communicator, at);
}

/* -- messages --------------------------------------------------------------------------------------------- */

static gboolean
is_of (TtNsys *self, guint32 name, const char *kind)
{
  TtName resolved;

  return tt_names_get (self->sink->names, name, &resolved) && g_strcmp0 (resolved.sub_op, kind) == 0;
}

static gboolean
is_nonblocking (TtNsys *self, guint32 name)
{
  TtName resolved;

  return tt_names_get (self->sink->names, name, &resolved) &&
         (g_str_has_prefix (resolved.raw, "MPI_I") || strstr (resolved.raw, "_init") != NULL);
}

/* FALSE: the row tells of no message whose other side can be known. */
static gboolean
read_half (Mpi *self, TtRows *rows, guint32 process, TtArrangeHalf *half)
{
  const Communicator *communicator = find_communicator (self, rows);
  gint64 peer;

  if (!tt_rows_int (rows, PEER, &peer) || tt_nsys_rank_of_thread (self->nsys, tt_rows_int_or (rows, THREAD, 0)) < 0)
    return FALSE;
  half->tag = tt_rows_int_or (rows, TAG, -1);
  half->bytes = tt_rows_int_or (rows, SIZE, -1);
  half->bytes = MAX (half->bytes, -1);
  half->comm = communicator == NULL ? 0 : (gint64) communicator->id;
  if (peer < 0 || peer >= G_MAXINT32 || half->tag < 0 ||
      (communicator != NULL && communicator->size != self->n_world))
    {
      tt_sink_repair_of (self->nsys->sink, process, TT_REPAIR_WILDCARD, self->nsys->n_rows);
      return FALSE;
    }
  half->peer = tt_nsys_process_of_rank (self->nsys, peer);
  return TRUE;
}

static void
keep_pending (Mpi *self, TtRows *rows, const TtTraceRecord *span, const TtArrangeHalf *half)
{
  Pending pending = { .thread = span->thread, .ts_ns = span->ts_ns, .at = *span, .is_wait = half == NULL };

  if (!tt_rows_int (rows, REQUEST, &pending.request) || self->pending->len >= MOST_PENDING)
    {
      if (half != NULL)
        tt_sink_repair_of (self->nsys->sink, span->process, TT_REPAIR_WILDCARD, self->nsys->n_rows);
      return;
    }
  if (half != NULL)
    pending.half = *half;
  pending.end_ns = span->ts_ns + span->dur_ns;
  g_array_append_val (self->pending, pending);
}

/* A send leaves when its call begins; what is received is there when the call ends. */
static void
add_message (Mpi *self, TtRows *rows, const TtTraceRecord *span)
{
  TtNsys *nsys = self->nsys;
  gboolean is_send = is_of (nsys, span->name, "SEND"), is_recv = is_of (nsys, span->name, "RECV");
  TtArrangeHalf half = { .is_send = is_send };

  if ((!is_send && !is_recv) || !read_half (self, rows, span->process, &half))
    return;
  if (is_recv && is_nonblocking (nsys, span->name))
    {
      keep_pending (self, rows, span, &half);
      return;
    }
  /* It belongs to the span that begins where it is put; when it was is told apart. */
  half.moved_ns = is_recv ? -span->dur_ns : 0;
  tt_arrange_half (nsys->arrange, span, &half);
}

static int
compare_pending (gconstpointer a, gconstpointer b)
{
  const Pending *one = a, *other = b;

  if (one->thread != other->thread)
    return one->thread < other->thread ? -1 : 1;
  if (one->request != other->request)
    return one->request < other->request ? -1 : 1;
  if (one->ts_ns != other->ts_ns)
    return one->ts_ns < other->ts_ns ? -1 : 1;
  return (one->is_wait > other->is_wait) - (one->is_wait < other->is_wait);
}

/* Each receive ends with the next wait for its request. */
static void
end_receives (Mpi *self)
{
  g_array_sort (self->pending, compare_pending);
  for (guint i = 0; i < self->pending->len; i++)
    {
      Pending *receive = &g_array_index (self->pending, Pending, i);
      const Pending *wait = i + 1 < self->pending->len ? &g_array_index (self->pending, Pending, i + 1) : NULL;

      if (receive->is_wait)
        continue;
      if (wait == NULL || !wait->is_wait || wait->thread != receive->thread || wait->request != receive->request)
        {
          tt_sink_repair_of (self->nsys->sink, receive->at.process, TT_REPAIR_WILDCARD, receive->at.offset);
          continue;
        }
      receive->at.ts_ns = wait->ts_ns;
      receive->half.moved_ns = wait->ts_ns - wait->end_ns;
      tt_arrange_half (self->nsys->arrange, &receive->at, &receive->half);
    }
}

/* -- calls ------------------------------------------------------------------------------------------------ */

static void
add_args (TtNsys *self, TtRows *rows, TtTraceRecord *record)
{
  tt_nsys_args_begin (self);
  tt_nsys_args_column (self, "bytes", rows, SIZE);
  tt_nsys_args_column (self, "bytes_out", rows, RECV_SIZE);
  tt_nsys_args_column (self, "tag", rows, TAG);
  tt_nsys_args_column (self, "peer", rows, PEER);
  tt_nsys_args_column (self, "root", rows, ROOT);
  tt_nsys_args_column (self, "communicator", rows, COMM);
  record->args = tt_nsys_args_end (self);
}

static gboolean
add_call (Mpi *self, TtRows *rows, GError **error)
{
  TtTraceRecord record = { .step = TT_NO_STEP };
  const Communicator *communicator = find_communicator (self, rows);
  TtNsysName name;
  gboolean is_open;

  if (!tt_nsys_times (self->nsys, rows, BEGIN, END, THREAD, &record, &is_open))
    return TRUE;
  if (!tt_nsys_name (self->nsys, TT_NSYS_MPI, communicator == NULL ? 0 : communicator->id, rows, NAME, &name, error))
    return FALSE;
  tt_nsys_on_thread (self->nsys, rows, THREAD, &record);
  record.name = name.name;
  add_args (self->nsys, rows, &record);
  if (is_open)
    {
      tt_arrange_begin (self->nsys->arrange, &record);
      return TRUE;
    }
  tt_arrange_span (self->nsys->arrange, &record);
  if (!tt_rows_is_null (rows, PEER))
    add_message (self, rows, &record);
  else if (!tt_rows_is_null (rows, REQUEST))
    keep_pending (self, rows, &record, NULL);
  return TRUE;
}

static gboolean
read_table (Mpi *self, const char *table, GError **error)
{
  GError *local = NULL;
  g_autoptr (TtRows) rows = tt_tables_rows (self->nsys->tables, table, columns, NULL, &local);

  while (rows != NULL && local == NULL && tt_nsys_next (self->nsys, rows, &local))
    add_call (self, rows, &local);
  return fail (error, local);
}

gboolean
tt_nsys_read_mpi (TtNsys *self, GError **error)
{
  g_autoptr (GArray) communicators = g_array_new (FALSE, FALSE, sizeof (Communicator));
  g_autoptr (GArray) pending = g_array_new (FALSE, FALSE, sizeof (Pending));
  Mpi mpi = { .nsys = self, .communicators = communicators, .pending = pending };

  if (!read_communicators (&mpi, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    if (!read_table (&mpi, tables[i], error))
      return FALSE;
  end_receives (&mpi);
  return TRUE;
}
