/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the end of an import found out about the clocks of its run: src/store/clocks.h reads it.
 */
#pragma once

#include "src/store/clocks.h"
#include "src/store/import/import.h"

typedef struct
{
  TtClockFit fit;
  const TtClockPiece *linear, *logical; /* none: the process' own clock is the run's */
  guint n_linear, n_logical;
} TtClockRow;

/* Replaces what is there of the run. */
gboolean tt_store_import_clocks (TtStoreImport *self, const TtClockRow *rows, guint n_rows, GError **error);
