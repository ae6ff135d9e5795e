/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which TAU files belong together: a trace and its definitions, the streams of one node.
 */
#pragma once

#include "formats/format.h"

/* TtFormat.group of TAU. Each input: its traces, sorted by thread, then their definitions. */
gboolean tt_tau_group (GPtrArray *paths, gboolean from_directory, GPtrArray *inputs, GPtrArray *notes, GError **error);
