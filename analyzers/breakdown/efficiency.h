/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtEfficiency: POP's efficiencies of a run whose ranks work on the host, multiplicative:
 *
 *   parallel efficiency = load balance * communication efficiency
 *                       = average useful time / runtime
 *   load balance        = average useful time / largest
 *   communication eff.  = largest useful time / runtime
 *
 * Useful is the time of a rank in which it does neither communicate, nor wait, nor call a runtime (MPI_Init): compute,
 * copies, I/O. The runtime is from the first begin to the last end of any rank. Serialisation and transfer, which make
 * up communication efficiency, need the run on an ideal network. Source: POP's standard metrics (pop-coe.eu).
 */
#pragma once

#include <glib.h>

typedef struct
{
  double parallel, load_balance, communication; /* 0 to 1 */
} TtEfficiency;

/* @rows: of TtBreakdownRow, a row a rank. FALSE: fewer than two ranks, one of them with devices, or no useful time. */
gboolean tt_efficiency_of_ranks (const GArray *rows, TtEfficiency *efficiency);
