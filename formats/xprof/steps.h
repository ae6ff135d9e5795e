/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtXprofSteps: when the steps of a trace of XLA's profiler were: the spans of a device's line "Steps", and the
 * annotations of the host that have a step_num; and which of its groups (group_id) is which step.
 *
 * The profiler groups what a step started, on any thread or device. It also puts the begin of a step of TensorFlow, as
 * far as the first call, into the group before it: on the thread of an annotation its times count, elsewhere the group
 * does, and what has none is in the step that its process is in.
 */
#pragma once

#include <glib.h>

#define TT_XPROF_MOST_STEPS (1u << 20)

typedef struct _TtXprofSteps TtXprofSteps;

TtXprofSteps *tt_xprof_steps_new (void);
void tt_xprof_steps_free (TtXprofSteps *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtXprofSteps, tt_xprof_steps_free)

typedef struct
{
  guint32 process, thread;
  gint64 from_ns, to_ns;
  gint32 number;
} TtXprofStep;

/* FALSE: there are too many. Before the first tt_xprof_steps_at(). */
gboolean tt_xprof_steps_add (TtXprofSteps *self, const TtXprofStep *step);
/* A number for the group @id, from 1; 0: there are too many. */
guint32 tt_xprof_steps_group (TtXprofSteps *self, gint64 id);
/* What @group is; TT_NO_STEP: something that is no step. Of several the first with a number counts. */
void tt_xprof_steps_set_group (TtXprofSteps *self, guint32 group, gint32 number);
/* The step of a span of @group (0: of none) that begins at @ts_ns, or TT_NO_STEP. */
gint32 tt_xprof_steps_at (TtXprofSteps *self, guint32 process, guint32 thread, guint32 group, gint64 ts_ns);
