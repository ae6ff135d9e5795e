/* SPDX-License-Identifier: Apache-2.0 */
/*
 * KinetoSteps: which training step a span of a PyTorch trace is in.
 *
 * Steps are the spans that the user names (--step-by), counted from 0 in each process, an inner one being none; else the
 * ProfilerStep#N annotations of the host; without any, the times between runs of the optimizer, counted
 * from 0 (unless the step rule is `none`). N stays as the user knows it. A host span is in the step in which
 * it begins; device work in the step of the call that launched it, found by correlation ids, which grow
 * with time, so that a range of them per step is enough.
 * Calls are kept on a tape, and no more than TT_KINETO_MAX_STEPS steps are kept, so memory is bounded.
 */
#pragma once

#include "formats/format.h"

#define TT_KINETO_MAX_STEPS (1u << 19)

typedef struct _KinetoSteps KinetoSteps;

KinetoSteps *tt_kineto_steps_new (TtStepRule rule);
void tt_kineto_steps_free (KinetoSteps *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KinetoSteps, tt_kineto_steps_free)

/* An annotation ProfilerStep#@number; TT_NO_STEP: it is counted. FALSE: too many, not kept. */
gboolean tt_kineto_steps_add (KinetoSteps *self, guint32 process, gint32 number, gint64 ts_ns, gint64 end_ns);
/* An annotation Optimizer.step#... : @name differs between the optimizers of one process. FALSE: too many. */
gboolean tt_kineto_steps_add_optimizer (KinetoSteps *self, guint32 process, guint32 name, gint64 ts_ns, gint64 end_ns);

/* Notes an operator that autograd records: only with one is the time after the last run of the optimizer a step. */
void tt_kineto_steps_note_forward (KinetoSteps *self, gint64 ts_ns);
/* Notes an annotation Optimizer.zero_grad, whose operators do not count so. */
void tt_kineto_steps_note_reset (KinetoSteps *self, gint64 end_ns);

/* A call of the host with a correlation id. */
typedef struct
{
  gint64 ts_ns;
  guint64 correlation;
  guint32 process;
} KinetoCall;

void tt_kineto_steps_add_call (KinetoSteps *self, const KinetoCall *call);

/* After the last call of those above, before the first of those below. */
gboolean tt_kineto_steps_finish (KinetoSteps *self, GError **error);

/* The step in which @process is at @ts_ns. A process without steps of its own has those of the only one that has. */
gint32 tt_kineto_steps_at (KinetoSteps *self, guint32 process, gint64 ts_ns);
/* The step of the call with this id. *is_known FALSE: the ids of the calls do not say; use the time. */
gint32 tt_kineto_steps_of_correlation (KinetoSteps *self, guint64 correlation, gboolean *is_known);

guint tt_kineto_steps_count (const KinetoSteps *self);
