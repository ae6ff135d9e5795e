/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The last stage: the text of a back end as TOML, in the form of the source's dialect.
 */
#pragma once

#include "formats/neutrino/target.h"

void tt_nl_toml_write (const TtNlUnit *unit, const TtNlOutput *output, GString *toml);
