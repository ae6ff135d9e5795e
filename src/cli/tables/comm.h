/*
 * Tables of `comm`.
 */
#pragma once

#include "analyzers/communication/comm.h"
#include "src/base/report/report.h"

typedef enum
{
  TT_COMM_BYTES,
  TT_COMM_COUNT,
  TT_COMM_WAIT,
} TtCommQuantity;

/* "bytes", "count", "wait"; an error names the nearest. @option: for the message. */
gboolean tt_comm_quantity_parse (const char *text, const char *option, TtCommQuantity *quantity, GError **error);

/* @top 0: all. Sorts the pairs. */
TtReport *tt_comm_pair_table (TtStore *store, TtComm *comm, TtCommQuantity sort, guint top, TtUnit unit);
TtReport *tt_comm_process_table (TtStore *store, const TtComm *comm, TtUnit unit);
/* @is_narrow: without the columns that a terminal of 80 has no room for. */
TtReport *tt_comm_collective_table (TtStore *store, const TtComm *comm, TtUnit unit, gboolean is_narrow);
/* Sources down, destinations across, sums at the ends. */
TtReport *tt_comm_matrix (TtStore *store, const TtComm *comm, TtCommQuantity quantity, TtUnit unit);
/* "120 messages, 118 matched, 1.2 MB; sizes 8 B to 64.0 kB, 10.2 kB on average". Free it. */
char *tt_comm_describe (const TtComm *comm);
