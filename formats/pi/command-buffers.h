/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtPiBuffers: what the commands of command buffers of UR wait for, as edges of tasks: a command for those whose sync points
 * it lists ("sync_point"), and the enqueue of a buffer for those of its commands that no other of them waits for
 * ("command_buffer"). A command is one task, however often its buffer is enqueued.
 */
#pragma once

#include "formats/pi/handles.h"
#include "formats/pi/tasks.h"

typedef struct _TtPiBuffers TtPiBuffers;

/* @tasks: NULL: nothing is done. */
TtPiBuffers *tt_pi_buffers_new (TtPiTasks *tasks);
void tt_pi_buffers_free (TtPiBuffers *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtPiBuffers, tt_pi_buffers_free)

/* Whether the call puts a command into a buffer. */
gboolean tt_pi_buffers_is_append (const TtPiCall *call);
/* @handles has taken the call, whose row, and task, is @event. */
void tt_pi_buffers_call (TtPiBuffers *self, const TtPiCall *call, const TtPiHandles *handles, guint64 event);
