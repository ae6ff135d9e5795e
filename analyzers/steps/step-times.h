/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtStepTimes: what one step of one rank is made of, from its spans: first the step's own, then the others in order of
 * their start, of equals the outer one of a thread first. One object serves step after step.
 */
#pragma once

#include "analyzers/steps/steps.h"

/* Kinds of spans that steps are made of, by op_cat. */
typedef enum
{
  TT_STEP_WORK_NONE,
  TT_STEP_WORK_FW,
  TT_STEP_WORK_BW,
  TT_STEP_WORK_UPDATE,
  TT_STEP_WORK_OUTPUT,
  TT_STEP_WORK_COMP,
  TT_STEP_WORK_COMM,
  TT_STEP_WORK_IO,
  TT_N_STEP_WORKS,
} TtStepWork;

/* NULL-safe. */
TtStepWork tt_step_work (const char *op_cat);
/* FW, BW, UPDATE_, OUTPUT. */
gboolean tt_step_work_is_operator (TtStepWork work);

typedef struct
{
  gint64 ts_ns, end_ns;
  guint32 name, thread;
  TtStepWork work;
  gboolean is_operator; /* it counts for the iteration */
} TtStepSpan;

typedef struct _TtStepTimes TtStepTimes;

/* @store: borrowed. */
TtStepTimes *tt_step_times_new (TtStore *store);
void tt_step_times_free (TtStepTimes *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtStepTimes, tt_step_times_free)

void tt_step_times_begin (TtStepTimes *self);
/* A span that is the step; several make one from the first begin to the last end. */
void tt_step_times_annotate (TtStepTimes *self, gint64 ts_ns, gint64 end_ns);
void tt_step_times_add (TtStepTimes *self, const TtStepSpan *span);
/* Sets the times of @row, has_iteration and is_annotated. */
void tt_step_times_finish (TtStepTimes *self, TtStepRow *row);

gboolean tt_step_times_has (const TtStepTimes *self, TtStepWork work);
/* Whether anything but input was done: operators, or communication. */
gboolean tt_step_times_has_spans (const TtStepTimes *self);
