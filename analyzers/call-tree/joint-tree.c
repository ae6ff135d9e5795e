/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/call-tree/joint-tree.h"

/* By node, its place among those that are said, 0 for the others: calls were counted there, or on the way from there. Of what was around a part others may be left, and
 * not always in their right places. Free it. */
static guint32 *
number_counted (TtCallNodes *self, guint32 *n_said)
{
  const guint32 n = tt_call_nodes_count (self);
  guint32 *numbers = g_new0 (guint32, n);

  for (guint32 i = n - 1; i > 0; i--)
    if (numbers[i] != 0 || tt_call_nodes_get (self, i)->count > 0)
      numbers[i] = numbers[tt_call_nodes_get (self, i)->parent] = 1;
  *n_said = 0;
  for (guint32 i = 1; i < n; i++)
    if (numbers[i] != 0)
      numbers[i] = ++*n_said;
  numbers[0] = 0;
  return numbers;
}

void
tt_call_nodes_pack (TtCallNodes *self, GByteArray *bytes)
{
  guint32 n_said;
  g_autofree guint32 *numbers = number_counted (self, &n_said);

  tt_pack_number (bytes, n_said);
  for (guint32 i = 1; i < tt_call_nodes_count (self); i++)
    {
      const TtCallNode *node = tt_call_nodes_get (self, i);

      if (numbers[i] == 0)
        continue;
      tt_pack_number (bytes, numbers[node->parent]);
      tt_pack_number (bytes, node->name);
      tt_pack_number (bytes, node->count);
      tt_pack_wide (bytes, (tt_uint128) node->total_ns);
      tt_pack_wide (bytes, (tt_uint128) node->self_ns);
    }
}

/* Of @count spans. */
static tt_int128
unpack_sum (TtUnpack *from, guint64 count)
{
  const tt_int128 sum = (tt_int128) tt_unpack_wide (from), limit = (tt_int128) count << 63;

  from->is_bad |= sum < -limit || sum > limit;
  return from->is_bad ? 0 : sum;
}

gboolean
tt_call_nodes_unpack (TtCallNodes *self, TtUnpack *from, const guint32 *first_names, guint32 max_name, guint64 n_events)
{
  const guint64 n = tt_unpack_below (from, TT_CALL_TREE_MAX_NODES);
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 number = 0;

  g_array_append_val (numbers, number);
  for (guint64 i = 1; i <= n && !from->is_bad; i++)
    {
      const guint32 parent = (guint32) tt_unpack_below (from, i - 1);
      const guint32 name = (guint32) tt_unpack_below (from, max_name);
      const guint64 count = tt_unpack_below (from, n_events);
      const tt_int128 total_ns = unpack_sum (from, count), self_ns = unpack_sum (from, count);

      from->is_bad |= first_names[name] != name;
      if (from->is_bad)
        break;
      number = tt_call_nodes_child (self, g_array_index (numbers, guint32, parent), name);
      if (number == 0)
        return FALSE;
      TtCallNode *node = tt_call_nodes_get (self, number);
      node->count += count;
      node->total_ns += total_ns;
      node->self_ns += self_ns;
      n_events -= count;
      g_array_append_val (numbers, number);
    }
  return TRUE;
}

/* -- the ranks ------------------------------------------------------------------------------------------------------ */

static void
help (TtCallNodes *own, const TtSharedScan *shared)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  tt_shared_scan_pack (shared, bytes);
  tt_call_nodes_pack (own, bytes);
  shared->crew->give (bytes);
  g_autoptr (GByteArray) nothing = shared->crew->hear ();
}

typedef struct
{
  TtCallNodes *nodes;
  const TtSharedScan *shared;
  const guint32 *first_names;
} Joint;

static gboolean
add_part (TtUnpack *from, gpointer data)
{
  const Joint *self = data;
  TtStore *store = self->shared->store;

  return tt_call_nodes_unpack (self->nodes, from, self->first_names, tt_store_max_name (store),
                               tt_store_n_events (store));
}

gboolean
tt_joint_tree_join (TtCallNodes *own,
                    TtSharedScan *shared,
                    const guint32 *first_names,
                    gboolean *is_alone,
                    GError **error)
{
  *is_alone = FALSE;
  if (shared->crew->rank > 0)
    {
      help (own, shared);
      return FALSE;
    }
  Joint joint = { own, shared, first_names };
  return tt_shared_scan_join (shared, add_part, &joint, is_alone, error);
}
