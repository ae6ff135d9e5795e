#include "config.h"

#include "analyzers/training-job/private.h"

#include <string.h>

/*
 * What the first rank did in the typical step, where the model's graph does not tell, or tells nothing of communication: operators
 * follow one another as they were seen to; a group of tensors needs the last gradient that was there when it began, and the
 * updates that began when it was done need it.
 */

/* From groups to updates; more are of no model. */
#define MOST_UPDATE_EDGES (1u << 20)

static void
seen_comm_clear (gpointer data)
{
  g_free (((TtJobSeenComm *) data)->name);
}

void
tt_job_seen_init (TtJobParts *self)
{
  self->seen_ops = g_array_new (FALSE, FALSE, sizeof (TtJobSeenOp));
  self->seen_comms = g_array_new (FALSE, FALSE, sizeof (TtJobSeenComm));
  g_array_set_clear_func (self->seen_comms, seen_comm_clear);
  self->seen_comm_of = g_hash_table_new (g_str_hash, g_str_equal);
}

void
tt_job_seen_clear (TtJobParts *self)
{
  g_array_unref (self->seen_ops);
  g_array_unref (self->seen_comms);
  g_hash_table_unref (self->seen_comm_of);
}

void
tt_job_see_operator (TtJobParts *self, guint32 name, gint64 ts_ns, gint64 end_ns)
{
  const TtJobSeenOp op = { name, ts_ns, end_ns };

  g_array_append_val (self->seen_ops, op);
}

/* The one of that name, stretched to @ts_ns .. @end_ns. */
static void
stretch_comm (GArray *comms, GHashTable *comm_of, const char *name, gint64 ts_ns, gint64 end_ns)
{
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (comm_of, name));

  if (number == 0)
    {
      TtJobSeenComm comm = { g_strdup (name), ts_ns, end_ns };
      g_array_append_val (comms, comm);
      g_hash_table_insert (comm_of, comm.name, GUINT_TO_POINTER (comms->len));
      return;
    }
  TtJobSeenComm *comm = &g_array_index (comms, TtJobSeenComm, number - 1);
  comm->ts_ns = MIN (comm->ts_ns, ts_ns);
  comm->end_ns = MAX (comm->end_ns, end_ns);
}

void
tt_job_see_comm (TtJobParts *self, const char *tensors, gint64 ts_ns, gint64 end_ns)
{
  stretch_comm (self->seen_comms, self->seen_comm_of, tensors, ts_ns, end_ns);
}

/* -- the model's graph ------------------------------------------------------------------------------------ */

static guint32
local_node (TtJobParts *self, GHashTable *known, const char *text)
{
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (known, text));

  if (number != 0)
    return number - 1;
  g_ptr_array_add (self->local_names, g_strdup (text));
  g_hash_table_insert (known, self->local_names->pdata[self->local_names->len - 1],
                       GUINT_TO_POINTER (self->local_names->len));
  return self->local_names->len - 1;
}

static void
local_edge (TtJobParts *self, guint32 from, guint32 to)
{
  guint32 edge[2] = { from, to };

  if (from != to)
    g_array_append_val (self->local_edges, edge);
}

static const char *
text_of (const TtJobParts *self, const TtJobSeenOp *op)
{
  return tt_store_name (self->store, op->name)->text;
}

static void
chain_operators (TtJobParts *self, GHashTable *known)
{
  guint32 previous = TT_NO_TASK;

  for (guint i = 0; i < self->seen_ops->len; i++)
    {
      const char *text = text_of (self, &g_array_index (self->seen_ops, TtJobSeenOp, i));
      if (g_hash_table_contains (known, text))
        continue;
      guint32 node = local_node (self, known, text);
      if (previous != TT_NO_TASK)
        local_edge (self, previous, node);
      previous = node;
    }
}

/* Groups of which the graph names a tensor, or all of it at once. Keys are those of self->group_of. */
static GHashTable *
find_named_groups (const TtJobParts *self)
{
  GHashTable *named = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < self->local_names->len; i++)
    {
      const char *text = self->local_names->pdata[i];
      const char *group = !g_str_has_prefix (text, "Comm.") ? NULL : g_hash_table_lookup (self->group_of, text + 5);

      if (group != NULL)
        g_hash_table_add (named, (gpointer) group);
      else if (g_str_has_prefix (text, "Comm."))
        g_hash_table_add (named, (gpointer) (text + 5));
    }
  return named;
}

static int
compare_comms (gconstpointer a, gconstpointer b)
{
  const TtJobSeenComm *x = a, *y = b;

  if (x->ts_ns != y->ts_ns)
    return x->ts_ns < y->ts_ns ? -1 : 1;
  return strcmp (x->name, y->name);
}

/* The groups that the graph does not name, by their begin. */
static GArray *
find_unnamed_groups (const TtJobParts *self)
{
  g_autoptr (GHashTable) named = find_named_groups (self);
  g_autoptr (GHashTable) comm_of = g_hash_table_new (g_str_hash, g_str_equal);
  GArray *groups = g_array_new (FALSE, FALSE, sizeof (TtJobSeenComm));

  g_array_set_clear_func (groups, seen_comm_clear);
  for (guint i = 0; i < self->seen_comms->len; i++)
    {
      const TtJobSeenComm *comm = &g_array_index (self->seen_comms, TtJobSeenComm, i);
      g_autofree char *first = g_strndup (comm->name, strcspn (comm->name, "+"));
      const char *group = g_hash_table_lookup (self->group_of, first);

      if (group != NULL && !g_hash_table_contains (named, group))
        stretch_comm (groups, comm_of, group, comm->ts_ns, comm->end_ns);
    }
  g_array_sort (groups, compare_comms);
  return groups;
}

/* What the groups need, and what needs them, both in order of time. */
typedef struct
{
  GArray *backward, *updates; /* of TtJobSeenOp; name: the node */
} Ends;

static Ends
find_ends (const TtJobParts *self, GHashTable *known)
{
  Ends ends = { g_array_new (FALSE, FALSE, sizeof (TtJobSeenOp)), g_array_new (FALSE, FALSE, sizeof (TtJobSeenOp)) };

  for (guint i = 0; i < self->seen_ops->len; i++)
    {
      TtJobSeenOp op = g_array_index (self->seen_ops, TtJobSeenOp, i);
      guint number = GPOINTER_TO_UINT (g_hash_table_lookup (known, text_of (self, &op)));
      guint8 kind = self->kinds[op.name];

      op.name = number - 1;
      if (number != 0 && kind == TT_STEP_NODE_BW)
        g_array_append_val (ends.backward, op);
      else if (number != 0 && kind == TT_STEP_NODE_UPDATE)
        g_array_append_val (ends.updates, op);
    }
  return ends;
}

static void
join_group (TtJobParts *self,
            const TtJobSeenComm *group,
            guint32 node,
            const Ends *ends,
            guint32 gradient,
            guint *n_left)
{
  guint first = ends->updates->len;

  if (gradient != TT_NO_TASK)
    local_edge (self, gradient, node);
  while (first > 0 && g_array_index (ends->updates, TtJobSeenOp, first - 1).ts_ns >= group->end_ns)
    first--;
  for (guint i = first; i<ends->updates->len && * n_left> 0; i++, (*n_left)--)
    local_edge (self, node, g_array_index (ends->updates, TtJobSeenOp, i).name);
}

/* Returns how many there were. */
static guint
join_unnamed_groups (TtJobParts *self, GHashTable *known)
{
  g_autoptr (GArray) groups = find_unnamed_groups (self);
  Ends ends = find_ends (self, known);
  guint32 done = TT_NO_TASK, last = TT_NO_TASK; /* BW that had ended, and that began last */
  gint64 last_end_ns = 0;
  guint at = 0, n_left = MOST_UPDATE_EDGES;

  for (guint i = 0; i < groups->len; i++)
    {
      const TtJobSeenComm *group = &g_array_index (groups, TtJobSeenComm, i);
      g_autofree char *text = g_strconcat ("Comm.", group->name, NULL);

      for (; at < ends.backward->len; at++)
        {
          const TtJobSeenOp *op = &g_array_index (ends.backward, TtJobSeenOp, at);
          if (op->ts_ns > group->ts_ns)
            break;
          done = last;
          last = op->name;
          last_end_ns = op->end_ns;
        }
      join_group (self, group, local_node (self, known, text), &ends,
                  last_end_ns <= group->ts_ns || done == TT_NO_TASK ? last : done, &n_left);
    }
  g_array_unref (ends.backward);
  g_array_unref (ends.updates);
  return groups->len;
}

void
tt_job_complete_local_graph (TtJobParts *self)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  gboolean has_graph = self->local_names->len > 0;

  for (guint i = 0; i < self->local_names->len; i++)
    g_hash_table_insert (known, self->local_names->pdata[i], GUINT_TO_POINTER (i + 1));
  if (!has_graph)
    chain_operators (self, known);
  guint n = join_unnamed_groups (self, known);
  if (has_graph && n > 0)
    tt_job_note (
        self->job,
        "%u groups of tensors are not in the graph of the model: each is taken to need the last gradient before it, "
        "and the updates after it to need it",
        n);
}
