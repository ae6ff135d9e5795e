/*
 * KinetoSteps: which training step a span of a PyTorch trace is in.
 *
 * Steps are the ProfilerStep#N annotations of the host; without any, what lies between runs of the optimizer, from
 * 0 (unless the step rule is `none`). N stays as the user knows it. A host span is in the step in which
 * it begins; device work in the step of the call that launched it, told by correlation ids, which grow
 * with time, so that a range of them per step is enough.
 * Calls are kept on a tape, and no more than TT_KINETO_STEPS_MOST steps are kept, so memory is bounded.
 */
#pragma once

#include "formats/format.h"

#define TT_KINETO_STEPS_MOST (1u << 19)

typedef struct _KinetoSteps KinetoSteps;

KinetoSteps *tt_kineto_steps_new (TtStepRule rule);
void tt_kineto_steps_free (KinetoSteps *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KinetoSteps, tt_kineto_steps_free)

/* An annotation ProfilerStep#@number. FALSE: too many, not kept. */
gboolean tt_kineto_steps_add (KinetoSteps *self, guint32 process, gint32 number, gint64 ts_ns, gint64 end_ns);
/* An annotation Optimizer.step#... : @name tells optimizers of one process apart. FALSE: too many. */
gboolean tt_kineto_steps_add_optimizer (KinetoSteps *self, guint32 process, guint32 name, gint64 ts_ns, gint64 end_ns);

/* An operator that autograd records: what comes behind the last run of the optimizer is a step only with such a one. */
void tt_kineto_steps_see_forward (KinetoSteps *self, gint64 ts_ns);
/* An annotation Optimizer.zero_grad: operators in it are no such ones. */
void tt_kineto_steps_see_reset (KinetoSteps *self, gint64 end_ns);

/* A host call with a correlation id, or device work with one. */
typedef struct
{
  gint64 ts_ns;
  guint64 correlation;
  guint32 thread, process;
  gboolean is_device;
} KinetoCall;

void tt_kineto_steps_add_call (KinetoSteps *self, const KinetoCall *call);
/* All calls so far, in the order they came. FALSE: the temporary file failed. */
gboolean tt_kineto_steps_each_call (KinetoSteps *self,
                                    void (*take) (const KinetoCall *call, gpointer data),
                                    gpointer data,
                                    GError **error);

/* Everything is in. */
gboolean tt_kineto_steps_finish (KinetoSteps *self, GError **error);

/* The step in which @process is at @ts_ns. A process without steps of its own has those of the only one that has. */
gint32 tt_kineto_steps_at (KinetoSteps *self, guint32 process, gint64 ts_ns);
/* The step of the call with this id. *is_known FALSE: no call can tell, ask for the time. */
gint32 tt_kineto_steps_of_correlation (KinetoSteps *self, guint64 correlation, gboolean *is_known);

guint tt_kineto_steps_count (const KinetoSteps *self);
