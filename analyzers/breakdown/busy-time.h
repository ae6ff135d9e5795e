/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtBusyTime: for how long anything ran between two moments, from intervals that come in order of their begin.
 *
 * Memory is bounded: intervals that touch are one, and beyond a cap they lie in a file.
 */
#pragma once

#include <glib.h>

typedef struct _TtBusyTime TtBusyTime;

TtBusyTime *tt_busy_time_new (void);
void tt_busy_time_free (TtBusyTime *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtBusyTime, tt_busy_time_free)

/* As if nothing had been added. */
void tt_busy_time_clear (TtBusyTime *self);
void tt_busy_time_add (TtBusyTime *self, gint64 begin_ns, gint64 end_ns);
gint64 tt_busy_time_between (TtBusyTime *self, gint64 begin_ns, gint64 end_ns);
gboolean tt_busy_time_check (const TtBusyTime *self, GError **error);
