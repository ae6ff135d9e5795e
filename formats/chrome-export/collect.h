/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collecting: definitions and rows of a run, in any order.
 */
#pragma once

#include "formats/chrome-export/chrome.h"

TtChrome *tt_chrome_new (const TtExportOptions *options, TtExportReport *report);
void tt_chrome_free (TtChrome *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtChrome, tt_chrome_free)

void tt_chrome_source (TtChrome *self, guint32 id, TtClock clock);
/* Something of it is at @first_ns. */
void tt_chrome_source_time (TtChrome *self, guint32 id, gint64 first_ns);
void tt_chrome_process (TtChrome *self, guint32 id, const char *pid, const char *label, gint64 rank);
void tt_chrome_thread (TtChrome *self, guint32 id, guint32 process, const char *tid, const char *label, gint64 order);
/* Where the source wants a process among the others; all else is not shown. */
void tt_chrome_metadata (TtChrome *self, guint32 process, guint32 thread, const char *key, const char *value);
/* Facts that came later; NULL, -1: keep. */
/* @owner leads the rank of process @id: its own id where none does. */
void tt_chrome_own_process (TtChrome *self, guint32 id, guint32 owner);
void tt_chrome_label_process (TtChrome *self, guint32 id, const char *label, gint64 rank);
void tt_chrome_label_thread (TtChrome *self, guint32 id, const char *label, gint64 order);
void tt_chrome_series (TtChrome *self, guint32 id, const char *name, const char *unit);
void tt_chrome_name (TtChrome *self, guint32 id, const char *text, const char *suffix);

/* @args: id in self->args, 0: none; event->args is not looked at. @place: see tt_sink_placed_event(). */
void tt_chrome_event (TtChrome *self, const TtEvent *event, guint64 args, guint64 place);
/* Those of a batch, whose definitions have been taken. */
void tt_chrome_events (TtChrome *self, const TtBatch *batch);
void tt_chrome_counter (TtChrome *self, guint32 series, guint32 thread, gint64 ts_ns, gboolean is_real, gint64 bits);
void tt_chrome_see_time (TtChrome *self, guint32 thread, gint64 ts_ns);
/* Of everything collected, whatever its clock; 0 if there is nothing. */
gint64 tt_chrome_first_time (const TtChrome *self);
