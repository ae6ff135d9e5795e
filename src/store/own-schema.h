/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a database is one that tracetool made.
 *
 * Its tables and views must be ours, word by word: a view in the place of a table could answer anything and never end,
 * a trigger would change what an import writes. Tables and indexes beside ours are left alone.
 */
#pragma once

#include "src/store/connection.h"

/* *@version: of the schema, not newer than ours. */
gboolean tt_own_schema_check (TtConnection *connection, gint64 *version, GError **error);
