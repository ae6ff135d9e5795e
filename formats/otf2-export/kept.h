/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a run knows beside its events, and OTF2 has no place for: tensors, task graphs, and that times are ticks; as properties that only
 * tracetool reads (see otf2-export.h).
 */
#pragma once

#include "formats/otf2-export/definitions.h"

gboolean tt_otf2_export_keep (TtOtf2ExportDefinitions *self, GError **error);
