/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtXprofSteps: when the steps of a trace of XLA's profiler were, for each process: the spans of a device's line
 * "Steps", and the annotations of the host that have a step_num.
 */
#pragma once

#include <glib.h>

#define TT_XPROF_MOST_STEPS (1u << 20)

typedef struct _TtXprofSteps TtXprofSteps;

TtXprofSteps *tt_xprof_steps_new (void);
void tt_xprof_steps_free (TtXprofSteps *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtXprofSteps, tt_xprof_steps_free)

/* FALSE: there are too many. Before the first tt_xprof_steps_at(). */
gboolean tt_xprof_steps_add (TtXprofSteps *self, guint32 process, gint32 number, gint64 from_ns, gint64 to_ns);
/* The last step of @process that has begun by @ts_ns and not ended then, or TT_NO_STEP. */
gint32 tt_xprof_steps_at (TtXprofSteps *self, guint32 process, gint64 ts_ns);
