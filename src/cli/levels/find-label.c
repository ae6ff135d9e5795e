/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/levels/find-label.h"

#include "src/base/error.h"

#include <string.h>

static gboolean
matches_node (const TtNode *node, const char *text, guint how)
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
tt_graph_level_find_label (TtStore *store, const TtGraph *graph, const TtGraphRequest *request, GError **error)
{
  const char *text = request->around;
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint how = 0; how < 3 && found->len == 0; how++)
    {
      for (guint32 i = 0; i < graph->nodes->len; i++)
        if (matches_node (tt_graph_node (graph, i), text, how))
          g_array_append_val (found, i);
      if (how == 2 && !check_one_name (graph, found, text, error))
        return NULL;
    }
  if (found->len > 0)
    return g_steal_pointer (&found);
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "no operation of the graph is called '%s'", text);
  return NULL;
}
