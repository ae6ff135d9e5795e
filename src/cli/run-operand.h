/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How one run of several is named on the command line: a trace, a database, DATABASE:RUN, or the number of a run of the
 * database of the context.
 */
#pragma once

#include "src/cli/command.h"
#include "src/store/store.h"

gboolean tt_run_operand_is_number (const char *text);
TtStore *tt_run_operand_open (const TtContext *context, const char *text, GError **error);
