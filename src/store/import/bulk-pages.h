/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtBulkPages: pages that are added to the file of a new database, past SQLite.
 *
 * SQLite gives pages numbers as it goes, so ours are gathered, and written behind its own where its transaction ends
 * and the next begins: then it looks at the file anew. Only in a file that nobody else has open and that is thrown
 * away when its making fails (tt_connection_open_own), with pages that have checksums. Memory: a piece of 2 MiB, and 4
 * bytes for each that was written.
 *
 * Source of the layout: https://www.sqlite.org/fileformat2.html, 1.3 (the header), 1.4 (the page that is left free).
 * Used by src/store/import only.
 */
#pragma once

#include "src/store/connection.h"

typedef struct _TtBulkPages TtBulkPages;

/* A page that was added, 0 none: its number is known once it is written. */
typedef guint64 TtPageRef;

/* Where 4 bytes of a page are to name another one. */
typedef struct
{
  guint32 offset;
  TtPageRef page;
} TtPageLink;

/* @connection is in a transaction, and stays in one; there is no other that reads. */
TtBulkPages *tt_bulk_pages_new (TtConnection *connection, GError **error);
void tt_bulk_pages_free (TtBulkPages *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtBulkPages, tt_bulk_pages_free)

TtConnection *tt_bulk_pages_connection (const TtBulkPages *self);
guint32 tt_bulk_pages_size (const TtBulkPages *self);   /* bytes of a page */
guint32 tt_bulk_pages_usable (const TtBulkPages *self); /* without its checksum */
/* For tests: where SQLite's locks lie. */
void tt_bulk_pages_set_lock_offset (TtBulkPages *self, guint32 offset);

/* Copies a page, whose links are of pages added before. 0: an error. */
TtPageRef
tt_bulk_pages_add (TtBulkPages *self, const guint8 *bytes, const TtPageLink *links, guint n_links, GError **error);
/* Writes what was gathered. No statement may be under way. */
gboolean tt_bulk_pages_flush (TtBulkPages *self, GError **error);
/* Of a page that was written. */
guint32 tt_bulk_pages_number (const TtBulkPages *self, TtPageRef page);
/* Overwrites page @number, one of SQLite's own that it has written. After a flush, and before the next statement. */
gboolean tt_bulk_pages_replace (TtBulkPages *self, guint32 number, guint8 *bytes, GError **error);
