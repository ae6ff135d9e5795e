/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of `imbalance`: operations, collectives, ranks, steps.
 */
#pragma once

#include "analyzers/imbalance/arrivals.h"
#include "analyzers/imbalance/operations.h"
#include "analyzers/imbalance/stragglers.h"
#include "src/base/report/fields.h"
#include "src/cli/trust-marks.h"

typedef enum
{
  TT_IMBALANCE_OPERATIONS,
  TT_IMBALANCE_COLLECTIVES,
  TT_IMBALANCE_LATE_RANKS,
  TT_IMBALANCE_STEPS,
  TT_N_IMBALANCE_TABLES,
} TtImbalanceTable;

extern const char *const tt_imbalance_table_words[TT_N_IMBALANCE_TABLES + 1]; /* of --show; NULL-ended */

/* The answer to all questions of the command; all borrowed. */
typedef struct
{
  TtStore *store;
  TtTrustMarks *marks;
  TtImbalanceOver over;
  const GArray *operations; /* of TtOpImbalance */
  guint64 n_alone;          /* operations of one rank or thread only */
  const TtArrivals *arrivals;
  const TtStragglers *stragglers;
} TtImbalance;

TtReport *tt_imbalance_table (const TtImbalance *self, TtImbalanceTable table, const TtReportView *view);
/* The conclusions, a line each. NULL: there are none. Free it. */
char *tt_imbalance_describe (const TtImbalance *self);
/* How a rank is called; NULL: none. An operation: of TT_NO_ID the time that none explains; free it. */
const char *tt_imbalance_rank (const TtImbalance *self, guint32 process);
char *tt_imbalance_name (const TtImbalance *self, guint32 name, guint32 process, guint32 thread);
