/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/shapes.h"

#include "analyzers/training-job/tensor-bytes.h"

/* Transfers of all ranks and groups in a step: the largest jobs have a tenth. */
#define MAX_TRANSFERS ((guint64) 1 << 23)

static void
clear_shape (gpointer data)
{
  TtJobShape *shape = data;

  g_free (shape->name);
  g_strfreev (shape->tensors);
  g_free (shape->tensor_bytes);
}

static gboolean
on_name (const TtStoredName *name, gpointer data)
{
  TtJobShape *shape = name->op_name == NULL ? NULL : g_hash_table_lookup (data, name->op_name);

  if (shape != NULL)
    tt_nccl_pieces_widen (&shape->pieces, name);
  return TRUE;
}

/* More pieces than any job has would fill the memory: such a group goes in one. */
static void
limit_shapes (GArray *shapes, guint n_ranks, TtNotes *notes)
{
  guint64 n_transfers = 0;

  for (guint i = 0; i < shapes->len; i++)
    {
      TtJobShape *shape = &g_array_index (shapes, TtJobShape, i);
      TtNcclPieces *pieces = &shape->pieces;
      tt_uint128 n =
          (tt_uint128) pieces->n_loops * pieces->n_channels * pieces->n_slices * pieces->n_chunks * 2 * n_ranks;

      if (n + n_transfers <= MAX_TRANSFERS)
        {
          n_transfers += (guint64) n;
          continue;
        }
      tt_notes_add (
          notes,
          "Comm.%s has %u loops, %u channels, %u slices and %u chunks: too many transfers, taken as one operation a "
          "rank",
          shape->name, pieces->n_loops, pieces->n_channels, pieces->n_slices, pieces->n_chunks);
      *pieces = (TtNcclPieces){ 0 };
    }
}

static void
find_bytes (TtJobShape *shape, const TtTensorBytes *sizes)
{
  gboolean is_known = TRUE;

  shape->tensor_bytes = g_new0 (guint64, (gsize) g_strv_length (shape->tensors) + 1);
  for (guint i = 0; shape->tensors[i] != NULL; i++)
    {
      shape->tensor_bytes[i] = tt_tensor_bytes_of (sizes, shape->tensors[i]);
      is_known = is_known && shape->tensor_bytes[i] > 0 &&
                 !__builtin_add_overflow (shape->bytes, shape->tensor_bytes[i], &shape->bytes);
    }
  if (!is_known)
    shape->bytes = 0;
}

/* Whether it is the group of one of its tensors at least, and not outgrown by larger groups. */
static gboolean
is_used (const TtJobShape *shape, const TtJobObservations *observations)
{
  for (guint i = 0; shape->tensors[i] != NULL; i++)
    if (g_strcmp0 (g_hash_table_lookup (observations->group_of, shape->tensors[i]), shape->name) == 0)
      return TRUE;
  return FALSE;
}

GArray *
tt_job_shapes_new (TtStore *store,
                   const TtJobTopology *topology,
                   const TtJobObservations *observations,
                   TtNotes *notes,
                   GError **error)
{
  g_autoptr (GArray) shapes = g_array_new (FALSE, FALSE, sizeof (TtJobShape));
  g_autoptr (TtTensorBytes) sizes = tt_tensor_bytes_new (store, error);
  g_autoptr (GHashTable) by_name = g_hash_table_new (g_str_hash, g_str_equal);

  g_array_set_clear_func (shapes, clear_shape);
  if (sizes == NULL)
    return NULL;
  for (guint i = 0; i < observations->groups->len; i++)
    {
      TtJobShape shape = { .name = g_strdup (observations->groups->pdata[i]) };

      shape.tensors = g_strsplit (shape.name, "+", -1);
      if (is_used (&shape, observations))
        g_array_append_val (shapes, shape);
      else
        clear_shape (&shape);
    }
  for (guint i = 0; i < shapes->len; i++)
    {
      TtJobShape *shape = &g_array_index (shapes, TtJobShape, i);
      find_bytes (shape, sizes);
      g_hash_table_insert (by_name, shape->name, shape);
    }
  if (!tt_store_each_name (store, on_name, by_name, error))
    return NULL;
  limit_shapes (shapes, topology->n_ranks, notes);
  return g_steal_pointer (&shapes);
}
