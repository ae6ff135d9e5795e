/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtProgress: a bar with rate and remaining time on standard error, when that is a terminal and the
 * work takes more than a second. Also the place where Ctrl-C is noticed.
 */
#pragma once

#include <glib.h>

typedef struct _TtProgress TtProgress;

/* @unit: what is counted, "B" prints as bytes. @total 0: unknown. */
TtProgress *tt_progress_new (const char *label, guint64 total, const char *unit);
void tt_progress_add (TtProgress *self, guint64 done);
/* Removes the bar. */
void tt_progress_free (TtProgress *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtProgress, tt_progress_free)

/* Ctrl-C, SIGTERM and SIGHUP set a flag instead of killing; a second one, later, kills. */
void tt_cancel_install (void);
gboolean tt_cancelled (GError **error);
