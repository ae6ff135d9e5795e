/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/communication/bus-factor.h"

#include <string.h>

gboolean
tt_comm_bus_factor (const char *function, guint32 n_ranks, double *factor)
{
  static const struct
  {
    const char *function;
    gboolean is_shared; /* (n - 1) / n, else 1 */
    double factor;
  } factors[] = {
    { "ALLREDUCE", TRUE, 2 }, { "REDUCE_SCATTER", TRUE, 1 }, { "ALLGATHER", TRUE, 1 }, { "ALLTOALL", TRUE, 1 },
    { "GATHER", TRUE, 1 },    { "SCATTER", TRUE, 1 },        { "BCAST", FALSE, 1 },    { "REDUCE", FALSE, 1 },
    { "SEND", FALSE, 1 },     { "RECV", FALSE, 1 },          { "SENDRECV", FALSE, 1 },
  };
  double n = n_ranks;

  for (guint i = 0; i < G_N_ELEMENTS (factors); i++)
    if (strcmp (factors[i].function, function) == 0 && (!factors[i].is_shared || n_ranks > 0))
      {
        *factor = factors[i].factor * (factors[i].is_shared ? (n - 1) / n : 1);
        return TRUE;
      }
  return FALSE;
}
