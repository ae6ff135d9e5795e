/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtRocprofCounters: dispatches whose hardware counters were collected (callback_records.counter_collection).
 *
 * They come before the dispatches that they belong to, which may be left out of the file (--pmc without
 * --kernel-trace): the records are kept as they stand there, beyond some megabytes in a temporary file. A counter has
 * one value for each instance of its block (shader engine, channel ...): rocprofv3 shows their sum, and so do we.
 */
#pragma once

#include "formats/json/scanner.h"

typedef struct _TtRocprofCounters TtRocprofCounters;

TtRocprofCounters *tt_rocprof_counters_new (void);
void tt_rocprof_counters_free (TtRocprofCounters *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtRocprofCounters, tt_rocprof_counters_free)

/* Keeps a record; FALSE: it has no dispatch. */
gboolean tt_rocprof_counters_add (TtRocprofCounters *self, const TtJsonValue *record);
gboolean tt_rocprof_counters_is_empty (const TtRocprofCounters *self);

typedef const char *(*TtRocprofCounterName) (guint64 handle, gpointer data); /* NULL: not known */

/* The counters of a dispatch as a JSON object, which is then taken for told; NULL: it has none. Valid until the next
 * call. */
const char *tt_rocprof_counters_of (TtRocprofCounters *self,
                                    guint64 dispatch,
                                    TtRocprofCounterName name,
                                    gpointer data);
/* Once all dispatches are told: the next record of one that was not. *cursor starts as 0. The slice is valid until the
 * next call of any of these but tt_rocprof_counters_of(). FALSE: no more. */
gboolean tt_rocprof_counters_next_untold (TtRocprofCounters *self, guint64 *cursor, TtJsonValue *record);

gboolean tt_rocprof_counters_check (const TtRocprofCounters *self, GError **error);
