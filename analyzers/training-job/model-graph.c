/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/model-graph.h"

#include "analyzers/training-job/metadata.h"

#include <string.h>

TtJobModelGraph *
tt_job_model_graph_new (void)
{
  TtJobModelGraph *self = g_new0 (TtJobModelGraph, 1);

  self->names = g_ptr_array_new ();
  self->parts = g_array_new (FALSE, FALSE, sizeof (TtNameParts));
  self->edges = g_array_new (FALSE, FALSE, 2 * sizeof (guint32));
  self->text = g_string_chunk_new (4096);
  return self;
}

void
tt_job_model_graph_free (TtJobModelGraph *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->names);
  g_array_unref (self->parts);
  g_array_unref (self->edges);
  g_string_chunk_free (self->text);
  g_free (self);
}

guint32
tt_job_model_graph_add_node (TtJobModelGraph *self, const char *text, const TtNameParts *parts)
{
  g_ptr_array_add (self->names, g_string_chunk_insert_const (self->text, text));
  g_array_append_vals (self->parts, parts, 1);
  return self->names->len - 1;
}

void
tt_job_model_graph_add_edge (TtJobModelGraph *self, guint32 from, guint32 to)
{
  const guint32 edge[2] = { from, to };

  if (from != to)
    g_array_append_vals (self->edges, edge, 1);
}

/* -- from metadata -------------------------------------------------------------------------------------------- */

static const char *
cell_text (const TtCell *cell, char buffer[32])
{
  if (cell->kind == TT_CELL_TEXT)
    return cell->text;
  g_snprintf (buffer, 32, "%" G_GINT64_FORMAT, cell->kind == TT_CELL_INT ? cell->integer : -1);
  return buffer;
}

static gboolean
on_node (const TtCell *cells, guint n, gpointer data)
{
  TtJobModelGraph *self = data;
  char buffer[32];
  const char *text = cell_text (&cells[1], buffer);
  const TtNameParts parts = tt_name_parts_parse (text, self->text);

  tt_job_model_graph_add_node (self, text, &parts);
  return TRUE;
}

/* Reads the number of a node at *at, which @follower must follow. */
static gboolean
read_node (const TtJobModelGraph *self, const char **at, char follower, guint32 *node)
{
  char *end;

  if (!g_ascii_isdigit (**at))
    return FALSE;
  guint64 value = g_ascii_strtoull (*at, &end, 10);
  if (*end != follower || value >= self->names->len)
    return FALSE;
  *node = (guint32) value;
  *at = end + 1;
  return TRUE;
}

static gboolean
on_edge (const TtCell *cells, guint n, gpointer data)
{
  TtJobModelGraph *self = data;
  char buffer[32];
  guint32 edge[2];
  const char *at = cell_text (&cells[1], buffer);

  if (*at++ == '[' && read_node (self, &at, ',', &edge[0]) && read_node (self, &at, ']', &edge[1]))
    g_array_append_val (self->edges, edge);
  return TRUE;
}

/* The graph of the first rank that has one is the graph of all. */
gboolean
tt_job_model_graph_read (TtJobModelGraph *self,
                         TtStore *store,
                         const TtJobTopology *topology,
                         TtNotes *notes,
                         GError **error)
{
  for (guint rank = 0; rank < topology->n_ranks && self->names->len == 0; rank++)
    {
      const TtJobMetadata nodes = { topology->processes[rank], "local_graph", "$.nodes" };
      const TtJobMetadata edges = { topology->processes[rank], "local_graph", "$.edges" };

      if (!tt_job_metadata_each (&nodes, store, on_node, self, error) ||
          !tt_job_metadata_each (&edges, store, on_edge, self, error))
        return FALSE;
    }
  if (self->names->len == 0)
    tt_notes_add (notes, "no graph of the model: each operator is taken to need the one before it on its rank");
  return TRUE;
}
