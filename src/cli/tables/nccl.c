#include "config.h"

#include "src/cli/tables/nccl.h"

#include <string.h>

static const char *
pid_of (const TtNcclView *view, gint rank)
{
  return rank >= 0 && (guint) rank < view->n_ranks ? view->pids[rank] : NULL;
}

static const TtNcclLink *
link_at (const TtNcclView *view, guint i)
{
  return &g_array_index (tt_nccl_links (view->nccl), TtNcclLink, i);
}

/* -- rings -------------------------------------------------------------------------------------- */

static void
add_link (TtReport *report, const TtNcclView *view, const TtNcclLink *link)
{
  gint position = link->algo == TT_NCCL_RING ? tt_nccl_position (view->nccl, link->channel, link->from) : TT_NCCL_NONE;

  tt_report_int (report, link->channel);
  if (position == TT_NCCL_NONE)
    tt_report_empty (report);
  else
    tt_report_int (report, position);
  tt_report_int (report, link->from);
  tt_report_text (report, pid_of (view, link->from));
  tt_report_int (report, link->to);
  tt_report_text (report, pid_of (view, link->to));
  tt_report_text (report, link->transport);
}

typedef struct
{
  const TtNcclLink *link;
  gint position;
} Placed;

static int
by_position (gconstpointer a, gconstpointer b)
{
  const Placed *x = a, *y = b;

  if (x->link->channel != y->link->channel)
    return x->link->channel < y->link->channel ? -1 : 1;
  if (x->position != y->position)
    return x->position < y->position ? -1 : 1;
  if (x->link->from != y->link->from)
    return x->link->from < y->link->from ? -1 : 1;
  return x->link->to < y->link->to ? -1 : x->link->to > y->link->to;
}

static TtReport *
link_table (const TtNcclView *view, TtNcclAlgo algo)
{
  TtReport *report = tt_report_new (TT_UNIT_NS);
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (Placed));

  tt_report_column (report, TT_COLUMN_COUNT, "Channel", "channel");
  tt_report_column (report, TT_COLUMN_COUNT, "Position", "position");
  tt_report_column (report, TT_COLUMN_COUNT, "Rank", "rank");
  tt_report_column (report, TT_COLUMN_TEXT, "Pid", "pid");
  tt_report_column (report, TT_COLUMN_COUNT, "To rank", "peer");
  tt_report_column (report, TT_COLUMN_TEXT, "To pid", "peer_pid");
  tt_report_column (report, TT_COLUMN_TEXT, "Transport", "transport");
  for (guint i = 0; i < tt_nccl_links (view->nccl)->len; i++)
    {
      const TtNcclLink *link = link_at (view, i);
      Placed row = { link, tt_nccl_position (view->nccl, link->channel, link->from) };
      if (link->algo == algo)
        g_array_append_val (rows, row);
    }
  g_array_sort (rows, by_position);
  for (guint i = 0; i < rows->len; i++)
    add_link (report, view, g_array_index (rows, Placed, i).link);
  return report;
}

TtReport *
tt_nccl_ring_table (const TtNcclView *view)
{
  return link_table (view, TT_NCCL_RING);
}

TtReport *
tt_nccl_possible_table (const TtNcclView *view)
{
  return link_table (view, TT_NCCL_RING_POSSIBLE);
}

/* -- trees ---------------------------------------------------------------------------------------- */

static void
add_tree_rank (TtReport *report, const TtNcclView *view, guint channel, gint rank)
{
  gint children[TT_NCCL_CHILDREN], parent = tt_nccl_parent (view->nccl, channel, rank);
  guint n = tt_nccl_children (view->nccl, channel, rank, children);
  g_autoptr (GString) list = g_string_new (NULL);

  if (n == 0 && parent == TT_NCCL_NONE)
    return;
  for (guint i = 0; i < n; i++)
    g_string_append_printf (list, "%s%d", i > 0 ? "," : "", children[i]);
  tt_report_int (report, channel);
  tt_report_int (report, rank);
  tt_report_text (report, pid_of (view, rank));
  if (parent == TT_NCCL_NONE)
    tt_report_empty (report);
  else
    tt_report_int (report, parent);
  tt_report_text (report, pid_of (view, parent));
  tt_report_text (report, n == 0 ? NULL : list->str);
}

TtReport *
tt_nccl_tree_table (const TtNcclView *view)
{
  TtReport *report = tt_report_new (TT_UNIT_NS);
  guint last = G_MAXUINT;

  tt_report_column (report, TT_COLUMN_COUNT, "Channel", "channel");
  tt_report_column (report, TT_COLUMN_COUNT, "Rank", "rank");
  tt_report_column (report, TT_COLUMN_TEXT, "Pid", "pid");
  tt_report_column (report, TT_COLUMN_COUNT, "Parent", "parent");
  tt_report_column (report, TT_COLUMN_TEXT, "Parent pid", "parent_pid");
  tt_report_column (report, TT_COLUMN_WORD, "Children", "children");
  for (guint i = 0; i < tt_nccl_links (view->nccl)->len; i++)
    {
      const TtNcclLink *link = link_at (view, i);
      if (link->algo != TT_NCCL_TREE || link->channel == last)
        continue;
      last = link->channel;
      g_autoptr (GArray) ranks = tt_nccl_ranks (view->nccl, TT_NCCL_TREE, last);
      for (guint k = 0; k < ranks->len; k++)
        add_tree_rank (report, view, last, g_array_index (ranks, gint, k));
    }
  return report;
}

/* -- groups --------------------------------------------------------------------------------------- */

TtReport *
tt_nccl_group_table (const TtNcclView *view)
{
  TtReport *report = tt_report_new (TT_UNIT_NS);

  tt_report_column (report, TT_COLUMN_TEXT, "Group", "raw_name");
  tt_report_column (report, TT_COLUMN_COUNT, "Tensors", "tensors");
  tt_report_column (report, TT_COLUMN_COUNT, "Chunks", "chunk_num");
  tt_report_column (report, TT_COLUMN_COUNT, "Slices", "slice_num");
  tt_report_column (report, TT_COLUMN_COUNT, "Channels", "channel_num");
  tt_report_column (report, TT_COLUMN_COUNT, "Loops", "loop_num");
  for (guint i = 0; i < view->groups->len; i++)
    {
      const TtNcclGroup *group = &g_array_index (view->groups, TtNcclGroup, i);
      const guint numbers[] = { group->n_chunks, group->n_slices, group->n_channels, group->n_loops };
      g_autofree char *name = g_strconcat ("Comm.", group->name, NULL);

      tt_report_text (report, name);
      tt_report_int (report, group->n_tensors);
      for (guint k = 0; k < G_N_ELEMENTS (numbers); k++)
        if (group->n_chunks == 0)
          tt_report_empty (report);
        else
          tt_report_int (report, numbers[k]);
    }
  return report;
}

TtReport *
tt_nccl_problem_table (const TtNcclView *view)
{
  TtReport *report = tt_report_new (TT_UNIT_NS);

  tt_report_column (report, TT_COLUMN_TEXT, "Problem", "problem");
  for (guint i = 0; i < view->problems->len; i++)
    tt_report_text (report, view->problems->pdata[i]);
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
