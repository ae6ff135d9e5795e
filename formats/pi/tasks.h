/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtPiTasks: the commands of all queues as tasks of a graph, of recordings that have no graph of the runtime. A task is an
 * enqueue that succeeded, numbered from 1 in the order of their starts; its times are those of the device, where they are
 * known, on the clock of the calls.
 */
#pragma once

#include "src/trace/sink.h"

typedef struct _TtPiTasks TtPiTasks;

TtPiTasks *tt_pi_tasks_new (TtSink *sink, guint32 process);
void tt_pi_tasks_free (TtPiTasks *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtPiTasks, tt_pi_tasks_free)

/* All take NULL for @self, and do nothing then. @call: the row of the enqueue, larger than all before. */
void tt_pi_tasks_add (TtPiTasks *self, guint64 call, gint64 start_ns, TtTaskKind kind, const char *name);
/* Both rows are calls; nothing unless they are tasks. */
void tt_pi_tasks_edge (TtPiTasks *self, guint64 from, guint64 to, const char *kind);
/* So many edges are too many, which is said at the end. */
void tt_pi_tasks_leave_out (TtPiTasks *self, guint64 n_edges);
void tt_pi_tasks_times (TtPiTasks *self, guint64 call, gint64 begin_ns, gint64 end_ns);
/* After the last call. */
void tt_pi_tasks_finish (TtPiTasks *self);
