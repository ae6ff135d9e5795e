/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds out generation, layout and numbering of a trace from its first records: each combination is tried, and the one
 * that most records fit wins (pi.md 4.3).
 */
#pragma once

#include "formats/pi/trace-private.h"

/* FALSE with @error: none fits. */
gboolean tt_pi_trace_detect (TtPiTrace *self, GError **error);
