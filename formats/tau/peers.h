/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTauPeers: the messages of a trace file whose other side has no record yet.
 *
 * One bit of a record names another node. Beyond all ranks that are known, and named by few messages, it is taken for
 * damage and makes no process; it is a rank whose trace was not imported if many messages name it. That is known only at
 * the end, so these messages wait, up to a number that no damage has.
 */
#pragma once

#include "formats/tau/threads.h"
#include "src/trace/nest/nest.h"

typedef struct _TtTauPeers TtTauPeers;

/* Borrows all. @last_node: the highest one that the names of files give, or -1. */
TtTauPeers *tt_tau_peers_new (TtSink *sink, TtNest *nest, TtTauThreads *threads, gint64 last_node);
void tt_tau_peers_free (TtTauPeers *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtTauPeers, tt_tau_peers_free)

/* One side of a message with @node; `peer` of @half is set here. */
void tt_tau_peers_half (TtTauPeers *self, TtTauThread *thread, TtNestHalf *half, guint16 node, guint64 offset);
/* At the end of the file: all that wait are written, or counted as damage. */
void tt_tau_peers_finish (TtTauPeers *self);
