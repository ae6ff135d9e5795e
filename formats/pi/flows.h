/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtPiFlows: what one call has to do with another, as flows of the sink.
 *
 *   create           the call that makes an object -> the first that uses it; the recording has the handle
 *   create_inferred  the same by inference: handles.h
 *   queue            an enqueue -> the next on the same in-order queue
 *   finish           what was enqueued -> the call that waits for the queue; of an in-order queue only the last
 *   retain           a retain -> the release that undoes it
 *   event            an enqueue -> a call, of a command or of the host, whose wait list has its event
 *   barrier          of a queue that is not in order: what is in it -> a barrier or a wait for all of it, and from a
 *                    barrier -> what comes next
 *   event_inferred   an enqueue -> a call whose wait list lies at the address to which its event went
 *
 * What a command waits for becomes an edge of its task, too (tasks.h). A queue is in order if the call that made it says so. Calls come in order of their starts.
 */
#pragma once

#include "formats/pi/handles.h"
#include "formats/pi/tasks.h"
#include "src/trace/sink.h"

typedef struct _TtPiFlows TtPiFlows;

/* @tasks: may be NULL. */
TtPiFlows *tt_pi_flows_new (TtSink *sink, TtPiTasks *tasks);
void tt_pi_flows_free (TtPiFlows *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtPiFlows, tt_pi_flows_free)

/* @handles has taken the call, with the id @event of its row for an ordinal. */
void tt_pi_flows_call (TtPiFlows *self, const TtPiCall *call, const TtPiHandles *handles, guint64 event);
