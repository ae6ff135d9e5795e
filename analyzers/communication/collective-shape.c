/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/communication/collective-shape.h"

#include <glib.h>
#include <string.h>

static gboolean
is_non_blocking (const char *function)
{
  return (g_str_has_prefix (function, "MPI_I") && !g_str_has_prefix (function, "MPI_In")) ||
         g_str_has_prefix (function, "MPI_Ineighbor") || strstr (function, "_idup") != NULL ||
         strstr (function, "_iread") != NULL || strstr (function, "_iwrite") != NULL;
}

static TtCollectiveShape
shape_by_word (const char *function)
{
  static const struct
  {
    const char *word;
    TtCollectiveShape shape;
  } shapes[] = {
    { "neighbor", TT_COLLECTIVE_OTHER }, { "barrier", TT_COLLECTIVE_BARRIER }, { "commsplit", TT_COLLECTIVE_AGREE },
    { "commdup", TT_COLLECTIVE_AGREE },  { "fence", TT_COLLECTIVE_FENCE },     { "allreduce", TT_COLLECTIVE_ALL },
    { "allgather", TT_COLLECTIVE_ALL },  { "alltoall", TT_COLLECTIVE_ALL },    { "reducescatter", TT_COLLECTIVE_ALL },
    { "bcast", TT_COLLECTIVE_FROM },     { "broadcast", TT_COLLECTIVE_FROM },  { "scatter", TT_COLLECTIVE_FROM },
    { "reduce", TT_COLLECTIVE_TO },      { "gather", TT_COLLECTIVE_TO },
  };
  g_autofree char *lower = g_ascii_strdown (function, -1);
  char *end = lower;

  for (const char *p = lower; *p != '\0'; p++)
    if (*p != '_')
      *end++ = *p;
  *end = '\0';
  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    if (strstr (lower, shapes[i].word) != NULL)
      return shapes[i].shape;
  return TT_COLLECTIVE_OTHER;
}

TtCollectiveShape
tt_collective_shape (const char *function)
{
  return is_non_blocking (function) ? TT_COLLECTIVE_OTHER : shape_by_word (function);
}

TtCollectiveShape
tt_collective_shape_at_completion (const char *function)
{
  return is_non_blocking (function) ? shape_by_word (function) : TT_COLLECTIVE_OTHER;
}
