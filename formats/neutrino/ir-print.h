/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists of instructions, for people to read and for the compiler to check.
 */
#pragma once

#include "formats/neutrino/unit.h"

/* Every section with its probes and their lists. */
void tt_nl_unit_print (const TtNlUnit *unit, GString *text);

/* What ir.h promises of a list; FALSE with @error: the compiler has a bug. */
gboolean tt_nl_code_verify (const TtNlUnit *unit, const TtNlCode *code, GError **error);
