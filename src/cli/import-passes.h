/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtImportPasses: the passes of an import (analyzers/pass.h), from the first event to the tables that they make.
 */
#pragma once

#include "src/store/import/import.h"
#include "src/trace/sink.h"

typedef struct _TtImportPasses TtImportPasses;

/* @observes: those that can do so see all that goes through @sink, which is freed before. */
TtImportPasses *tt_import_passes_new (TtSink *sink, gboolean observes);
void tt_import_passes_free (TtImportPasses *self);

/* All has gone through the sink: what was observed is counted up on a thread of its own until it is needed. */
void tt_import_passes_observed (TtImportPasses *self);
/* FALSE: @error, or the user asks to end. */
gboolean tt_import_passes_run (TtImportPasses *self, TtStoreImport *import, GError **error);
