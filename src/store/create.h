/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An empty database of today's schema. Used by src/store only.
 */
#pragma once

#include "src/store/connection.h"

/* Tables, views and their fixed rows, within the transaction that is open. */
gboolean tt_connection_create_schema (TtConnection *self, GError **error);
/* The fixed rows of role_row. */
gboolean tt_connection_fill_roles (TtConnection *self, GError **error);
