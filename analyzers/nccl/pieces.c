/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/nccl/pieces.h"

/* Loops, channels, slices, chunks: no collective has more of one. */
#define MAX_PIECES (1u << 16)

void
tt_nccl_pieces_widen (TtNcclPieces *self, const TtStoredName *name)
{
  guint *const highest[] = { &self->n_loops, &self->n_channels, &self->n_chunks, &self->n_slices };
  guint number[G_N_ELEMENTS (highest)];
  const char *at = name->suffix;

  if (at == NULL || g_strcmp0 (name->op_cat, "Comm") != 0 ||
      (g_strcmp0 (name->sub_op, "SEND") != 0 && g_strcmp0 (name->sub_op, "RECV") != 0))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (number); i++)
    {
      char *end;
      if ((i > 0 && *at++ != '_') || !g_ascii_isdigit (*at))
        return;
      guint64 value = g_ascii_strtoull (at, &end, 10);
      if (value > MAX_PIECES)
        return;
      number[i] = (guint) value;
      at = end;
    }
  for (guint i = 0; i < G_N_ELEMENTS (number); i++)
    *highest[i] = MAX (*highest[i], number[i] + 1);
}
