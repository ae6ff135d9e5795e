/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/dependencies/dep-graph.h"

#include <stdlib.h>
#include <string.h>

#include "analyzers/dependencies/span-links.h"
#include "analyzers/dependencies/span-tree.h"
#include "analyzers/spans/each-event.h"
#include "src/base/array-sort.h"
#include "src/base/error.h"

/* Links that are kept in memory, so that they are read once for all hops. */
#define MAX_PAIRS (1u << 20)

typedef struct
{
  guint64 from, to;
} Pair;

typedef struct
{
  TtStore *store;
  const TtDepGraphOptions *options;
  TtDepGraphNear *near; /* NULL: all is scanned */
  GHashTable *members;  /* event ids as pointers */
  GHashTable *found;    /* this hop's new ones */
  TtSpanTree *tree;
  GArray *pairs; /* of Pair; NULL: links are read for each hop */
  gboolean has_pairs;
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

/* -- links ------------------------------------------------------------------------------------------------------------ */

static void
on_link (guint64 from, guint64 to, TtEdgeKind kind, gint64 gap_ns, gpointer data)
{
  Frontier *self = data;
  const Pair pair = { from, to };

  add_pair (self, from, to);
  if (self->pairs == NULL)
    return;
  g_array_append_val (self->pairs, pair);
  if (self->pairs->len > MAX_PAIRS)
    g_clear_pointer (&self->pairs, g_array_unref);
}

static gboolean
follow_links (Frontier *self, GError **error)
{
  const TtSpanLinkRows rows = { self->near == NULL ? NULL : &self->near->work, TT_ROWS_ALL };

  if (self->has_pairs && self->pairs != NULL)
    {
      for (guint i = 0; i < self->pairs->len; i++)
        add_pair (self, g_array_index (self->pairs, Pair, i).from, g_array_index (self->pairs, Pair, i).to);
      return TRUE;
    }
  self->has_pairs = TRUE;
  return tt_span_links_each (self->store, self->options->kinds, self->options->selection,
                             self->near == NULL ? NULL : &rows, on_link, self, error);
}

/* -- calls and siblings ----------------------------------------------------------------------------------------------- */

static gboolean
take_event (const TtEvent *event, gpointer data, GError **error)
{
  Frontier *self = data;
  const TtDepGraphOptions *options = self->options;
  TtSpanRef parent, next;

  if (event->dur_ns == TT_NO_TIME)
    return TRUE;

  const gboolean is_selected = options->selection == NULL || tt_selection_matches (options->selection, event);

  if (!tt_span_tree_add (self->tree, event, is_selected ? 0 : TT_NO_NODE, &parent, &next, error))
    return FALSE;
  if (is_selected && parent.event != 0 && (options->kinds & 1u << TT_EDGE_CALL))
    add_pair (self, parent.event, event->id);
  if (is_selected && next.event != 0 && (options->kinds & 1u << TT_EDGE_SEQUENCE))
    add_pair (self, event->id, next.event);
  if (g_hash_table_size (self->found) <= TT_DEP_MAX_EVENTS)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "more than %u spans are that near; lower --depth", TT_DEP_MAX_EVENTS);
  return FALSE;
}

static TtArrayKey
key_of_id (gconstpointer element)
{
  return (TtArrayKey){ 0, *(const guint64 *) element };
}

/* Reads what is next to @events, as long as that is less than a scan. */
static gboolean
expand (TtVicinity *vicinity, GHashTable *events, GError **error)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint64));
  GHashTableIter iter;
  gpointer event;

  if (vicinity == NULL)
    return TRUE;
  g_hash_table_iter_init (&iter, events);
  while (g_hash_table_iter_next (&iter, &event, NULL))
    {
      const guint64 id = GPOINTER_TO_SIZE (event);
      g_array_append_val (ids, id);
    }
  tt_array_sort_by_key (ids, key_of_id, NULL);
  for (guint i = 0; i < ids->len; i++)
    if (!tt_vicinity_expand (vicinity, g_array_index (ids, guint64, i), error))
      return FALSE;
  return TRUE;
}

/* One hop: looks for edges with one end among the members. */
static gboolean
follow_edges (Frontier *self, GError **error)
{
  TtVicinity *vicinity = self->near == NULL ? NULL : self->near->vicinity;
  g_autoptr (TtSpanTree) tree = tt_span_tree_new (tt_store_max_thread (self->store));

  if (!follow_links (self, error))
    return FALSE;
  self->tree = tree;
  return vicinity != NULL && tt_vicinity_is_complete (vicinity)
             ? tt_vicinity_each (vicinity, take_event, self, error)
             : tt_each_event (self->store, TT_SCAN_REVERSE, take_event, self, error);
}

static gboolean
follow_hops (Frontier *self, guint hops, GError **error)
{
  TtVicinity *vicinity = self->near == NULL ? NULL : self->near->vicinity;
  g_autoptr (GHashTable) last = g_hash_table_ref (self->members);

  for (guint i = 0; i < hops; i++)
    {
      g_autoptr (GHashTable) found = g_hash_table_new (NULL, NULL);
      GHashTableIter iter;
      gpointer event;

      self->found = found;
      if (!expand (vicinity, last, error) || !follow_edges (self, error))
        return FALSE;
      if (g_hash_table_size (found) == 0)
        return TRUE;
      g_hash_table_iter_init (&iter, found);
      while (g_hash_table_iter_next (&iter, &event, NULL))
        g_hash_table_add (self->members, event);
      g_hash_table_unref (last);
      last = g_hash_table_ref (found);
    }
  return TRUE;
}

GHashTable *
tt_dep_graph_neighbours (TtStore *store,
                         const TtDepGraphOptions *options,
                         TtDepGraphNear *near,
                         guint64 centre,
                         guint hops,
                         GError **error)
{
  g_autoptr (GHashTable) members = g_hash_table_new (NULL, NULL);
  Frontier frontier = { .store = store, .options = options, .near = near, .members = members };

  g_hash_table_add (members, GSIZE_TO_POINTER (centre));
  if (near != NULL && hops > 0 && (options->kinds & 1u << TT_EDGE_SYNC) != 0 &&
      !tt_device_work_collect (&near->work, store, error))
    return NULL;
  frontier.pairs = g_array_new (FALSE, FALSE, sizeof (Pair));

  const gboolean is_ok = follow_hops (&frontier, hops, error);

  g_clear_pointer (&frontier.pairs, g_array_unref);
  return is_ok ? g_steal_pointer (&members) : NULL;
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

typedef struct
{
  TtStore *store;
  TtOpTable *ops;
  TtEventIndex *index; /* NULL: none is made */
  guint32 op;
  GArray *begins; /* NULL: only the longest is wanted */
  Begin longest;
  gint64 longest_ns;
} Centre;

static guint32
op_of_event (const Centre *self, const TtEvent *event)
{
  const TtThread *thread = tt_store_thread (self->store, event->thread);

  if (self->index != NULL)
    return tt_event_index_add (self->index, event);
  return event->dur_ns == TT_NO_TIME || thread == NULL ? TT_NO_OP
                                                       : tt_op_table_find (self->ops, thread->process, event->name);
}

static gboolean
take_begin (const TtEvent *event, gpointer data, GError **error)
{
  Centre *self = data;
  const Begin begin = { event->ts_ns, event->depth, event->id };

  if (op_of_event (self, event) != self->op)
    return TRUE;
  if (self->begins != NULL)
    g_array_append_val (self->begins, begin);
  if (event->dur_ns > self->longest_ns ||
      (event->dur_ns == self->longest_ns && compare_begins (&begin, &self->longest) < 0))
    {
      self->longest_ns = event->dur_ns;
      self->longest = begin;
    }
  return TRUE;
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
tt_dep_graph_find_event (TtStore *store, const char *text, TtDepGraphNear *near, guint64 *event, GError **error)
{
  g_autoptr (TtOpTable) own_ops = near == NULL ? tt_op_table_new (store, FALSE) : NULL;
  Centre centre = { .store = store, .ops = near == NULL ? own_ops : near->ops, .longest_ns = -1 };
  g_autoptr (GArray) begins = NULL;
  g_autofree char *name = NULL;
  guint64 k = 0;

  if (!tt_op_table_fill (centre.ops, error))
    return FALSE;
  if (!find_op (centre.ops, text, &centre.op, NULL) && split_number (text, &name, &k))
    centre.begins = begins = g_array_new (FALSE, FALSE, sizeof (Begin));
  if (!find_op (centre.ops, name != NULL ? name : text, &centre.op, error))
    return FALSE;
  if (near != NULL)
    centre.index = near->index = tt_event_index_new (store, near->ops, near->events_a_piece);
  if (!tt_each_event (store, TT_SCAN_DEFAULT, take_begin, &centre, error))
    return FALSE;
  if (near != NULL)
    tt_event_index_end (near->index);

  if (begins != NULL && k >= begins->len)
    {
      const char *found = tt_op_table_op (centre.ops, centre.op)->label;
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' occurs %u times; the last is '%s#%u'", found, begins->len,
                   found, begins->len == 0 ? 0 : begins->len - 1);
      return FALSE;
    }
  if (begins != NULL)
    {
      g_array_sort (begins, compare_begins);
      centre.longest = g_array_index (begins, Begin, k);
    }
  *event = centre.longest.event;
  return TRUE;
}
