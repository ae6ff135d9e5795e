/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSteps: the training steps of each process: how long they took, and what they were made of.
 *
 * Operators are spans of FW, BW, UPDATE_ and OUTPUT. In a process that has none of these in its steps (a GPU of a
 * PyTorch trace), its COMP spans are the operators. Only spans with a step count, and no annotations (native_group
 * user_annotation, gpu_user_annotation), which only name a stretch of time. Per process and step:
 *
 *   iteration     from the start of the first operator to the end of the last, first and last in (ts, name) order.
 *                 The process' last step counts if it is the only one, or if the process has FW and this step BW;
 *                 where COMP are the operators it always counts. A step without operators never counts.
 *   FW ... COMP   sum of durations; a span inside another of its category on the same thread is not added again
 *   Comm, I/O     time during which at least one such span of the process runs
 *   Comm exposed  the part of Comm during which no operator of the same step and process runs
 *   idle          the part of the iteration during which no operator of the step runs
 *
 * The time of a run's iteration: per step the mean over processes with FW, BW, UPDATE_ or OUTPUT (with COMP if none
 * has), over the steps that the largest number of them have counted; then the mean over steps, or, where StdDev is
 * above a tenth of it, their median. The typical step is the one nearest to that, the first of equals.
 */
#pragma once

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

typedef struct
{
  tt_int128 ns[TT_N_STEP_TIMES]; /* iteration and idle: 0 where there are no operators */
  guint32 process;
  gint32 step;
  gboolean has_operators; /* else it has no iteration */
  gboolean is_counted;
} TtStepRow;

typedef struct
{
  guint32 process;
  guint64 n_steps, n_counted;
  tt_int128 sum_ns[TT_N_STEP_TIMES]; /* over the steps that count; where none does, over all */
  tt_int128 min_ns, max_ns;          /* of iterations that count; 0 without */
  double stddev_ns;                  /* of the population; 0 without */
} TtStepProcess;

typedef struct
{
  guint n_processes;  /* that have iterations; 0: the members below are not set */
  guint64 n_steps;    /* that the largest number of them have counted */
  double iter_ns;     /* the run's iteration */
  gboolean is_median; /* iter_ns is the median, because the steps differ */
  double mean_ns, stddev_ns;
  gint32 typical_step;
  double typical_ns;
} TtStepIteration;

typedef struct _TtSteps TtSteps;

/* @selection: bound, or NULL. One scan; memory is bounded whatever the number of events and steps. */
TtSteps *tt_steps_new (TtStore *store, const TtSelection *selection, GError **error);
void tt_steps_free (TtSteps *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtSteps, tt_steps_free)

/* Rows in order of process, then step. */
guint64 tt_steps_n_rows (const TtSteps *self);
void tt_steps_row (TtSteps *self, guint64 i, TtStepRow *row);
/* Whether any row has such a time above 0. */
gboolean tt_steps_has (const TtSteps *self, TtStepTime time);
/* Of TtStepProcess, those with steps, in the order of rows: by rank, then id. */
const GArray *tt_steps_processes (const TtSteps *self);
const TtStepIteration *tt_steps_iteration (const TtSteps *self);
/* Spans of these categories that are in no step. */
guint64 tt_steps_n_outside (const TtSteps *self);
/* Whether all temporary files could be read and written; after the last row. */
gboolean tt_steps_check (const TtSteps *self, GError **error);
