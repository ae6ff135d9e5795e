/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long spans wait, for an export.
 */
#pragma once

#include "formats/chrome-export/chrome-export.h"
#include "src/select/selection.h"

/* Of TtExportWait, by event; of several waits of a span their sum, and who was waited for longest. Texts are the store's. NULL
 * with @error. @selection: bound, or NULL: of the spans that touch its window, at least. */
GArray *tt_export_waits_new (TtStore *store, const TtSelection *selection, GError **error);
