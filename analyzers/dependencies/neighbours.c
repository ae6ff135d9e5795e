/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/dependencies/dep-graph.h"

#include <stdlib.h>
#include <string.h>

#include "analyzers/dependencies/span-links.h"
#include "analyzers/dependencies/span-tree.h"
#include "analyzers/spans/op-table.h"
#include "src/base/error.h"
#include "src/base/progress.h"

typedef struct
{
  GHashTable *members; /* event ids as pointers */
  GHashTable *found;   /* this hop's new ones */
} Frontier;

static gboolean
is_in_set (GHashTable *set, guint64 event)
{
  return g_hash_table_contains (set, GSIZE_TO_POINTER (event));
}

static void
add_pair (Frontier *self, guint64 a, guint64 b)
{
  gboolean has_a = is_in_set (self->members, a), has_b = is_in_set (self->members, b);

  if (has_a != has_b)
    g_hash_table_add (self->found, GSIZE_TO_POINTER (has_a ? b : a));
}

static void
on_link (guint64 from, guint64 to, TtEdgeKind kind, gint64 gap_ns, gpointer data)
{
  add_pair (data, from, to);
}

/* One hop: a scan that looks for edges with one end among the members. */
static gboolean
follow_edges (TtStore *store, const TtDepGraphOptions *options, Frontier *frontier, GError **error)
{
  g_autoptr (TtSpanTree) tree = tt_span_tree_new (tt_store_max_thread (store));
  guint64 n = 0;
  TtEventScan *events;
  TtEvent event;
  TtSpanRef parent, next;
  gboolean ok = TRUE;

  if (!tt_span_links_each (store, options->kinds, options->selection, NULL, on_link, frontier, error))
    return FALSE;
  events = tt_event_scan_new (store, TT_SCAN_REVERSE, error);
  if (events == NULL)
    return FALSE;
  while (ok && tt_event_scan_next (events, &event))
    {
      if (event.dur_ns == TT_NO_TIME)
        continue;
      gboolean selected = options->selection == NULL || tt_selection_matches (options->selection, &event);
      ok = tt_span_tree_add (tree, &event, selected ? 0 : TT_NO_NODE, &parent, &next, error);
      if (ok && selected && parent.event != 0 && (options->kinds & 1u << TT_EDGE_CALL))
        add_pair (frontier, parent.event, event.id);
      if (ok && selected && next.event != 0 && (options->kinds & 1u << TT_EDGE_SEQUENCE))
        add_pair (frontier, event.id, next.event);
      if (++n % 65536 == 0)
        ok = ok && !tt_cancelled (error);
      if (ok && g_hash_table_size (frontier->found) > TT_DEP_MAX_EVENTS)
        {
          g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "more than %u spans are that near; lower --depth",
                       TT_DEP_MAX_EVENTS);
          ok = FALSE;
        }
    }
  return tt_event_scan_finish (events, ok ? error : NULL) && ok;
}

GHashTable *
tt_dep_graph_neighbours (TtStore *store, const TtDepGraphOptions *options, guint64 centre, guint hops, GError **error)
{
  g_autoptr (GHashTable) members = g_hash_table_new (NULL, NULL);

  g_hash_table_add (members, GSIZE_TO_POINTER (centre));
  for (guint i = 0; i < hops; i++)
    {
      g_autoptr (GHashTable) found = g_hash_table_new (NULL, NULL);
      Frontier frontier = { .members = members, .found = found };
      GHashTableIter iter;
      gpointer event;

      if (!follow_edges (store, options, &frontier, error))
        return NULL;
      if (g_hash_table_size (found) == 0)
        break;
      g_hash_table_iter_init (&iter, found);
      while (g_hash_table_iter_next (&iter, &event, NULL))
        g_hash_table_add (members, event);
    }
  return g_steal_pointer (&members);
}

/* -- the centre -------------------------------------------------------------------------------------- */

typedef struct
{
  gint64 ts_ns;
  guint32 depth;
  guint64 event;
} Begin;

static int
compare_begins (const void *a, const void *b)
{
  const Begin *x = a, *y = b;

  if (x->ts_ns != y->ts_ns)
    return x->ts_ns < y->ts_ns ? -1 : 1;
  if (x->depth != y->depth)
    return x->depth < y->depth ? -1 : 1;
  return (x->event > y->event) - (x->event < y->event);
}

/* "NAME#k" into NAME and k, if what follows the last # is a number. */
static gboolean
split_number (const char *text, char **name, guint64 *k)
{
  const char *mark = strrchr (text, '#');

  if (mark == NULL || mark == text || !g_ascii_string_to_unsigned (mark + 1, 10, 0, G_MAXUINT64, k, NULL))
    return FALSE;
  *name = g_strndup (text, (gsize) (mark - text));
  return TRUE;
}

static gboolean
collect_begins (TtStore *store, TtOpTable *ops, guint32 op, GArray *begins, Begin *longest, GError **error)
{
  TtEventScan *events = tt_event_scan_new (store, TT_SCAN_DEFAULT, error);
  TtEvent event;
  gint64 longest_ns = -1;

  if (events == NULL)
    return FALSE;
  while (tt_event_scan_next (events, &event))
    {
      const TtThread *thread = tt_store_thread (store, event.thread);
      Begin begin = { event.ts_ns, event.depth, event.id };

      if (event.dur_ns == TT_NO_TIME || thread == NULL || tt_op_table_find (ops, thread->process, event.name) != op)
        continue;
      if (begins != NULL)
        g_array_append_val (begins, begin);
      if (event.dur_ns > longest_ns || (event.dur_ns == longest_ns && compare_begins (&begin, longest) < 0))
        {
          longest_ns = event.dur_ns;
          *longest = begin;
        }
    }
  return tt_event_scan_finish (events, error);
}

/* The one operation that @text means; one name in several processes is not one. */
static gboolean
find_op (const TtOpTable *ops, const char *text, guint32 *op, GError **error)
{
  g_autoptr (GArray) matched = tt_op_table_match (ops, text, error);

  if (matched == NULL)
    return FALSE;
  *op = g_array_index (matched, guint32, 0);
  if (matched->len == 1)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' is in %u processes; name one, as in '%s'", text, matched->len,
               tt_op_table_op (ops, *op)->label);
  return FALSE;
}

gboolean
tt_dep_graph_find_event (TtStore *store, const char *text, guint64 *event, char **label, GError **error)
{
  g_autoptr (TtOpTable) ops = tt_op_table_new (store, FALSE);
  g_autoptr (GArray) begins = NULL;
  g_autofree char *name = NULL;
  guint64 k = 0;
  guint32 op;
  Begin longest = { 0 };
  const char *found;

  if (!tt_op_table_fill (ops, error))
    return FALSE;
  if (find_op (ops, text, &op, NULL))
    g_clear_pointer (&name, g_free);
  else if (split_number (text, &name, &k))
    begins = g_array_new (FALSE, FALSE, sizeof (Begin));
  if (!find_op (ops, name != NULL ? name : text, &op, error) ||
      !collect_begins (store, ops, op, begins, &longest, error))
    return FALSE;

  found = tt_op_table_op (ops, op)->label;
  if (begins != NULL && k >= begins->len)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' occurs %u times; the last is '%s#%u'", found, begins->len,
                   found, begins->len == 0 ? 0 : begins->len - 1);
      return FALSE;
    }
  if (begins != NULL)
    {
      g_array_sort (begins, compare_begins);
      longest = g_array_index (begins, Begin, k);
    }
  *event = longest.event;
  *label = g_strdup (found);
  return TRUE;
}
