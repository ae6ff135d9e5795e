/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/nccl/view.h"
#include "analyzers/pass.h"
#include "src/base/error.h"
#include "src/store/nccl.h"

/* What is seen of an import: most have no such names, and those are not read again. */
typedef struct
{
  gboolean has_groups;
} Observation;

static gpointer
prepare (void)
{
  return g_new0 (Observation, 1);
}

static void
observe (const TtBatch *batch, gpointer prepared)
{
  Observation *self = prepared;

  for (guint i = 0; i < batch->definitions->len && !self->has_groups; i++)
    {
      const TtDefinition *definition = &g_array_index (batch->definitions, TtDefinition, i);

      if (definition->kind == TT_DEFINE_NAME)
        self->has_groups = tt_nccl_name_tells_group (tt_batch_text (batch, definition->text[TT_NAME_OP_CAT]),
                                                     tt_batch_text (batch, definition->text[TT_NAME_OP_NAME]),
                                                     tt_batch_text (batch, definition->text[TT_NAME_SUB_OP]),
                                                     tt_batch_text (batch, definition->text[TT_NAME_SUFFIX]));
    }
}

static TtNcclView *
read_view (TtStore *store, const Observation *observed, GError **error)
{
  return observed == NULL || observed->has_groups ? tt_nccl_view_new (store, error)
                                                  : tt_nccl_view_new_without_groups (store, error);
}

static gboolean
run (TtStoreImport *import, gpointer prepared, GError **error)
{
  TtStore *store = tt_store_import_store (import);
  g_autoptr (TtNcclView) view = store == NULL ? NULL : read_view (store, prepared, error);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  guint n_shapes = 0;

  if (store == NULL)
    g_set_error_literal (error, TT_ERROR, TT_ERROR_STORE, "cannot read the database that is being written");
  if (view == NULL)
    return FALSE;

  const GArray *links = tt_nccl_links (view->nccl);
  g_autofree TtNcclShapeRow *shapes = g_new0 (TtNcclShapeRow, (gsize) view->groups->len + 1);
  g_autofree TtNcclEdgeRow *edges = g_new0 (TtNcclEdgeRow, (gsize) links->len + 1);
  for (guint i = 0; i < view->groups->len; i++)
    {
      const TtNcclGroup *group = &g_array_index (view->groups, TtNcclGroup, i);

      if (group->pieces.n_chunks == 0)
        continue;
      g_ptr_array_add (names, g_strconcat ("Comm.", group->name, NULL));
      shapes[n_shapes++] = (TtNcclShapeRow){ names->pdata[names->len - 1], group->pieces.n_chunks,
                                             group->pieces.n_slices, group->pieces.n_channels, group->pieces.n_loops };
    }
  for (guint i = 0; i < links->len; i++)
    {
      const TtNcclLink *link = &g_array_index (links, TtNcclLink, i);
      edges[i] =
          (TtNcclEdgeRow){ tt_nccl_algo_text (link->algo), link->channel, link->from, link->to, link->transport };
    }
  return tt_store_import_nccl (import, shapes, n_shapes, edges, links->len, error);
}

static const char *const reads[] = { "process", "metadata", "event", NULL };
static const char *const writes[] = { "nccl_shape", "nccl_edge", NULL };

const TtPass tt_pass_nccl = {
  .name = "nccl",
  .summary = "connections and pieces of NCCL's collectives",
  .reads = reads,
  .writes = writes,
  .run = run,
  .prepare = prepare,
  .observe = observe,
  .release = g_free,
};
