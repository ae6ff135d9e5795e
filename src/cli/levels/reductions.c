/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/levels/reductions.h"

#include "graphs/via.h"
#include "src/base/error.h"
#include "src/base/units.h"
#include "src/cli/message.h"

static void
replace (TtGraph **graph, TtGraph *reduced)
{
  tt_graph_free (*graph);
  *graph = reduced;
}

static void
fold (TtGraph **graph, GString *note)
{
  guint n_before = (*graph)->nodes->len, n_folded;

  replace (graph, tt_graph_fold_ranks (*graph, &n_folded));
  g_string_append_printf (note, "%s%u processes of equal shape are folded", note->len > 0 ? "; " : "", n_folded);
  tt_message ("%u processes that have the same operations and calls as another are folded: %u nodes of %u", n_folded,
              (*graph)->nodes->len, n_before);
}

/* A word about the edges via what is left out. */
static void
tell_ways (const TtGraph *graph, guint n_ways, GString *note)
{
  char text[TT_TIME_TEXT];

  if (graph->nodes->len > TT_VIA_MOST_NODES)
    tt_message ("with more than %u nodes, ways via what is left out are not looked for", TT_VIA_MOST_NODES);
  if (n_ways <= TT_VIA_MOST)
    return;
  g_string_append_printf (note, "; %s ways between these via what is left out are too many to draw",
                          tt_count_text (text, n_ways));
  tt_message ("%s ways via what is left out are too many to draw; '--collapse' or another '--max-nodes' may have fewer",
              text);
}

static void
limit (const TtReductions *self, TtGraph **graph, GString *note)
{
  char all[TT_TIME_TEXT], dropped[TT_TIME_TEXT], percent[G_ASCII_DTOSTR_BUF_SIZE];
  const TtGraphLimits limits = { self->max_nodes == 0 ? G_MAXUINT : self->max_nodes, self->min_share };
  guint n_dropped, n_ways, n_nodes = (*graph)->nodes->len;
  double part;

  if (n_nodes <= limits.max_nodes && limits.min_share <= 0)
    return;
  replace (graph, tt_graph_limit (*graph, &limits, &n_dropped, &part, &n_ways));
  if (n_dropped == 0)
    return;
  g_ascii_formatd (percent, sizeof percent, "%.1f", part * 100);
  g_string_append_printf (note, "%s%s more, with %s %% of the self time, are not drawn", note->len > 0 ? "; " : "",
                          tt_count_text (dropped, n_dropped), percent);
  g_autofree char *way =
      self->min_share > 0 ? g_strdup ("'--min-share 0'") : g_strdup_printf ("'--max-nodes %u'", n_nodes);
  tt_message ("%s of %s nodes, with %s%% of the self time, are %s; %s shows all", dropped, tt_count_text (all, n_nodes),
              percent, self->is_rest_drawn ? "drawn as grey nodes" : "not drawn", way);
  tell_ways (*graph, n_ways, note);
}

static gboolean
reduce (TtGraph **graph, GString *note, GError **error)
{
  char left_out[TT_TIME_TEXT], all[TT_TIME_TEXT];
  guint n_left_out, n_edges = (*graph)->edges->len;
  TtGraph *reduced = tt_graph_reduce (*graph, &n_left_out);

  if (reduced == NULL)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                   "'--reduce' takes graphs of up to %u nodes and cycles: '--max-nodes %u' leaves out the least",
                   TT_TRANSITIVE_MAX, TT_TRANSITIVE_MAX);
      return FALSE;
    }
  replace (graph, reduced);
  if (n_left_out == 0)
    return TRUE;
  g_string_append_printf (note, "%s%s edges that a longer way implies are not drawn", note->len > 0 ? "; " : "",
                          tt_count_text (left_out, n_left_out));
  tt_message ("%s of %s edges, which a longer way implies, are left out", left_out, tt_count_text (all, n_edges));
  return TRUE;
}

gboolean
tt_reductions_apply (const TtReductions *self, TtGraph **graph, GString *note, GError **error)
{
  if (self->fold_ranks)
    fold (graph, note);
  if (self->collapse && !self->reduce)
    replace (graph, tt_graph_collapse (*graph));
  limit (self, graph, note);
  if (self->reduce && !reduce (graph, note, error))
    return FALSE;
  /* There are more chains when it has fewer edges. */
  if (self->collapse && self->reduce)
    replace (graph, tt_graph_collapse (*graph));
  return TRUE;
}
