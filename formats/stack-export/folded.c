/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/stack-export/stack-export.h"

#include <string.h>

#include "formats/stack-export/labels.h"
#include "formats/stack-export/spans.h"
#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/base/int128.h"
#include "src/base/map64.h"
#include "src/base/progress.h"

/* A call path: that of its parent and one frame more. Processes, threads, (async) and (overlap) are paths, too. */
typedef struct
{
  guint32 parent, frame; /* frame: index of its text */
  guint32 first_child;   /* while they are written: place among the sorted nodes */
  gboolean is_span;      /* spans end there: it has a line */
  tt_int128 self_ns;
} Node;

typedef struct
{
  TtStore *store;
  TtStackReport *report;
  gboolean original_names;
  TtStackLabels *labels;
  GArray *nodes;        /* of Node; the first is the root of all */
  TtMap64 children;     /* parent << 32 | frame -> node */
  GPtrArray *frames;    /* texts */
  GHashTable *by_text;  /* text -> index in frames + 1 */
  TtMap64 by_name;      /* name id -> frame */
  TtMap64 threads;      /* thread id -> node */
} Folded;

static void
folded_clear (Folded *self)
{
  g_clear_pointer (&self->labels, tt_stack_labels_free);
  g_array_unref (self->nodes);
  g_ptr_array_unref (self->frames);
  g_hash_table_unref (self->by_text);
  tt_map64_clear (&self->children);
  tt_map64_clear (&self->by_name);
  tt_map64_clear (&self->threads);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Folded, folded_clear)

/* -- paths ---------------------------------------------------------------------------------------- */

static guint32
find_frame (Folded *self, const char *text)
{
  guint32 known = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_text, text));

  if (known != 0)
    return known - 1;
  char *kept = g_strdup (text);
  g_ptr_array_add (self->frames, kept);
  g_hash_table_insert (self->by_text, kept, GUINT_TO_POINTER (self->frames->len));
  return self->frames->len - 1;
}

static guint32
find_name_frame (Folded *self, guint32 name)
{
  guint32 frame = tt_map64_get (&self->by_name, name);

  if (frame != TT_MAP64_NONE)
    return frame;
  g_autofree char *text = tt_stack_label_name (self->store, name, self->original_names);
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  self->report->n_renamed += tt_stack_label_clean (valid);
  frame = find_frame (self, valid);
  tt_map64_set (&self->by_name, name, frame);
  return frame;
}

static guint32
find_child (Folded *self, guint32 parent, guint32 frame)
{
  guint64 key = (guint64) parent << 32 | frame;
  guint32 node = tt_map64_get (&self->children, key);

  if (node != TT_MAP64_NONE)
    return node;
  const Node fresh = { .parent = parent, .frame = frame };
  node = self->nodes->len;
  g_array_append_val (self->nodes, fresh);
  tt_map64_set (&self->children, key, node);
  return node;
}

static guint32
find_thread (Folded *self, guint32 thread)
{
  guint32 node = tt_map64_get (&self->threads, thread);

  if (node != TT_MAP64_NONE)
    return node;
  node = find_child (self, 0, find_frame (self, tt_stack_labels_process (self->labels, thread)));
  node = find_child (self, node, find_frame (self, tt_stack_labels_thread (self->labels, thread)));
  tt_map64_set (&self->threads, thread, node);
  return node;
}

static void
add_span (const TtEvent *event, gpointer payload, gconstpointer parent, gpointer data)
{
  Folded *self = data;
  guint32 node;

  if (event->flags & TT_FLAG_ASYNC)
    node = find_child (self, find_thread (self, event->thread), find_frame (self, "(async)"));
  else if (event->flags & TT_FLAG_OVERLAP)
    node = find_child (self, find_thread (self, event->thread), find_frame (self, "(overlap)"));
  else
    node = parent != NULL ? *(const guint32 *) parent : find_thread (self, event->thread);
  node = find_child (self, node, find_name_frame (self, event->name));
  if (payload != NULL)
    *(guint32 *) payload = node;

  Node *path = &g_array_index (self->nodes, Node, node);
  path->self_ns += event->self_ns;
  self->report->n_paths += !path->is_span;
  path->is_span = TRUE;
}

/* -- lines ---------------------------------------------------------------------------------------- */

static int
compare_texts (gconstpointer a, gconstpointer b, gpointer data)
{
  const GPtrArray *frames = data;

  return strcmp (frames->pdata[*(const guint32 *) a], frames->pdata[*(const guint32 *) b]);
}

/* The place of each frame in the order of texts. Free it. */
static guint32 *
rank_frames (const Folded *self)
{
  guint n = self->frames->len;
  g_autofree guint32 *order = g_new (guint32, n + 1);
  guint32 *ranks = g_new (guint32, n + 1);

  for (guint32 i = 0; i < n; i++)
    order[i] = i;
  g_qsort_with_data (order, (int) n, sizeof *order, compare_texts, self->frames);
  for (guint32 i = 0; i < n; i++)
    ranks[order[i]] = i;
  return ranks;
}

typedef struct
{
  guint32 parent, rank, node;
} Child;

static int
compare_children (gconstpointer a, gconstpointer b)
{
  const Child *one = a, *other = b;
  int order = TT_COMPARE (one->parent, other->parent);

  return order != 0 ? order : TT_COMPARE (one->rank, other->rank);
}

/* All nodes but the root, the children of one together and in the order of their frames. Free it. */
static Child *
sort_children (Folded *self)
{
  g_autofree guint32 *ranks = rank_frames (self);
  guint32 n = self->nodes->len;
  Child *children = g_new (Child, n);

  for (guint32 i = 1; i < n; i++)
    {
      const Node *node = &g_array_index (self->nodes, Node, i);
      children[i - 1] = (Child){ .parent = node->parent, .rank = ranks[node->frame], .node = i };
    }
  qsort (children, n - 1, sizeof *children, compare_children);
  for (guint32 i = n - 1; i-- > 0;)
    g_array_index (self->nodes, Node, children[i].parent).first_child = i;
  return children;
}

static void
write_line (const Node *node, const GString *path, TtOutput *out)
{
  char number[TT_INT128_TEXT];

  tt_output_bytes (out, path->str, path->len);
  tt_output_literal (out, " ");
  tt_output_text (out, tt_int128_text (number, node->self_ns));
  tt_output_literal (out, "\n");
}

/* A node whose children are being written. */
typedef struct
{
  guint32 node, next; /* next: the place of its next child */
  gsize path_len;
} Open;

static gboolean
write_lines (Folded *self, TtOutput *out, GError **error)
{
  g_autofree Child *children = sort_children (self);
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (Open));
  g_autoptr (GString) path = g_string_new (NULL);
  const Open root = { .next = 0 };

  g_array_append_val (open, root);
  while (open->len > 0)
    {
      if (tt_cancelled (error))
        return FALSE;
      Open *last = &g_array_index (open, Open, open->len - 1);
      if (last->next + 1 >= self->nodes->len || children[last->next].parent != last->node)
        {
          g_array_set_size (open, open->len - 1);
          continue;
        }
      const Child *child = &children[last->next++];
      const Node *node = &g_array_index (self->nodes, Node, child->node);
      g_string_truncate (path, last->path_len);
      if (path->len > 0)
        g_string_append_c (path, ';');
      g_string_append (path, self->frames->pdata[node->frame]);
      if (node->is_span)
        write_line (node, path, out);
      const Open inner = { .node = child->node, .next = node->first_child, .path_len = path->len };
      g_array_append_val (open, inner);
    }
  return TRUE;
}

/* -- public --------------------------------------------------------------------------------------- */

static gboolean
has_mixed_clocks (TtStore *store)
{
  guint n, n_ticks = 0;
  const TtSource *sources = tt_store_sources (store, &n);

  for (guint i = 0; i < n; i++)
    n_ticks += g_strcmp0 (sources[i].clock, tt_clock_text (TT_CLOCK_TICKS)) == 0;
  return n_ticks > 0 && n_ticks < n;
}

gboolean
tt_folded_export (TtStore *store, const TtStackOptions *options, TtOutput *out, TtStackReport *report, GError **error)
{
  TtSelection *selection = options->selection;
  g_auto (Folded) self = {
    .store = store,
    .report = report,
    .original_names = options->original_names,
    .labels = tt_stack_labels_new (store),
    .nodes = g_array_new (FALSE, FALSE, sizeof (Node)),
    .frames = g_ptr_array_new_with_free_func (g_free),
    .by_text = g_hash_table_new (g_str_hash, g_str_equal),
  };
  const TtStackSpans spans = {
    .store = store,
    .selection = selection,
    .report = report,
    .payload_size = sizeof (guint32),
    .add = add_span,
    .data = &self,
  };
  const Node root = { 0 };

  g_array_append_val (self.nodes, root);
  report->mixed_clocks = has_mixed_clocks (store);
  if ((selection != NULL && !tt_selection_bind (selection, store, error)) || !tt_stack_spans_read (&spans, error))
    return FALSE;
  report->n_renamed += tt_stack_labels_n_renamed (self.labels);
  return write_lines (&self, out, error);
}
