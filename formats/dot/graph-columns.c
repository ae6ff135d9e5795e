/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/dot/graph-columns.h"

TtGraphColumns
tt_graph_columns (const TtGraph *graph)
{
  TtGraphColumns columns = { 0 };

  for (guint i = 0; i < graph->nodes->len; i++)
    {
      const TtNode *node = tt_graph_node (graph, i);
      columns.events |= node->event != 0;
      for (guint kind = 0; kind < TT_N_EDGE_KINDS; kind++)
        columns.gaps[kind] |= node->gap_cnt[kind] > 0;
    }
  return columns;
}

char *
tt_graph_line (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text == NULL ? "" : text, -1);
  GString *line = g_string_new (NULL);

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (c < 0x20 || (c >= 0x7f && c < 0xa0) || (c & 0xfffe) == 0xfffe)
        c = ' ';
      g_string_append_unichar (line, c);
    }
  return g_string_free (line, FALSE);
}
