/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtStepFinder: which training step an event is in, where the source does not say.
 *
 * It takes every operator and I/O event, and every event with an explicit step. Per process it orders them by
 * (ts, name) and finds where steps begin:
 *
 *   a process with explicit steps     each operator or I/O event that has one begins or goes on with it; no rule
 *                                     is asked. (Events of other classes do so only where no operator has one.)
 *   TT_STEP_RULE_SEED                 0; + 1 where FW or I/O follows anything else
 *   TT_STEP_RULE_STRICT               0; + 1 where FW or I/O follows UPDATE; - 1 where UPDATE follows FW or I/O, for it
 *                                     overlaps the next step
 *
 * Other events (Comm, ServerOp, I/O without a step) are in the step that their process is in at (ts, name); before the
 * first step, in the first. Explicit steps are renumbered densely, from 0, by their value, process by process.
 * Memory is bounded whatever the number of events: of one process and time, 16384 events at once are ordered by the
 * first 1024 bytes of their names.
 */
#pragma once

#include "src/trace/names/names.h"

/* How steps are found where the source does not say them. */
typedef enum
{
  TT_STEP_RULE_SEED,   /* a new step where I/O or FW follows anything else */
  TT_STEP_RULE_STRICT, /* only where it follows UPDATE */
  TT_STEP_RULE_NONE,   /* only steps that the source gives */
} TtStepRule;

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
/* Before the first event: explicit steps keep the numbers that the source gave them. */
void tt_step_finder_keep_numbers (TtStepFinder *self);
void tt_step_finder_free (TtStepFinder *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtStepFinder, tt_step_finder_free)

/* The class of a standard name, by its op_cat (NULL-safe). */
TtStepClass tt_step_class (const char *op_cat);
/* @name: id; its text decides the order of events of one time. @step: explicit (not negative), or TT_NO_STEP. */
void
tt_step_finder_add (TtStepFinder *self, guint32 process, guint32 name, gint64 ts_ns, TtStepClass klass, gint32 step);
/* @names: for the texts; borrowed as long as steps are asked for. */
gboolean tt_step_finder_finish (TtStepFinder *self, TtNames *names, GError **error);
/* After finish: the step of an event; TT_NO_STEP: its process has no steps. @step: explicit one of the event or TT_NO_STEP.
 * Fastest when a process is asked about in order of time. */
gint32 tt_step_finder_step (TtStepFinder *self, guint32 process, guint32 name, gint64 ts_ns, gint32 step);
/* Whether the temporary file has held. Once per block of questions. */
gboolean tt_step_finder_check (const TtStepFinder *self, GError **error);
