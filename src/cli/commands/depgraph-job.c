#include "config.h"

#include "src/cli/commands/depgraph-job.h"

#include "formats/dot/trail-gml.h"
#include "src/cli/command.h"
#include "src/base/suggest.h"

#include <string.h>

gboolean
tt_recv_rule_parse (const char *text, TtRecvRule *rule, GError **error)
{
  static const char *const words[] = {
    [TT_RECV_AS_TRACED] = "traced", [TT_RECV_CLIPPED] = "clipped", [TT_RECV_AS_DPRO] = "dpro", NULL
  };

  for (int i = 0; words[i] != NULL; i++)
    if (strcmp (words[i], text) == 0)
      {
        *rule = (TtRecvRule) i;
        return TRUE;
      }
  const char *near = tt_suggest (text, words);
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--recv %s' is not one of traced, clipped, dpro%s%s%s", text,
               near == NULL ? "" : "; did you mean '", near == NULL ? "" : near, near == NULL ? "" : "'?");
  return FALSE;
}

TtTrainingJob *
tt_depgraph_job (TtStore *store, const TtTrainingJobOptions *options, GError **error)
{
  TtTrainingJob *job = tt_training_job_new (store, options, error);

  for (guint i = 0; job != NULL && i < job->notes->len; i++)
    tt_message ("%s", (const char *) job->notes->pdata[i]);
  return job;
}

TtTrail *
tt_depgraph_read (const char *path, GError **error)
{
  g_autoptr (TtInput) input = tt_input_open (path, error);
  TtRepairs repairs = { 0 };

  if (input == NULL)
    return NULL;
  TtTrail *trail = tt_trail_gml_read (input, &repairs, error);
  for (guint kind = 0; trail != NULL && kind < TT_N_REPAIRS; kind++)
    if (repairs.count[kind] > 0)
      {
        g_autofree char *text = tt_repair_describe (&repairs, (TtRepairKind) kind, path);
        tt_warning ("%s", text);
      }
  return trail;
}

/* -- what --around means -------------------------------------------------------------------------------- */

static gboolean
matches (const TtNode *node, const char *text, guint how)
{
  switch (how)
    {
    case 0:
      return strcmp (node->label, text) == 0;
    case 1:
      return strcmp (node->name, text) == 0;
    default:
      return strstr (node->label, text) != NULL;
    }
}

static gboolean
check_one_name (const TtGraph *graph, const GArray *nodes, const char *text, GError **error)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; i < nodes->len; i++)
    {
      const char *name = tt_graph_node (graph, g_array_index (nodes, guint32, i))->name;
      if (!g_hash_table_add (names, (gpointer) name) || g_hash_table_size (names) > 4)
        continue;
      g_string_append_printf (list, "%s'%s'", list->len > 0 ? ", " : "", name);
    }
  if (g_hash_table_size (names) <= 1)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' is a part of %u names: %s%s", text, g_hash_table_size (names),
               list->str, g_hash_table_size (names) > 4 ? " ..." : "");
  return FALSE;
}

GArray *
tt_depgraph_find (const TtGraph *graph, const char *text, GError **error)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint how = 0; how < 3 && found->len == 0; how++)
    {
      for (guint32 i = 0; i < graph->nodes->len; i++)
        if (matches (tt_graph_node (graph, i), text, how))
          g_array_append_val (found, i);
      if (how == 2 && !check_one_name (graph, found, text, error))
        return NULL;
    }
  if (found->len > 0)
    return g_steal_pointer (&found);
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "no operation of the graph is called '%s'", text);
  return NULL;
}
