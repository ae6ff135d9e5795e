/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTrustTally: what became of the records of the current source, by process and kind, on its way into trust_row.
 */
#pragma once

#include "src/store/connection.h"
#include "src/trace/batch.h"

typedef struct _TtTrustTally TtTrustTally;

TtTrustTally *tt_trust_tally_new (void);
void tt_trust_tally_free (TtTrustTally *self);

/* @thread belongs to @process. */
void tt_trust_tally_thread (TtTrustTally *self, guint32 thread, guint32 process);
/* All rows of @batch. */
void tt_trust_tally_add (TtTrustTally *self, const TtBatch *batch);

/* Writes what was added since the last time, and @repairs, as rows of @source. Of @repaired the
 * process is known; other repairs of a source with one process are of that. */
gboolean tt_trust_tally_write (TtTrustTally *self,
                               TtConnection *connection,
                               guint32 run,
                               guint32 source,
                               const TtRepairs *repairs,
                               const GArray *repaired,
                               GError **error);
