/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fourth stage: checked statements to lists of instructions.
 *
 * Left to right and inside out; every inner value gets a temporary of its own, the outermost of an assignment goes to
 * the variable itself. Both sides of and, or and of a conditional expression are computed: nothing has side effects.
 * Of saves that follow one another all values are computed first.
 */
#pragma once

#include "formats/neutrino/unit.h"

/* Of all probes together. A byte of a source can become an instruction, and one of those some lines of text. */
#define TT_NL_MAX_INSTRUCTIONS 65536u

/* Sets the code of every probe, unless there is too much: then the unit's messages have the error. */
void tt_nl_lower (TtNlUnit *unit);
