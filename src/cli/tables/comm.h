/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of `comm`.
 */
#pragma once

#include "analyzers/communication/comm.h"
#include "analyzers/communication/groups.h"
#include "analyzers/waits/pair-waits.h"
#include "src/base/report/fields.h"
#include "src/cli/trust-marks.h"

typedef enum
{
  TT_COMM_BYTES,
  TT_COMM_COUNT,
  TT_COMM_WAIT,
} TtCommQuantity;

/* "bytes", "count", "wait"; NULL-ended, by TtCommQuantity. */
extern const char *const tt_comm_quantity_words[];

/* Sorts the pairs. */
TtReport *tt_comm_pair_table (TtStore *store,
                              TtComm *comm,
                              const TtPairWaits *waits,
                              TtCommQuantity sort,
                              TtTrustMarks *marks,
                              const TtReportView *view);
TtReport *tt_comm_process_table (TtStore *store,
                                 const TtComm *comm,
                                 const TtPairWaits *waits,
                                 TtTrustMarks *marks,
                                 const TtReportView *view);
TtReport *tt_comm_collective_table (TtStore *store, const TtComm *comm, TtTrustMarks *marks, const TtReportView *view);
TtReport *tt_comm_group_table (const TtCommGroups *groups, TtTrustMarks *marks, const TtReportView *view);
/* Sources down, destinations across, sums at the ends. */
TtReport *tt_comm_matrix (TtStore *store, const TtComm *comm, TtCommQuantity quantity, const TtReportView *view);
/* "120 messages, 118 matched, 1.2 MB; sizes 8 B to 64.0 kB, 10.2 kB on average". Free it. */
char *tt_comm_describe (const TtComm *comm);
