/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/nccl/connections.h"

#include "src/store/query.h"

typedef struct
{
  TtNcclStatement *result;
  const char *pid;
  TtNccl *nccl;
  GPtrArray *problems;
  TtNcclAlgo algo;
} Reader;

static const char *
cell_text (const TtCell *cell, char buffer[32])
{
  if (cell->kind == TT_CELL_TEXT)
    return cell->text;
  g_snprintf (buffer, 32, "%" G_GINT64_FORMAT, cell->kind == TT_CELL_INT ? cell->integer : -1);
  return buffer;
}

static void
set_own (Reader *self, gint own)
{
  TtNcclStatement *result = self->result;

  if (result->own != TT_NCCL_NONE && own != TT_NCCL_NONE && result->own != own)
    g_ptr_array_add (self->problems, g_strdup_printf ("%s speaks of itself as rank %d and as rank %d (%s)", self->pid,
                                                      result->own, own, tt_nccl_algo_text (self->algo)));
  else if (own != TT_NCCL_NONE)
    result->own = own;
}

static gboolean
on_connection (const TtCell *cells, guint n, gpointer data)
{
  Reader *self = data;
  g_autoptr (GError) error = NULL;
  char key[32], value[32];
  gint own;
  const char *text = cell_text (&cells[1], value);
  gint64 channel = g_ascii_strtoll (cell_text (&cells[0], key), NULL, 10);
  gboolean is_good;

  if (self->algo == TT_NCCL_TREE)
    is_good = tt_nccl_add_tree (self->nccl, text, &own, &error);
  else
    is_good = tt_nccl_add_ring (self->nccl, self->algo, (guint) CLAMP (channel, 0, G_MAXINT), text, &own, &error);
  if (is_good)
    set_own (self, own);
  else
    g_ptr_array_add (self->problems, g_strdup_printf ("%s: %s", self->pid, error->message));
  self->result->n_texts++;
  return TRUE;
}

gboolean
tt_nccl_statement_read (TtNcclStatement *self,
                        TtStore *store,
                        const TtProcess *process,
                        TtNccl *nccl,
                        GPtrArray *problems,
                        GError **error)
{
  static const struct
  {
    const char *member;
    TtNcclAlgo algo;
  } members[] = { { "RealRing", TT_NCCL_RING }, { "Ring", TT_NCCL_RING_POSSIBLE }, { "Tree", TT_NCCL_TREE } };
  Reader reader = { .result = self, .pid = process->pid, .nccl = nccl, .problems = problems };

  *self = (TtNcclStatement){ .own = TT_NCCL_NONE };
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      g_autofree char *sql =
          g_strdup_printf ("SELECT j.key, j.value FROM metadata m, json_each (m.value, '$.%s') j WHERE m.process = %u"
                           " AND m.thread IS NULL AND m.key = 'nccl_rank_graph' AND json_valid (m.value) ORDER BY j.id",
                           members[i].member, process->id);
      reader.algo = members[i].algo;
      if (!tt_store_query (store, sql, NULL, on_connection, &reader, error))
        return FALSE;
    }
  return TRUE;
}
