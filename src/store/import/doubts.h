/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the end of an import found to be hardly true, though it is as its source has it: src/store/trust.h reads it.
 */
#pragma once

#include "src/store/import/import.h"
#include "src/trace/trust.h"

typedef struct
{
  guint64 source;
  guint32 process; /* of the import's store; TT_NO_ID: of any */
  TtTrustKind kind;
} TtDoubt;

/* Replaces what is there of the run, but for the kind TT_TRUST_RECORD, which repairs of sources count. */
gboolean tt_store_import_doubts (TtStoreImport *self, const TtDoubt *doubts, guint n, GError **error);
