/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtStepCover: how much of a rank's step no span covers: time in which the trace does not say what was done.
 *
 * The step is its own span where the source names one, else from the first begin to the last end of what is in it.
 */
#pragma once

#include <glib.h>

typedef struct
{
  gint32 step;
  guint32 process; /* that leads the rank */
  gint64 length_ns; /* of the step's own span; 0: the source names none */
  gint64 uncovered_ns;
} TtUncoveredStep;

typedef struct _TtStepCover TtStepCover;

TtStepCover *tt_step_cover_new (void);
void tt_step_cover_free (TtStepCover *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtStepCover, tt_step_cover_free)

/* In any order; those inside another may be left out. @is_step: it is the step. */
void
tt_step_cover_add (TtStepCover *self, gint32 step, guint32 process, gint64 begin_ns, gint64 end_ns, gboolean is_step);
gboolean tt_step_cover_finish (TtStepCover *self, GError **error);
/* By step, then process. FALSE at the end, or with @error. */
gboolean tt_step_cover_next (TtStepCover *self, TtUncoveredStep *uncovered, GError **error);
