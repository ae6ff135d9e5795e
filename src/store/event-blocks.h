/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where in time the events of a database lie: for each piece of some thousand ids the first begin and the last end, written
 * by the import, so that a scan of a time window leaves out the pieces that do not touch it.
 *
 * A database that an older tracetool wrote has none for its sources: they are read whole.
 */
#pragma once

#include "src/store/private.h"
#include "src/trace/batch.h"

/* A piece: the events of a batch, which begin at @first_ns or later and end at @last_ns or before; none is none. *@statement: NULL at first, kept for the next batch, the caller's to
 * finalize. */
gboolean tt_event_blocks_write (TtConnection *connection,
                                sqlite3_stmt **statement,
                                const TtEventColumns *events,
                                gint64 first_ns,
                                gint64 last_ns,
                                GError **error);

/* Of TtEventRange, ascending: the events of the selected runs but for pieces that do not touch begin_ns to end_ns. NULL
 * with @error, also where pieces are not those of a source. */
GArray *tt_event_blocks_ranges (TtStore *store, gint64 begin_ns, gint64 end_ns, GError **error);
