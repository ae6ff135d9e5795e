/*
 * TtStepFinder: which training step an event is in, where the source does not say.
 *
 * It is told every operator and I/O event (and every event with an explicit step); per process it orders them by
 * (ts, name) and finds where steps begin. An explicit step wins; explicit steps are renumbered densely
 * from 0 per process, in order. What was not told (Comm, ServerOp) takes the step that its process is in. The rules are those of
 * shared formats page 4.3 (seed rule, strict rule). Memory: bounded but for the list of step begins.
 */
#pragma once

#include "formats/format.h"

typedef enum
{
  TT_STEP_OTHER, /* Comm, ServerOp and the like: never changes what came before */
  TT_STEP_IO,
  TT_STEP_FW,
  TT_STEP_BW,
  TT_STEP_UPDATE,
  TT_STEP_OUTPUT,
} TtStepClass;

typedef struct _TtStepFinder TtStepFinder;

TtStepFinder *tt_step_finder_new (TtStepRule rule);
void tt_step_finder_free (TtStepFinder *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtStepFinder, tt_step_finder_free)

/* The class of a standard name, by its op_cat (NULL-safe). */
TtStepClass tt_step_class (const char *op_cat);
/* @name: id; its text decides the order of events of one time. @step: explicit, or TT_NO_STEP. */
void
tt_step_finder_add (TtStepFinder *self, guint32 process, guint32 name, gint64 ts_ns, TtStepClass klass, gint32 step);
/* @names: for the texts. */
gboolean tt_step_finder_finish (TtStepFinder *self, TtNames *names, GError **error);
/* After finish: the step of an event; TT_NO_STEP: its process has no steps. @step: explicit one of the event or TT_NO_STEP. */
gint32 tt_step_finder_step (const TtStepFinder *self, guint32 process, guint32 name, gint64 ts_ns, gint32 step);
