/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTrialTrace, TtTrial: a stored trace of PInsight, and what a plan would have kept of it by the rules of --config.
 */
#pragma once

#include "analyzers/statistics/lexgions.h"
#include "formats/ctf/sizes.h"
#include "formats/pinsight/operations.h"
#include "src/cli/suggest/plan.h"

/* Spans of one kind by bytes; what @operation says of it is of the first name that is of the kind. */
typedef struct
{
  TtOperation operation;
  char *name;         /* the event of PInsight, or of the operation */
  double bytes;       /* of a span, in the mean */
  guint64 n;          /* spans in the trace */
  tt_int128 total_ns; /* of them */
} TtTrialKind;

/* A row of 'stats --by lexgion' of the whole trace. */
typedef struct
{
  guint64 codeptr;
  guint32 name;
  guint kind;
  double imbalance; /* percent */
  double share;     /* of the self time of all rows, percent */
} TtTrialRow;

/* Invocations of a code pointer on a thread; the first two members are the key. */
typedef struct
{
  guint64 codeptr, thread;
  guint64 n;
  guint32 unit;
} TtTrialSite;

typedef struct
{
  TtStore *store;
  const TtConfigDomains *domains;
  const TtConfigOperations *operations;
  TtPInsight pinsight;
  TtCtfSizes *sizes;
  GArray *units;        /* of TtPlanUnit */
  gboolean *devices;    /* by domain: it has activities of devices */
  guint *kind_of;       /* by name: index into kinds; TT_CTF_NO_KIND: PInsight has no such event */
  guint8 *role_of;      /* by name: TtOperationRole */
  GArray *kinds;        /* of TtTrialKind; the same index as in sizes */
  guint64 n;            /* events */
  guint32 *unit_of;     /* by event, in the order of scans; above units->len: of none */
  GArray *rows;         /* of TtTrialRow */
  GHashTable *row_at;   /* by codeptr and name */
  GHashTable *sites;    /* set of TtTrialSite */
  GPtrArray *row_units; /* of GArray of guint32, by row: the units that it is recorded by */
  guint64 n_spans;
} TtTrialTrace;

/* NULL with @error. @store, @domains, @operations: borrowed; @sizes: taken. */
TtTrialTrace *tt_trial_trace_new (TtStore *store,
                                  const TtConfigDomains *domains,
                                  const TtConfigOperations *operations,
                                  TtPInsight pinsight,
                                  TtCtfSizes *sizes,
                                  GError **error);
void tt_trial_trace_free (TtTrialTrace *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtTrialTrace, tt_trial_trace_free)

typedef struct
{
  guint64 n_kept;
  guint32 *counts;   /* spans kept, by unit (units->len: of none) and kind */
  double *imbalance; /* by row; NAN: it is not there */
} TtTrial;

TtTrial *tt_trial_new (const TtTrialTrace *trace, const TtPlan *plan, GError **error);
/* Nothing is kept yet. */
TtTrial *tt_trial_new_empty (const TtTrialTrace *trace);
/* The imbalance of what is kept. @table: of TtLexgionRow. */
void tt_trial_take_rows (TtTrial *self, const TtTrialTrace *trace, const GArray *table);
void tt_trial_free (TtTrial *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtTrial, tt_trial_free)

static inline guint32
tt_trial_count (const TtTrialTrace *trace, const TtTrial *trial, guint unit, guint kind)
{
  return trial->counts[(gsize) unit * trace->kinds->len + kind];
}

/* Bytes of the trace, if that many spans of each kind are kept. */
guint64 tt_trial_bytes (const TtTrialTrace *trace, const guint64 *counts);
/* Whether the plan turns off all events of the kind. */
gboolean tt_trial_is_off (const TtPlan *plan, const TtTrialKind *kind);
