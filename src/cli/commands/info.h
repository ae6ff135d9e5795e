/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of `info`.
 */
#pragma once

#include "src/cli/run-facts.h"

/* Everything that `info` tells, for programs. */
gboolean tt_info_print_json (TtStore *store, const TtRunFacts *facts, GError **error);
