/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/dot/trail-gml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- writing -------------------------------------------------------------------------------------------- */

/* The fewest digits that read back as the same; @is_real: with a fraction or an exponent in any case. */
static const char *
number_text (char buffer[G_ASCII_DTOSTR_BUF_SIZE], double value, gboolean is_real)
{
  char format[8];

  for (int digits = 15; digits <= 17; digits++)
    {
      g_snprintf (format, sizeof format, "%%.%dg", digits);
      g_ascii_formatd (buffer, G_ASCII_DTOSTR_BUF_SIZE, format, value);
      if (g_ascii_strtod (buffer, NULL) == value)
        break;
    }
  if (is_real && strpbrk (buffer, ".en") == NULL)
    g_strlcat (buffer, ".0", G_ASCII_DTOSTR_BUF_SIZE);
  for (char *c = buffer; *c != '\0'; c++)
    if (*c == 'e')
      *c = 'E';
  return buffer;
}

/* GML is ASCII: the rest is written as entities. */
static void
write_label (const char *label, TtOutput *out)
{
  g_autofree char *valid = g_utf8_make_valid (label, -1);
  g_autoptr (GString) text = g_string_new ("    label \"");

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (c == '"')
        g_string_append (text, "&#34;");
      else if (c == '&')
        g_string_append (text, "&#38;");
      else if (c < 0x20 || c >= 0x7f)
        g_string_append_printf (text, "&#%u;", c);
      else
        g_string_append_c (text, (char) c);
    }
  g_string_append (text, "\"\n");
  tt_output_bytes (out, text->str, text->len);
}

static void
write_node (const TtTrail *trail, guint number, TtOutput *out)
{
  const TtTrailNode *node = &g_array_index (trail->nodes, TtTrailNode, number);
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  tt_output_printf (out, "  node [\n    id %u\n", number);
  write_label (node->label, out);
  tt_output_printf (out, "    avg %s\n", number_text (buffer, node->avg_ms, node->is_real));
  for (guint32 i = node->first_gap; i < node->first_gap + node->n_gaps; i++)
    {
      const TtTrailGap *gap = &g_array_index (trail->gaps, TtTrailGap, i);
      tt_output_printf (out, "    %s %s\n", gap->kind, number_text (buffer, gap->us, gap->is_real));
    }
  if (node->cnt >= 0)
    tt_output_printf (out, "    cnt %" G_GINT64_FORMAT "\n", node->cnt);
  tt_output_literal (out, "  ]\n");
}

void
tt_trail_gml_write (const TtTrail *trail, TtOutput *out)
{
  tt_output_literal (out, "graph [\n  directed 1\n");
  for (guint i = 0; i < trail->nodes->len; i++)
    write_node (trail, i, out);
  for (guint i = 0; i < trail->edges->len; i++)
    {
      const TtTrailEdge *edge = &g_array_index (trail->edges, TtTrailEdge, i);
      tt_output_printf (out, "  edge [\n    source %u\n    target %u\n  ]\n", edge->from, edge->to);
    }
  tt_output_literal (out, "]\n");
}

/* -- reading -------------------------------------------------------------------------------------------- */

typedef struct
{
  double avg_ms;
  gint64 cnt;
  gboolean is_real;
  GArray *gaps; /* of TtTrailGap; NULL: none */
} Attributes;

typedef struct
{
  GArray *nodes; /* of Attributes, by node */
  GStringChunk *kinds;
} Reader;

static void
clear_attributes (gpointer data)
{
  Attributes *self = data;

  if (self->gaps != NULL)
    g_array_unref (self->gaps);
}

static gboolean
is_gap (const char *key)
{
  return strstr (key, "GAP") != NULL;
}

static void
take_attribute (const char *key, const char *value, guint32 node, gpointer data)
{
  Reader *self = data;
  char *end;
  double number = g_ascii_strtod (value, &end);

  if (end == value || *end != '\0' || !isfinite (number))
    return;
  while (self->nodes->len <= node)
    {
      Attributes none = { .cnt = -1, .is_real = TRUE };
      g_array_append_val (self->nodes, none);
    }
  Attributes *attributes = &g_array_index (self->nodes, Attributes, node);
  gboolean is_real = strpbrk (value, ".eE") != NULL;
  if (strcmp (key, "avg") == 0)
    {
      attributes->avg_ms = number;
      attributes->is_real = is_real;
    }
  else if (strcmp (key, "cnt") == 0 && fabs (number) < 9e15)
    attributes->cnt = (gint64) number;
  else if (is_gap (key))
    {
      TtTrailGap gap = { g_string_chunk_insert_const (self->kinds, key), number, is_real };
      if (attributes->gaps == NULL)
        attributes->gaps = g_array_new (FALSE, FALSE, sizeof (TtTrailGap));
      g_array_append_val (attributes->gaps, gap);
    }
}

static void
add_node (const Reader *self, TtTrail *trail, const TtLocalGraph *graph, guint32 i)
{
  static const Attributes none = { .cnt = -1, .is_real = TRUE };
  const Attributes *attributes = i < self->nodes->len ? &g_array_index (self->nodes, Attributes, i) : &none;
  guint32 node = tt_trail_add_node (trail, tt_local_graph_name (graph, i), attributes->avg_ms, attributes->cnt);

  g_array_index (trail->nodes, TtTrailNode, node).is_real = attributes->is_real;
  for (guint k = 0; attributes->gaps != NULL && k < attributes->gaps->len; k++)
    {
      const TtTrailGap *gap = &g_array_index (attributes->gaps, TtTrailGap, k);
      tt_trail_add_gap (trail, gap->kind, gap->us);
      g_array_index (trail->gaps, TtTrailGap, trail->gaps->len - 1).is_real = gap->is_real;
    }
}

TtTrail *
tt_trail_gml_read (TtInput *input, TtRepairs *repairs, GError **error)
{
  Reader self = { g_array_new (FALSE, FALSE, sizeof (Attributes)), g_string_chunk_new (64) };
  TtTrail *trail = NULL;

  g_array_set_clear_func (self.nodes, clear_attributes);
  g_autoptr (TtLocalGraph) graph = tt_gml_read_with (input, repairs, take_attribute, &self, error);
  if (graph != NULL)
    {
      trail = tt_trail_new ();
      for (guint32 i = 0; i < tt_local_graph_n_nodes (graph); i++)
        add_node (&self, trail, graph, i);
      for (guint32 i = 0; i < tt_local_graph_n_nodes (graph); i++)
        {
          guint32 n;
          const guint32 *to = tt_local_graph_successors (graph, i, &n);
          for (guint32 k = 0; k < n; k++)
            tt_trail_add_edge (trail, i, to[k]);
        }
    }
  g_array_unref (self.nodes);
  g_string_chunk_free (self.kinds);
  return trail;
}
