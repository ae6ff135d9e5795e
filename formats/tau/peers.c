/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau/peers.h"

#include "src/base/compare.h"

/* Of more messages with nodes that have no record, the rest of the run was not imported. */
#define MAX_WAITING 65536u
/* A node that one message names is taken for damage beside so many others; one that more name, beside so many each. */
#define OTHERS_OF_ONE 8u
#define OTHERS_OF_EACH 100u

typedef struct
{
  TtNestHalf half;
  guint32 thread, process, owner;
  guint64 offset;
} Waiting;

struct _TtTauPeers
{
  TtSink *sink;
  TtNest *nest;
  TtTauThreads *threads;
  gint64 last_node;
  gboolean believes; /* all nodes that are named */
  guint64 n_halves;
  guint n_waiting;
  GHashTable *by_node; /* node -> GArray of Waiting */
};

TtTauPeers *
tt_tau_peers_new (TtSink *sink, TtNest *nest, TtTauThreads *threads, gint64 last_node)
{
  TtTauPeers *self = g_new0 (TtTauPeers, 1);

  self->sink = sink;
  self->nest = nest;
  self->threads = threads;
  self->last_node = last_node;
  self->by_node = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  return self;
}

void
tt_tau_peers_free (TtTauPeers *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->by_node);
  g_free (self);
}

static void
write_waiting (TtTauPeers *self, guint16 node)
{
  const GArray *waiting = g_hash_table_lookup (self->by_node, GUINT_TO_POINTER (node));

  if (waiting == NULL)
    return;
  const guint32 peer = tt_tau_threads_process (self->threads, node);
  for (guint i = 0; i < waiting->len; i++)
    {
      const Waiting *one = &g_array_index (waiting, Waiting, i);
      const TtNestHalf *half = &one->half;
      tt_sink_half (self->sink, half->is_send, half->onesided, one->thread, one->process, peer, half->tag, half->comm,
                    half->ts_ns, half->bytes, one->owner);
    }
  self->n_waiting -= waiting->len;
  g_hash_table_remove (self->by_node, GUINT_TO_POINTER (node));
}

/* The order of messages behind one that is lost is not known. */
static void
drop_waiting (TtTauPeers *self, guint16 node)
{
  const GArray *waiting = g_hash_table_lookup (self->by_node, GUINT_TO_POINTER (node));

  for (guint i = 0; i < waiting->len; i++)
    {
      const Waiting *one = &g_array_index (waiting, Waiting, i);
      tt_sink_repair_of (self->sink, one->process, TT_REPAIR_UNKNOWN_PEER, one->offset);
      tt_sink_lose_order (self->sink, one->process, one->thread, one->half.ts_ns - 1);
    }
  self->n_waiting -= waiting->len;
  g_hash_table_remove (self->by_node, GUINT_TO_POINTER (node));
}

static int
compare_nodes (gconstpointer a, gconstpointer b)
{
  return TT_COMPARE (GPOINTER_TO_UINT (*(const gconstpointer *) a), GPOINTER_TO_UINT (*(const gconstpointer *) b));
}

/* In the order of their numbers. Free it. */
static GPtrArray *
list_nodes (const TtTauPeers *self)
{
  GPtrArray *nodes = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer node;

  g_hash_table_iter_init (&iter, self->by_node);
  while (g_hash_table_iter_next (&iter, &node, NULL))
    g_ptr_array_add (nodes, node);
  g_ptr_array_sort (nodes, compare_nodes);
  return nodes;
}

static void
hold (TtTauPeers *self, TtTauThread *thread, const TtNestHalf *half, guint16 node, guint64 offset)
{
  GArray *waiting = g_hash_table_lookup (self->by_node, GUINT_TO_POINTER (node));

  if (waiting == NULL)
    {
      waiting = g_array_new (FALSE, FALSE, sizeof (Waiting));
      g_hash_table_insert (self->by_node, GUINT_TO_POINTER (node), waiting);
    }
  const Waiting one = { *half, thread->thread, thread->process, tt_nest_owner (self->nest, thread->nest), offset };
  g_array_append_val (waiting, one);
  self->n_waiting++;
}

static void
believe_all (TtTauPeers *self)
{
  g_autoptr (GPtrArray) nodes = list_nodes (self);

  for (guint i = 0; i < nodes->len; i++)
    write_waiting (self, (guint16) GPOINTER_TO_UINT (nodes->pdata[i]));
  self->believes = TRUE;
}

void
tt_tau_peers_half (TtTauPeers *self, TtTauThread *thread, TtNestHalf *half, guint16 node, guint64 offset)
{
  self->n_halves++;
  if (G_LIKELY (tt_tau_threads_has_process (self->threads, node) || node <= self->last_node || self->believes))
    {
      if (G_UNLIKELY (self->n_waiting > 0))
        write_waiting (self, node);
      half->peer = tt_tau_threads_process (self->threads, node);
      tt_nest_half (self->nest, thread->nest, half);
      return;
    }
  tt_nest_touch (self->nest, thread->nest, half->ts_ns);
  hold (self, thread, half, node, offset);
  if (self->n_waiting >= MAX_WAITING)
    believe_all (self);
}

static gboolean
is_damage (const TtTauPeers *self, guint16 node, guint n)
{
  const guint64 others = self->n_halves - n;

  return node > self->last_node && !tt_tau_threads_has_process (self->threads, node) &&
         !tt_sink_has_rank (self->sink, node) && (n == 1 ? others >= OTHERS_OF_ONE : others / OTHERS_OF_EACH >= n);
}

void
tt_tau_peers_finish (TtTauPeers *self)
{
  g_autoptr (GPtrArray) nodes = list_nodes (self);

  self->last_node = MAX (self->last_node, tt_tau_threads_last_node (self->threads));
  for (guint i = 0; i < nodes->len; i++)
    {
      const guint16 node = (guint16) GPOINTER_TO_UINT (nodes->pdata[i]);
      const GArray *waiting = g_hash_table_lookup (self->by_node, nodes->pdata[i]);
      /* The one rank that was imported alone tells of no other. */
      if (self->last_node > 0 && is_damage (self, node, waiting->len))
        drop_waiting (self, node);
      else
        write_waiting (self, node);
    }
}
