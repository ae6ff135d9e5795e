/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/tree.h"

#define MAX_INDENT 40u

typedef struct
{
  TtStore *store;
  const TtCallTree *tree;
  gboolean for_people;
  GString *path;
} Context;

static const TtCallNode *
node_of (const void *row, const void *context)
{
  return tt_call_tree_node (((const Context *) context)->tree, *(const guint32 *) row);
}

static double
percent_of (const Context *context, tt_int128 ns)
{
  tt_int128 whole = tt_call_tree_node (context->tree, 0)->total_ns;

  return whole > 0 ? 100.0 * (double) ns / (double) whole : 0;
}

static TtReportCell
total_percent (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_real (percent_of (context, node_of (row, context)->total_ns));
}

static TtReportCell
total_time (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_int (node_of (row, context)->total_ns);
}

static TtReportCell
self_time (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_int (node_of (row, context)->self_ns);
}

static TtReportCell
count_cell (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_int (node_of (row, context)->count);
}

static TtReportCell
depth_cell (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_int (node_of (row, context)->depth);
}

static const char *
text_of (TtStore *store, guint32 name)
{
  const TtStoredName *found = tt_store_name (store, name);

  return found == NULL || found->text == NULL ? "?" : found->text;
}

static TtReportCell
name_cell (const TtReportField *self, const void *row, const void *context)
{
  const Context *table = context;
  const TtCallNode *node = node_of (row, context);
  guint indent = table->for_people ? MIN (node->depth - 1, MAX_INDENT) : 0;

  return tt_cell_take (g_strdup_printf ("%*s%s", (int) (2 * indent), "", text_of (table->store, node->name)));
}

/* Names from the outermost on, as TAU writes call paths. */
static TtReportCell
path_cell (const TtReportField *self, const void *row, const void *context)
{
  const Context *table = context;
  guint32 at = *(const guint32 *) row;

  g_string_truncate (table->path, 0);
  for (; at != 0; at = tt_call_tree_node (table->tree, at)->parent)
    {
      if (table->path->len > 0)
        g_string_prepend (table->path, " => ");
      g_string_prepend (table->path, text_of (table->store, tt_call_tree_node (table->tree, at)->name));
    }
  return tt_cell_text (table->path->str);
}

static const TtReportField fields[] = {
  { TT_COLUMN_PERCENT, "Total %", "total_percent", total_percent },
  { TT_COLUMN_TIME, "Total", "total", total_time },
  { TT_COLUMN_TIME, "Self", "self", self_time },
  { TT_COLUMN_COUNT, "Count", "count", count_cell },
  { TT_COLUMN_COUNT, "Depth", "depth", depth_cell, .reader = TT_READER_PROGRAMS },
  { TT_COLUMN_TEXT, "Operation", "name", name_cell },
  { TT_COLUMN_TEXT, "Path", "path", path_cell, .reader = TT_READER_PROGRAMS },
};

TtReport *
tt_tree_table (TtStore *store, const TtCallTree *tree, const TtTreeLimits *limits, const TtReportView *view)
{
  g_autoptr (GString) path = g_string_new (NULL);
  const Context context = { store, tree, tt_report_view_is_for_people (view), path };
  TtReport *report = tt_report_of_fields (fields, G_N_ELEMENTS (fields), view, &context);
  guint64 n_shown = 0, n_small = 0, n_more = 0;
  guint32 at = tt_call_tree_node (tree, 0)->first;

  while (at != 0)
    {
      const TtCallNode *node = tt_call_tree_node (tree, at);
      gboolean is_small = percent_of (&context, node->total_ns) < limits->min_percent;
      gboolean is_last = view->top > 0 && n_shown >= view->top;

      n_small += is_small;
      n_more += !is_small && is_last;
      if (!is_small && !is_last)
        {
          tt_report_row (report, &at);
          n_shown++;
        }
      gboolean goes_down = !is_small && (limits->depth == 0 || node->depth < limits->depth);
      guint32 next = goes_down ? node->first : 0;
      for (guint32 up = at; next == 0 && up != 0; up = tt_call_tree_node (tree, up)->parent)
        next = tt_call_tree_node (tree, up)->next;
      at = next;
    }

  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *more = tt_report_more (view, n_more, NULL);
  char count[TT_TIME_TEXT];
  if (n_more > 0)
    g_string_append (text, more);
  if (n_small > 0)
    g_string_append_printf (text, "%s%s path%s below %g %% with what is inside left out: see --min", text->len > 0 ? "\n" : "",
                            tt_count_text (count, n_small), n_small == 1 ? "" : "s", limits->min_percent);
  if (tree->n_folded > 0)
    g_string_append_printf (text, "%s%s calls count for their callers: more than %u paths", text->len > 0 ? "\n" : "",
                            tt_count_text (count, tree->n_folded), TT_CALL_TREE_MAX_NODES);
  if (text->len > 0)
    tt_report_footer (report, text->str);
  return report;
}
