/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtEventPages: rows of events read from the pages of their table, a fifth of the time that a statement takes.
 *
 * Only of a file as an import leaves it: no log, pages with checksums, a connection that cannot write, the schema of today,
 * rows of whole numbers that fit into their pages. Anything else, damage too, is for a statement to read, which knows
 * what to say. The pages are SQLite's, in the snapshot of the scan, which nobody can change meanwhile.
 *
 * Source of the layout: https://www.sqlite.org/fileformat2.html, 1.6 and 2.1. Used by src/store only.
 */
#pragma once

#include "src/store/private.h"

typedef struct _TtEventPages TtEventPages;

/* In a snapshot; the pages are good for that one. NULL: they cannot be read so. */
TtEventPages *tt_event_pages_new (TtStore *store);
void tt_event_pages_free (TtEventPages *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtEventPages, tt_event_pages_free)

/* Adds rows @first to @last to a block that has room for them. FALSE: they are not as they should be; what was added is
 * to be forgotten. */
gboolean tt_event_pages_read (TtEventPages *self, TtBlock *block, guint64 first, guint64 last);
