/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A database that is there already, open to be changed: one transaction, all or nothing, and readers go on meanwhile.
 * Used by src/store only.
 *
 * An older one is upgraded first, in the same transaction.
 */
#pragma once

#include "src/store/connection.h"

/* Begins the transaction. *@old_version: of the schema before it was upgraded, or today's. */
TtConnection *tt_writer_open (const char *path, gint64 *old_version, GError **error);
/* After it the connection is only to be closed. */
gboolean tt_writer_commit (TtConnection *self, GError **error);
/* Rolls back what is not committed, and leaves one file where no reader prevents it. */
void tt_writer_close (TtConnection *self);
