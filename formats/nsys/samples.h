/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples of threads: COMPOSITE_EVENTS, with their stacks in SAMPLING_CALLCHAINS. Each is an instant that is named by
 * its innermost function, with arguments `cpu` and `stack` (names from the outermost function to the innermost), as
 * samples of trace-event JSON are.
 */
#pragma once

#include "formats/nsys/session.h"

gboolean tt_nsys_read_samples (TtNsys *self, GError **error);
