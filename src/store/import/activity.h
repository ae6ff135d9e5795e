/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtActivityJoin: rows of activity of one source, from when their events are written until their launches are known.
 *
 * Rows come in the order of their events and wait in a spool; links come from the flows, in any order, and are sorted
 * by the event that they lead to. At the end of the source both are merged. The first launch of a span counts. A link of
 * autograd makes a row of its own, for a backward operator may have several. Memory is bounded: spool and sorter lie in
 * temporary files beyond a cap.
 */
#pragma once

#include "src/store/private.h"
#include "src/trace/batch.h"

typedef struct _TtActivityJoin TtActivityJoin;

TtActivityJoin *tt_activity_join_new (void);
void tt_activity_join_free (TtActivityJoin *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtActivityJoin, tt_activity_join_free)

void tt_activity_join_add (TtActivityJoin *self, const TtActivityColumns *activities);
/* A flow with @link, which may be any. */
void tt_activity_join_link (TtActivityJoin *self, guint64 from_event, guint64 to_event, TtLink link);

/* Takes a batch with rows of activity and nothing else; FALSE with @error ends the joining. */
typedef gboolean (*TtActivityWrite) (TtBatch *batch, gpointer data, GError **error);
/* Writes the rows by event through @batch, an empty one, and begins anew. */
gboolean
tt_activity_join_finish (TtActivityJoin *self, TtBatch *batch, TtActivityWrite write, gpointer data, GError **error);
/* Whether there is something to write. */
gboolean tt_activity_join_has_rows (const TtActivityJoin *self);
