/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/nccl.h"

#include <string.h>

#include "src/base/compare.h"

/* @nccl: a TtNcclView, as the context of columns. */
static const char *
pid_of (const void *nccl, gint rank)
{
  const TtNcclView *view = nccl;

  return rank >= 0 && (guint) rank < view->n_ranks ? view->pids[rank] : NULL;
}

static const TtNcclLink *
link_at (const TtNcclView *view, guint i)
{
  return &g_array_index (tt_nccl_links (view->nccl), TtNcclLink, i);
}

/* -- rings -------------------------------------------------------------------------------------- */

typedef struct
{
  const TtNcclLink *link;
  gint position; /* in the ring; TT_NCCL_NONE */
} Placed;

typedef enum
{
  LINK_CHANNEL,
  LINK_POSITION,
  LINK_FROM,
  LINK_FROM_PID,
  LINK_TO,
  LINK_TO_PID,
  LINK_TRANSPORT,
} LinkFact;

static TtReportCell
number_or_none (gint number)
{
  return number == TT_NCCL_NONE ? tt_cell_empty () : tt_cell_int (number);
}

static TtReportCell
link_fact (const TtReportField *self, const void *row, const void *context)
{
  const TtNcclLink *link = ((const Placed *) row)->link;

  switch ((LinkFact) self->id)
    {
    case LINK_CHANNEL:
      return tt_cell_int (link->channel);
    case LINK_POSITION:
      return link->algo == TT_NCCL_RING ? number_or_none (((const Placed *) row)->position) : tt_cell_empty ();
    case LINK_FROM:
      return tt_cell_int (link->from);
    case LINK_FROM_PID:
      return tt_cell_text (pid_of (context, link->from));
    case LINK_TO:
      return tt_cell_int (link->to);
    case LINK_TO_PID:
      return tt_cell_text (pid_of (context, link->to));
    case LINK_TRANSPORT:
      return tt_cell_text (link->transport);
    }
  g_return_val_if_reached (tt_cell_empty ());
}

/* @context of all tables here: the TtNcclView. */
static const TtReportField link_fields[] = {
  { TT_COLUMN_COUNT, "Channel", "channel", link_fact, LINK_CHANNEL },
  { TT_COLUMN_COUNT, "Position", "position", link_fact, LINK_POSITION },
  { TT_COLUMN_COUNT, "Rank", "rank", link_fact, LINK_FROM },
  { TT_COLUMN_TEXT, "Pid", "pid", link_fact, LINK_FROM_PID },
  { TT_COLUMN_COUNT, "To rank", "peer", link_fact, LINK_TO },
  { TT_COLUMN_TEXT, "To pid", "peer_pid", link_fact, LINK_TO_PID },
  { TT_COLUMN_TEXT, "Transport", "transport", link_fact, LINK_TRANSPORT },
};

static int
compare_placed (gconstpointer a, gconstpointer b)
{
  const Placed *x = a, *y = b;
  int order = TT_COMPARE (x->link->channel, y->link->channel);

  if (order == 0)
    order = TT_COMPARE (x->position, y->position);
  if (order == 0)
    order = TT_COMPARE (x->link->from, y->link->from);
  return order != 0 ? order : TT_COMPARE (x->link->to, y->link->to);
}

static TtReport *
make_link_table (const TtNcclView *nccl, TtNcclAlgo algo, const TtReportView *view)
{
  TtReport *report = tt_report_of_fields (link_fields, G_N_ELEMENTS (link_fields), view, nccl);
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (Placed));

  tt_report_limit (report, view);
  for (guint i = 0; i < tt_nccl_links (nccl->nccl)->len; i++)
    {
      const TtNcclLink *link = link_at (nccl, i);
      Placed row = { link, tt_nccl_position (nccl->nccl, link->channel, link->from) };
      if (link->algo == algo)
        g_array_append_val (rows, row);
    }
  g_array_sort (rows, compare_placed);
  for (guint i = 0; i < rows->len; i++)
    tt_report_row (report, &g_array_index (rows, Placed, i));
  return report;
}

TtReport *
tt_nccl_ring_table (const TtNcclView *nccl, const TtReportView *view)
{
  return make_link_table (nccl, TT_NCCL_RING, view);
}

TtReport *
tt_nccl_possible_table (const TtNcclView *nccl, const TtReportView *view)
{
  return make_link_table (nccl, TT_NCCL_RING_POSSIBLE, view);
}

/* -- trees ---------------------------------------------------------------------------------------- */

/* A rank in the tree of a channel. */
typedef struct
{
  guint channel, n_children;
  gint rank, parent, children[TT_NCCL_CHILDREN];
} TreeRank;

typedef enum
{
  TREE_CHANNEL,
  TREE_RANK,
  TREE_PID,
  TREE_PARENT,
  TREE_PARENT_PID,
  TREE_CHILDREN,
} TreeFact;

static char *
list_children (const TreeRank *rank)
{
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < rank->n_children; i++)
    g_string_append_printf (list, "%s%d", i > 0 ? "," : "", rank->children[i]);
  return g_string_free (list, rank->n_children == 0);
}

static TtReportCell
tree_fact (const TtReportField *self, const void *row, const void *context)
{
  const TreeRank *rank = row;

  switch ((TreeFact) self->id)
    {
    case TREE_CHANNEL:
      return tt_cell_int (rank->channel);
    case TREE_RANK:
      return tt_cell_int (rank->rank);
    case TREE_PID:
      return tt_cell_text (pid_of (context, rank->rank));
    case TREE_PARENT:
      return number_or_none (rank->parent);
    case TREE_PARENT_PID:
      return tt_cell_text (pid_of (context, rank->parent));
    case TREE_CHILDREN:
      return tt_cell_take (list_children (rank));
    }
  g_return_val_if_reached (tt_cell_empty ());
}

static const TtReportField tree_fields[] = {
  { TT_COLUMN_COUNT, "Channel", "channel", tree_fact, TREE_CHANNEL },
  { TT_COLUMN_COUNT, "Rank", "rank", tree_fact, TREE_RANK },
  { TT_COLUMN_TEXT, "Pid", "pid", tree_fact, TREE_PID },
  { TT_COLUMN_COUNT, "Parent", "parent", tree_fact, TREE_PARENT },
  { TT_COLUMN_TEXT, "Parent pid", "parent_pid", tree_fact, TREE_PARENT_PID },
  { TT_COLUMN_WORD, "Children", "children", tree_fact, TREE_CHILDREN },
};

static void
add_tree (TtReport *report, const TtNcclView *nccl, guint channel)
{
  g_autoptr (GArray) ranks = tt_nccl_ranks (nccl->nccl, TT_NCCL_TREE, channel);

  for (guint i = 0; i < ranks->len; i++)
    {
      TreeRank rank = { .channel = channel, .rank = g_array_index (ranks, gint, i) };

      rank.parent = tt_nccl_parent (nccl->nccl, channel, rank.rank);
      rank.n_children = tt_nccl_children (nccl->nccl, channel, rank.rank, rank.children);
      if (rank.n_children > 0 || rank.parent != TT_NCCL_NONE)
        tt_report_row (report, &rank);
    }
}

TtReport *
tt_nccl_tree_table (const TtNcclView *nccl, const TtReportView *view)
{
  TtReport *report = tt_report_of_fields (tree_fields, G_N_ELEMENTS (tree_fields), view, nccl);
  guint last = G_MAXUINT;

  tt_report_limit (report, view);
  for (guint i = 0; i < tt_nccl_links (nccl->nccl)->len; i++)
    {
      const TtNcclLink *link = link_at (nccl, i);
      if (link->algo != TT_NCCL_TREE || link->channel == last)
        continue;
      last = link->channel;
      add_tree (report, nccl, last);
    }
  return report;
}

/* -- groups --------------------------------------------------------------------------------------- */

typedef enum
{
  GROUP_NAME,
  GROUP_TENSORS,
  GROUP_CHUNKS,
  GROUP_SLICES,
  GROUP_CHANNELS,
  GROUP_LOOPS,
} GroupFact;

static TtReportCell
group_fact (const TtReportField *self, const void *row, const void *context)
{
  const TtNcclGroup *group = row;
  gboolean has_pieces = group->pieces.n_chunks > 0;

  switch ((GroupFact) self->id)
    {
    case GROUP_NAME:
      return tt_cell_take (g_strconcat ("Comm.", group->name, NULL));
    case GROUP_TENSORS:
      return tt_cell_int (group->n_tensors);
    case GROUP_CHUNKS:
      return has_pieces ? tt_cell_int (group->pieces.n_chunks) : tt_cell_empty ();
    case GROUP_SLICES:
      return has_pieces ? tt_cell_int (group->pieces.n_slices) : tt_cell_empty ();
    case GROUP_CHANNELS:
      return has_pieces ? tt_cell_int (group->pieces.n_channels) : tt_cell_empty ();
    case GROUP_LOOPS:
      return has_pieces ? tt_cell_int (group->pieces.n_loops) : tt_cell_empty ();
    }
  g_return_val_if_reached (tt_cell_empty ());
}

static const TtReportField group_fields[] = {
  { TT_COLUMN_TEXT, "Group", "raw_name", group_fact, GROUP_NAME },
  { TT_COLUMN_COUNT, "Tensors", "tensors", group_fact, GROUP_TENSORS },
  { TT_COLUMN_COUNT, "Chunks", "chunk_num", group_fact, GROUP_CHUNKS },
  { TT_COLUMN_COUNT, "Slices", "slice_num", group_fact, GROUP_SLICES },
  { TT_COLUMN_COUNT, "Channels", "channel_num", group_fact, GROUP_CHANNELS },
  { TT_COLUMN_COUNT, "Loops", "loop_num", group_fact, GROUP_LOOPS },
};

TtReport *
tt_nccl_group_table (const TtNcclView *nccl, const TtReportView *view)
{
  TtReport *report = tt_report_of_fields (group_fields, G_N_ELEMENTS (group_fields), view, nccl);

  tt_report_limit (report, view);
  for (guint i = 0; i < nccl->groups->len; i++)
    tt_report_row (report, &g_array_index (nccl->groups, TtNcclGroup, i));
  return report;
}

static TtReportCell
problem_text (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (row);
}

static const TtReportField problem_fields[] = {
  { TT_COLUMN_TEXT, "Problem", "problem", problem_text },
};

TtReport *
tt_nccl_problem_table (const TtNcclView *nccl, const TtReportView *view)
{
  TtReport *report = tt_report_of_fields (problem_fields, G_N_ELEMENTS (problem_fields), view, nccl);

  tt_report_limit (report, view);
  for (guint i = 0; i < nccl->problems->len; i++)
    tt_report_row (report, nccl->problems->pdata[i]);
  return report;
}

/* -- in words --------------------------------------------------------------------------------------- */

static guint
count_hosts (const TtNcclView *view)
{
  g_autoptr (GHashTable) hosts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint rank = 0; rank < view->n_ranks; rank++)
    if (view->pids[rank] != NULL && strchr (view->pids[rank], '.') != NULL)
      g_hash_table_add (hosts, g_strndup (view->pids[rank], strcspn (view->pids[rank], ".")));
  return g_hash_table_size (hosts);
}

static void
append_count (GString *text, const char *before, guint n, const char *what)
{
  if (n > 0)
    g_string_append_printf (text, "%s%s%u %s%s", text->len > 0 ? "; " : "", before, n, what, n == 1 ? "" : "s");
}

char *
tt_nccl_describe (const TtNcclView *view)
{
  GString *text = g_string_new (NULL);
  guint n_hosts = count_hosts (view);
  g_autoptr (GArray) ranks = tt_nccl_all_ranks (view->nccl);

  append_count (text, "", ranks->len, "rank");
  if (n_hosts > 0)
    g_string_append_printf (text, " on %u host%s", n_hosts, n_hosts == 1 ? "" : "s");
  append_count (text, "rings: ", tt_nccl_n_channels (view->nccl, TT_NCCL_RING), "channel");
  append_count (text, "trees: ", tt_nccl_n_channels (view->nccl, TT_NCCL_TREE), "channel");
  append_count (text, "", view->groups->len, "group");
  if (view->groups->len > 0)
    g_string_append (text, " of tensors");
  return g_string_free (text, FALSE);
}
