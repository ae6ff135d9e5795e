/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the end of an import found out about collectives whose source does not say who takes part.
 */
#pragma once

#include "src/store/import/import.h"

typedef struct
{
  guint64 event;
  gint64 comm, ordinal;
  guint32 root;  /* process; TT_NO_ID: none */
  guint32 flags; /* TT_COLLECTIVE_... of schema.h */
} TtGroupedCall;

/* Changes the rows of these events, and brings the table into order. */
gboolean tt_store_import_groups (TtStoreImport *self, const TtGroupedCall *calls, guint n, GError **error);
