/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtQueues: how much work waits in each stream when more is launched: launched and not yet ended, itself included.
 */
#pragma once

#include <glib.h>

typedef struct
{
  guint64 n_launches;
  guint64 sum, max; /* of lengths at the launches */
} TtQueue;

typedef struct _TtQueues TtQueues;

TtQueues *tt_queues_new (guint32 max_thread);
void tt_queues_free (TtQueues *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtQueues, tt_queues_free)

/* Work on the stream @thread that was launched at @launch_ns and ended at @end_ns. */
void tt_queues_add (TtQueues *self, guint32 thread, gint64 launch_ns, gint64 end_ns);
/* That of a stream of which nothing is added here. */
void tt_queues_set (TtQueues *self, guint32 thread, const TtQueue *queue);
gboolean tt_queues_finish (TtQueues *self, GError **error);
/* After finish. */
const TtQueue *tt_queues_get (const TtQueues *self, guint32 thread);
