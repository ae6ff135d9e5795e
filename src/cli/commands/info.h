/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of `info`.
 */
#pragma once

#include "src/cli/run-facts.h"

/* Columns that lists are folded at. */
#define TT_INFO_COLUMNS 80

/* Words behind a title, in lines of that width. */
void tt_info_print_folded (const char *title, const char *text);
/* How clocks differ; of processes the first @top, 0: all. *@n_more: those left out. */
gboolean tt_info_print_clocks (TtStore *store, guint top, guint *n_more, GError **error);
/* Everything that `info` tells, for programs. */
gboolean tt_info_print_json (TtStore *store, const TtRunFacts *facts, GError **error);
