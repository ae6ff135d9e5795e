/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fifth stage: which probes make one section of the output, and where declarations and initial values go.
 *
 * Probes of one level and position are one section, in the order of the first of each. Declarations stand where a
 * kernel begins, before everything that uses them; so do initial values, in a section that runs in every thread when
 * probes of threads need them.
 */
#pragma once

#include "formats/neutrino/unit.h"

/* Which probes belong together. */
void tt_nl_sections_build (TtNlUnit *unit);
/* With the code of the probes: which variables must be set at first. */
void tt_nl_sections_find_initial (TtNlUnit *unit);
/* The section of the declarations, which are made if there are any; adds a section if no other will do. */
void tt_nl_sections_find_home (TtNlUnit *unit);
