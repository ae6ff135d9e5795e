/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which recorded output belongs to which argument of a call (pi.md 5): native recordings say it, older generations only
 * have outputs in the order of the parameters that take them.
 */
#pragma once

#include "formats/pi/call.h"

/* What the call wrote through argument @index; FALSE: nothing was recorded. Contents of memory objects do not count. */
gboolean tt_pi_output_find (const TtPiCall *call, guint index, TtPiBytes *bytes);
