/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collectives, sends and receives of process groups, where the source tells of them in arguments: read from the store
 * into the rows of group-rows.h.
 *
 * A call is what the ranks of a group do together: the k-th of a function in a group by each rank, or those with one
 * sequence number. Sends and receives are a call each. Of the spans that tell of one call on one rank (the record on the
 * host, the kernel) one counts.
 */
#pragma once

#include "analyzers/communication/group-rows.h"
#include "src/select/selection.h"
#include "src/trace/collective-facts.h"

/* @selection: bound, or NULL. */
TtCommGroups *
tt_comm_groups_new (TtStore *store, const TtSelection *selection, TtCollectiveReader reader, GError **error);
/* @bytes: -1: not known. @shortest_ns: of the rank whose span is the shortest. */
typedef void (*TtCommCallFunc) (const char *function, gint64 bytes, gint64 shortest_ns, gpointer data);
/* The calls of these groups that a device does, or a backend without devices, one by one. */
gboolean tt_comm_each_call (TtStore *store,
                            const TtSelection *selection,
                            TtCollectiveReader reader,
                            TtCommCallFunc func,
                            gpointer data,
                            GError **error);
