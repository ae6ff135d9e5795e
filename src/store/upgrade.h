/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Databases of older versions of the schema: read as they are, or upgraded in place. Used by src/store only.
 *
 * Both follow from schema-changes.h: an old table is a SELECT that gives it the columns of today. A reader lays it over
 * the table as a temporary view of the same name, so that every statement finds today's schema and the file stays as
 * it is; an upgrade writes it as the new table. Both check first that the tables are those of the version.
 */
#pragma once

#include "src/store/connection.h"

/* Before the connection becomes query_only. */
gboolean tt_upgrade_view (TtConnection *connection, gint64 version, GError **error);
/* Whether the file is sound and every value of the type of its column; reads all of it. Before an upgrade, which then
 * does not touch what it cannot understand. */
gboolean tt_upgrade_check (TtConnection *connection, gint64 version, GError **error);
/* Within a transaction of the caller, who commits it or rolls it back. */
gboolean tt_upgrade_in_place (TtConnection *connection, gint64 version, GError **error);
