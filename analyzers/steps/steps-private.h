/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of TtSteps: of analyzers/steps only.
 */
#pragma once

#include "analyzers/steps/iteration.h"
#include "analyzers/steps/steps.h"
#include "src/base/sorter.h"
#include "src/base/tape.h"

#define TT_STEPS_TAPE_BYTES ((gsize) 8 << 20)

/* By place of the rank and step, the step's own spans before all others, then start; of equals the outer span of a thread
 * comes first. */
typedef struct
{
  guint64 order; /* place << 32 | step << 1 | 1 but for the step's own */
  guint64 ts_key;
  gint64 dur_ns;
  guint32 name, thread;
} TtStepped;

typedef struct
{
  guint32 place;        /* of its rank, in order of ranks */
  gboolean has_classes; /* FW, BW, UPDATE_ or OUTPUT in a step */
  /* Of one that leads a rank: */
  gboolean rank_has_classes; /* one of its processes */
  gboolean is_annotated;     /* it has steps with a span of their own */
  gboolean is_seen;          /* it has spans in steps */
} TtStepFacts;

/* A rank whose rows are written. */
typedef struct
{
  guint64 end_row;
  gint32 last_step; /* that has an iteration */
  gboolean is_last_counted, is_annotated;
} TtStepRankEnd;

struct _TtSteps
{
  TtStore *store;
  TtStepMeasure measure;
  guint8 *work_of_name;
  guint32 *process_of_thread;
  TtStepFacts *facts; /* by process */
  GArray *ids;        /* guint32: processes that lead ranks, by place */
  gboolean has_classes;
  TtSorter *spans;
  guint64 n_outside;

  TtTape *rows; /* of TtStepRow */
  guint64 n_rows;
  gboolean has[TT_N_STEP_TIMES];
  GArray *ranks;  /* of TtStepRank */
  GArray *ends;   /* of TtStepRankEnd, likewise */
  guint last_end; /* of the row asked for last */
  TtStepIteration iteration;
};

static inline TtStepFacts *
tt_steps_facts_of_rank (const TtSteps *self, const TtStepFacts *facts)
{
  return &self->facts[g_array_index (self->ids, guint32, facts->place)];
}

/* Whether the steps of a rank, which one with these facts leads, are those of the run's iteration. */
static inline gboolean
tt_steps_is_typical (const TtSteps *self, const TtStepFacts *facts)
{
  return facts->is_annotated || facts->rank_has_classes == self->has_classes;
}

/* Whether a row of a rank that ends so counts. */
static inline gboolean
tt_step_row_is_counted (const TtStepRow *row, const TtStepRankEnd *end)
{
  return row->has_iteration && (row->step != end->last_step || end->is_last_counted) &&
         (row->is_annotated || !end->is_annotated);
}

/* Makes rows and ranks of the sorted spans. */
gboolean tt_steps_read_spans (TtSteps *self, TtIterationTally *iterations, GError **error);
