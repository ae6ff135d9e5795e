/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtNcclOpenEvents: begins and ends of NCCL's profiler plugin become spans.
 *
 * The plugin prints a tree: an event's begin, what is inside it, its end. Its ids do not tell which end belongs to
 * which begin: every kernel of a file has id 0, and two counters number the events of the proxy. The order of the file
 * does: an end closes the last begin with its category, name and id.
 *
 * A time of exactly 0 is one that the plugin never took (it counts from its own start): a begin is then the earliest of
 * what is inside, or the end; an end the latest of what is inside, or the begin. Both are counted, with flag `inferred`.
 */
#pragma once

#include "src/trace/arrange/arrange.h"

typedef struct _TtNcclOpenEvents TtNcclOpenEvents;

/* @arrange and @sink are borrowed. */
TtNcclOpenEvents *tt_nccl_open_events_new (TtArrange *arrange, TtSink *sink);
void tt_nccl_open_events_free (TtNcclOpenEvents *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtNcclOpenEvents, tt_nccl_open_events_free)

/* @key: hash of what a begin and its end have in common. */
void tt_nccl_open_events_begin (TtNcclOpenEvents *self, const TtTraceRecord *begin, guint64 key);
/* FALSE: no begin with @key is open. */
gboolean tt_nccl_open_events_end (TtNcclOpenEvents *self, gint64 ts_ns, guint64 key);
/* The file is over: what is open stays unclosed. */
void tt_nccl_open_events_finish (TtNcclOpenEvents *self);
