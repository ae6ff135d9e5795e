/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtStepCover: how much of a rank's step no span of the rank covers: time in which the trace does not say what was done.
 *
 * The step is its own span where the source names one, else from the first begin to the last end of what is in it. What
 * covers it is whatever runs meanwhile, in whichever step it was launched or began, but for spans of the host around the
 * whole step, which say nothing of it. Memory is bounded but for spans that run at once.
 */
#pragma once

#include <glib.h>

typedef struct
{
  gint32 step;
  guint32 process;  /* that leads the rank */
  gint64 length_ns; /* of the step's own span; 0: the source names none */
  gint64 uncovered_ns;
} TtUncoveredStep;

typedef enum
{
  TT_COVER_HOST,
  TT_COVER_WORK, /* of a device, or asynchronous */
  TT_COVER_STEP, /* the step's own span */
} TtCoverKind;

typedef struct
{
  gint32 step;
  guint32 process;
  TtCoverKind kind;
  gint64 begin_ns, end_ns;
} TtCoverSpan;

typedef struct _TtStepCover TtStepCover;

TtStepCover *tt_step_cover_new (void);
void tt_step_cover_free (TtStepCover *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtStepCover, tt_step_cover_free)

/* In any order; those inside another of their step and thread may be left out. */
void tt_step_cover_add (TtStepCover *self, const TtCoverSpan *span);

typedef void (*TtStepCovered) (const TtUncoveredStep *step, gpointer data);
/* No more spans; each step of each rank once, by rank. */
gboolean tt_step_cover_each (TtStepCover *self, TtStepCovered on_step, gpointer data, GError **error);
