/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtWriter: a database that is there already, open to be changed: one transaction, all or nothing, and readers go on
 * meanwhile. Used by src/store only.
 *
 * It is changed through a write-ahead log. Where a reader is in the middle of a transaction and the database has no log
 * yet, SQLite would have to wait for that reader: then a copy is changed, and takes the place of the database.
 * An older database is upgraded first, in the same transaction.
 */
#pragma once

#include "src/base/new-file.h"
#include "src/store/connection.h"

typedef struct
{
  TtConnection *connection; /* to what is changed */
  TtConnection *locked;     /* keeps other writers from the database while its copy is changed; NULL: no copy */
  TtNewFile *copy;
} TtWriter;

/* Begins the transaction. *@old_version: of the schema before it was upgraded, or today's. */
TtWriter *tt_writer_open (const char *path, gint64 *old_version, GError **error);
/* After it the writer is only to be closed. */
gboolean tt_writer_commit (TtWriter *self, GError **error);
/* Rolls back what is not committed, and leaves one file where no reader prevents it: see side-files.h. */
void tt_writer_close (TtWriter *self);
