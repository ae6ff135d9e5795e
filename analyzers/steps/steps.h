/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSteps: the steps of each rank: how long they took, and what they were made of.
 *
 * A rank is a program with its devices (TtProcess.owner). Operators are spans of FW, BW, UPDATE_ and OUTPUT; in a
 * process that has none of these in its steps (a GPU of a PyTorch trace), its COMP spans. Only spans with a step count,
 * and none that only name a stretch of time (flag `window`; of databases of before, annotations of PyTorch). Per rank
 * and step:
 *
 *   iteration     as measured by
 *     annotation  where the source says what a step is (spans with the flag `step`: ProfilerStep#N of PyTorch): from the
 *                 begin of the step's span to its end. In a rank with such spans no other step counts,
 *                 nor does its last where nothing was done in it, unless it is the only one.
 *     operators   else from the start of the first operator to the end of the last, first and last in (ts, name) order.
 *                 The last step of a rank counts if it is the only one, or if the rank has FW and this step BW; where
 *                 COMP are its only operators it always counts. A step without operators never counts.
 *   FW ... COMP   sum of durations; a span inside another of its category on the same thread is not added again
 *   Comm, I/O     time during which at least one such span of the rank runs
 *   Comm exposed  the part of Comm during which no operator of the same step and rank runs
 *   idle          the part of the iteration during which no operator of the step runs
 *
 * The time of a run's iteration: per step the mean over ranks with annotated steps or FW, BW, UPDATE_ or OUTPUT (with
 * COMP if none has), over the steps that the largest number of them have counted; then the mean over steps, or, where
 * StdDev is above a tenth of it, their median. The typical step is the one nearest to that, the first of equals.
 */
#pragma once

#include "src/base/crew.h"
#include "src/base/int128.h"
#include "src/select/selection.h"

typedef enum
{
  TT_STEP_TIME_ITERATION,
  TT_STEP_TIME_FW,
  TT_STEP_TIME_BW,
  TT_STEP_TIME_UPDATE,
  TT_STEP_TIME_OUTPUT,
  TT_STEP_TIME_COMP,
  TT_STEP_TIME_COMM,
  TT_STEP_TIME_COMM_EXPOSED,
  TT_STEP_TIME_IO,
  TT_STEP_TIME_IDLE,
  TT_N_STEP_TIMES,
} TtStepTime;

/* What an iteration is. */
typedef enum
{
  TT_STEP_BY_ANNOTATION, /* where there are annotations, else by operators */
  TT_STEP_BY_OPERATORS,
} TtStepMeasure;

typedef struct
{
  tt_int128 ns[TT_N_STEP_TIMES]; /* iteration and idle: 0 where there is none */
  guint32 process;               /* that leads the rank */
  gint32 step;
  gboolean has_iteration;
  gboolean is_annotated; /* it is the length of the step's own span */
  gboolean is_counted;
} TtStepRow;

typedef struct
{
  guint32 process; /* that leads the rank */
  guint64 n_steps, n_counted;
  tt_int128 sum_ns[TT_N_STEP_TIMES]; /* over the steps that count; where none does, over all */
  tt_int128 min_ns, max_ns;          /* of iterations that count; 0 without */
  double stddev_ns;                  /* of the population; 0 without */
} TtStepRank;

typedef struct
{
  guint n_ranks;         /* that have iterations; 0: the members below are not set */
  guint64 n_steps;       /* that the largest number of them have counted */
  double iter_ns;        /* the run's iteration */
  gboolean is_annotated; /* steps are measured by annotation */
  gboolean is_median;    /* iter_ns is the median, because the steps differ */
  double mean_ns, stddev_ns;
  gint32 typical_step;
  double typical_ns;
} TtStepIteration;

typedef struct _TtSteps TtSteps;

/* @selection: bound, or NULL. One scan; memory is bounded whatever the number of events and steps. @crew: NULL, or ranks that share it, if all of a rank of
 * the run is in the part of one: those other than 0 get NULL; without @error they are done. */
TtSteps *
tt_steps_new (TtStore *store, const TtSelection *selection, TtStepMeasure measure, const TtCrew *crew, GError **error);
void tt_steps_free (TtSteps *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtSteps, tt_steps_free)

/* Rows in order of rank, then step. */
guint64 tt_steps_n_rows (const TtSteps *self);
void tt_steps_row (TtSteps *self, guint64 i, TtStepRow *row);
/* Whether any row has such a time above 0. */
gboolean tt_steps_has (const TtSteps *self, TtStepTime time);
/* Of TtStepRank, those with steps, in the order of rows: by number, then id of the process that leads it. */
const GArray *tt_steps_ranks (const TtSteps *self);
const TtStepIteration *tt_steps_iteration (const TtSteps *self);
/* Spans of these categories that are in no step. */
guint64 tt_steps_n_outside (const TtSteps *self);
/* Whether all temporary files could be read and written; after the last row. */
gboolean tt_steps_check (const TtSteps *self, GError **error);
