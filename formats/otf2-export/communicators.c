/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2-export/communicators.h"

#define MOST_MEMBERS (1u << 20)
#define NOT_USED G_MAXUINT32

typedef struct
{
  gint64 number;
  gint64 is_inferred;
} Key;

typedef struct
{
  Key key;
  guint32 id;         /* NOT_USED: not yet */
  gboolean is_sorted; /* `members` */
  GArray *members;    /* of guint32, ranks in the world; NULL: all */
  GHashTable *is_in;  /* rank + 1, until they are sorted */
} Comm;

struct _TtOtf2ExportComms
{
  TtStore *store;
  guint32 *ranks;   /* by process id */
  guint32 *by_rank; /* process ids */
  guint32 n_ranks;
  GHashTable *comms; /* Key * -> Comm; owns them */
  GPtrArray *used;   /* of Comm, by id */
  guint n_members;   /* of all */
};

/* -- the world -------------------------------------------------------------------------------------------------------- */

gboolean
tt_otf2_export_is_device (const TtProcess *process)
{
  return process->owner != process->id && process->owner != TT_NO_ID;
}

/* By rank; those that have none, and at last devices, as they come. */
static int
compare_ranks (gconstpointer a, gconstpointer b, gpointer data)
{
  const TtProcess *one = tt_store_process (data, *(const guint32 *) a);
  const TtProcess *other = tt_store_process (data, *(const guint32 *) b);
  gint64 rank = one->rank < 0 ? G_MAXINT64 : one->rank, other_rank = other->rank < 0 ? G_MAXINT64 : other->rank;

  if (tt_otf2_export_is_device (one) != tt_otf2_export_is_device (other))
    return tt_otf2_export_is_device (one) ? 1 : -1;
  if (rank != other_rank)
    return rank < other_rank ? -1 : 1;
  return one->id < other->id ? -1 : one->id > other->id;
}

static void
rank_world (TtOtf2ExportComms *self)
{
  guint n;
  const TtProcess *processes = tt_store_processes (self->store, &n);

  self->ranks = g_new0 (guint32, (gsize) n + 1);
  self->by_rank = g_new0 (guint32, (gsize) n + 1);
  for (guint i = 0; i < n; i++)
    self->by_rank[self->n_ranks++] = processes[i].id;
  g_qsort_with_data (self->by_rank, (gint) self->n_ranks, sizeof *self->by_rank, compare_ranks, self->store);
  for (guint32 i = 0; i < self->n_ranks; i++)
    self->ranks[self->by_rank[i]] = i;
}

const guint32 *
tt_otf2_export_world (const TtOtf2ExportComms *self, guint32 *n)
{
  *n = self->n_ranks;
  return self->by_rank;
}

/* -- communicators ---------------------------------------------------------------------------------------------------- */

static guint
hash_key (gconstpointer data)
{
  const Key *key = data;

  return (guint) (((guint64) key->number * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) >> 32) ^ (guint) key->is_inferred;
}

static gboolean
are_keys_equal (gconstpointer a, gconstpointer b)
{
  const Key *one = a, *other = b;

  return one->number == other->number && one->is_inferred == other->is_inferred;
}

static void
let_members_go (Comm *comm)
{
  g_clear_pointer (&comm->members, g_array_unref);
  g_clear_pointer (&comm->is_in, g_hash_table_unref);
}

static void
free_comm (gpointer data)
{
  let_members_go (data);
  g_free (data);
}

static Comm *
find_comm (TtOtf2ExportComms *self, gint64 number, gboolean is_inferred)
{
  const Key key = { number, is_inferred != 0 };
  Comm *comm = g_hash_table_lookup (self->comms, &key);

  if (comm == NULL)
    {
      comm = g_new0 (Comm, 1);
      comm->key = key;
      comm->id = NOT_USED;
      if (number != 0 && self->n_members < MOST_MEMBERS)
        {
          comm->members = g_array_new (FALSE, FALSE, sizeof (guint32));
          comm->is_in = g_hash_table_new (NULL, NULL);
        }
      g_hash_table_insert (self->comms, &comm->key, comm);
    }
  return comm;
}

static void
add_member (TtOtf2ExportComms *self, Comm *comm, guint32 process)
{
  guint32 rank = self->ranks[process];

  if (comm->members == NULL || process == TT_NO_ID || !g_hash_table_add (comm->is_in, GUINT_TO_POINTER (rank + 1)))
    return;
  g_array_append_val (comm->members, rank);
  /* One that is not whole would have wrong ranks. */
  if (++self->n_members >= MOST_MEMBERS)
    let_members_go (comm);
}

static gboolean
on_message (const TtMessage *message, gpointer data)
{
  gboolean is_told = message->flags == NULL || !g_str_has_prefix (message->flags, "onesided") ||
                     message->send_ns == TT_NO_TIME || message->recv_ns == TT_NO_TIME;
  Comm *comm = message->comm == 0 || !is_told ? NULL : find_comm (data, message->comm, FALSE);

  if (comm != NULL)
    {
      add_member (data, comm, message->src_process);
      add_member (data, comm, message->dst_process);
    }
  return TRUE;
}

static gboolean
on_collective (const TtCollective *call, gpointer data)
{
  if (call->comm != 0 && !call->is_undecided)
    {
      Comm *comm = find_comm (data, call->comm, call->is_inferred);
      add_member (data, comm, call->process);
      if (call->root != TT_NO_ID)
        add_member (data, comm, call->root);
    }
  return TRUE;
}

TtOtf2ExportComms *
tt_otf2_export_comms_new (TtStore *store, GError **error)
{
  g_autoptr (TtOtf2ExportComms) self = g_new0 (TtOtf2ExportComms, 1);

  self->store = store;
  self->comms = g_hash_table_new_full (hash_key, are_keys_equal, NULL, free_comm);
  self->used = g_ptr_array_new ();
  rank_world (self);
  if (!tt_store_each_message (store, on_message, self, error) ||
      !tt_store_each_collective (store, on_collective, self, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
tt_otf2_export_comms_free (TtOtf2ExportComms *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->used);
  g_hash_table_unref (self->comms);
  g_free (self->ranks);
  g_free (self->by_rank);
  g_free (self);
}

guint32
tt_otf2_export_use_comm (TtOtf2ExportComms *self, gint64 number, gboolean is_inferred)
{
  Comm *comm = find_comm (self, number, is_inferred);

  if (comm->id == NOT_USED)
    {
      comm->id = self->used->len;
      g_ptr_array_add (self->used, comm);
    }
  return comm->id;
}

guint32
tt_otf2_export_n_comms (const TtOtf2ExportComms *self)
{
  return self->used->len;
}

gint64
tt_otf2_export_comm_number (const TtOtf2ExportComms *self, guint32 id, gboolean *is_inferred)
{
  const Comm *comm = self->used->pdata[id];

  *is_inferred = comm->key.is_inferred != 0;
  return comm->key.number;
}

static int
compare_members (gconstpointer a, gconstpointer b)
{
  guint32 one = *(const guint32 *) a, other = *(const guint32 *) b;

  return one < other ? -1 : one > other;
}

const guint32 *
tt_otf2_export_members (TtOtf2ExportComms *self, guint32 id, guint32 *n)
{
  Comm *comm = self->used->pdata[id];

  if (comm->members != NULL && !comm->is_sorted)
    {
      g_array_sort (comm->members, compare_members);
      g_clear_pointer (&comm->is_in, g_hash_table_unref);
      comm->is_sorted = TRUE;
      if (comm->members->len == self->n_ranks || comm->members->len == 0)
        let_members_go (comm);
    }
  *n = comm->members == NULL ? self->n_ranks : comm->members->len;
  return comm->members == NULL ? NULL : (const guint32 *) comm->members->data;
}

guint32
tt_otf2_export_rank (TtOtf2ExportComms *self, guint32 id, guint32 process)
{
  guint32 n, rank = self->ranks[process];
  const guint32 *members = tt_otf2_export_members (self, id, &n);
  guint32 low = 0;

  if (members == NULL)
    return rank;
  while (low < n)
    {
      guint32 middle = low + (n - low) / 2;
      if (members[middle] == rank)
        return middle;
      if (members[middle] < rank)
        low = middle + 1;
      else
        n = middle;
    }
  return TT_OTF2_NO_RANK;
}
