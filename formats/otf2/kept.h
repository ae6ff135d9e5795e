/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What tracetool's own archives keep in properties beside the events: tensors, task graphs, whether times are ticks. formats/otf2-export/otf2-export.h says
 * how; properties of other archives are not looked at.
 */
#pragma once

#include "formats/otf2/session.h"

/* Whether the archive tells what has to do with a device, and the rest. */
gboolean tt_otf2_kept_is_told (const TtOtf2Definitions *definitions);
/* Whether its times are ticks, for all that its clock properties say. */
gboolean tt_otf2_kept_is_ticks (const TtOtf2Definitions *definitions);
/* Into the sink; rows that make no sense are counted. */
void tt_otf2_kept_read (TtOtf2Session *session);
