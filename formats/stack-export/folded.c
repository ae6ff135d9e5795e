/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/stack-export/stack-export.h"

#include <string.h>

#include "formats/stack-export/folded-paths.h"
#include "formats/stack-export/spans.h"
#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/base/progress.h"

typedef struct
{
  TtFoldedPaths *paths;
  const TtSharedScan *shared;
} Reader;

static void
add_span (const TtEvent *event, gpointer payload, gconstpointer parent, gpointer data)
{
  const Reader *self = data;
  const guint32 node = tt_folded_paths_of_span (self->paths, parent == NULL ? 0 : *(const guint32 *) parent, event);

  if (payload != NULL)
    *(guint32 *) payload = node;
  if (!self->shared->is_around)
    tt_folded_paths_count (self->paths, node, event->self_ns);
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
rank_frames (const TtFoldedPaths *self)
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
sort_children (TtFoldedPaths *self)
{
  g_autofree guint32 *ranks = rank_frames (self);
  guint32 n = self->nodes->len;
  Child *children = g_new (Child, n);

  for (guint32 i = 1; i < n; i++)
    {
      const TtFoldedNode *node = &g_array_index (self->nodes, TtFoldedNode, i);
      children[i - 1] = (Child){ .parent = node->parent, .rank = ranks[node->frame], .node = i };
    }
  qsort (children, n - 1, sizeof *children, compare_children);
  for (guint32 i = n - 1; i-- > 0;)
    g_array_index (self->nodes, TtFoldedNode, children[i].parent).first_child = i;
  return children;
}

static void
write_line (const TtFoldedNode *node, const GString *path, TtOutput *out)
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
write_lines (TtFoldedPaths *self, TtOutput *out, GError **error)
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
      const TtFoldedNode *node = &g_array_index (self->nodes, TtFoldedNode, child->node);
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

/* All spans, or those of this rank's part. */
static gboolean
read_paths (TtFoldedPaths *paths, TtSelection *selection, TtSharedScan *shared, GError **error)
{
  Reader reader = { paths, shared };
  const TtStackSpans spans = {
    .store = paths->store,
    .selection = selection,
    .report = paths->report,
    .payload_size = sizeof (guint32),
    .add = add_span,
    .data = &reader,
    .shared = shared->is_shared ? shared : NULL,
  };

  return tt_stack_spans_read (&spans, error);
}

static gboolean
add_part (TtUnpack *from, gpointer data)
{
  tt_folded_paths_unpack (data, from);
  return TRUE;
}

/* As rank 0 of several. *@is_alone: it has to read all. */
static gboolean
join_paths (TtFoldedPaths *paths, TtSelection *selection, TtSharedScan *shared, gboolean *is_alone, GError **error)
{
  return read_paths (paths, selection, shared, error) && tt_shared_scan_join (shared, add_part, paths, is_alone, error);
}

static gboolean
lead (TtFoldedPaths *paths, TtSelection *selection, TtSharedScan *shared, gboolean *is_alone, GError **error)
{
  GError *own = NULL;

  shared->crew->call (shared->crew->id);
  const gboolean is_done = join_paths (paths, selection, shared, is_alone, &own);
  return tt_crew_end (shared->crew, is_done, own, error);
}

/* As another. */
static gboolean
help (TtFoldedPaths *paths, TtSelection *selection, TtSharedScan *shared, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  if (!shared->is_shared || !read_paths (paths, selection, shared, error))
    return FALSE;
  tt_shared_scan_pack (shared, bytes);
  tt_folded_paths_pack (paths, bytes);
  shared->crew->give (bytes);
  g_autoptr (GByteArray) nothing = shared->crew->hear ();
  return FALSE;
}

gboolean
tt_folded_export (TtStore *store, const TtStackOptions *options, TtOutput *out, TtStackReport *report, GError **error)
{
  TtSelection *selection = options->selection;
  g_auto (TtFoldedPaths) paths = { NULL };
  g_auto (TtSharedScan) shared = { NULL };
  gboolean is_alone = FALSE;

  if (selection != NULL && !tt_selection_bind (selection, store, error))
    return FALSE;
  report->mixed_clocks = has_mixed_clocks (store);
  tt_folded_paths_init (&paths, store, options, report);
  tt_shared_scan_init (&shared, store, options->crew, selection == NULL || !tt_selection_has_window (selection));
  if (options->crew != NULL && options->crew->rank > 0)
    return help (&paths, selection, &shared, error);
  if (!(shared.is_shared ? lead (&paths, selection, &shared, &is_alone, error)
                         : read_paths (&paths, selection, &shared, error)))
    return FALSE;
  if (is_alone)
    {
      const TtStackOptions alone = { selection, options->original_names, NULL };
      *report = (TtStackReport){ 0 };
      return tt_folded_export (store, &alone, out, report, error);
    }
  report->n_renamed += tt_stack_labels_n_renamed (paths.labels);
  return write_lines (&paths, out, error);
}
