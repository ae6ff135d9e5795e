/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values of options that mean the same in every command that has them.
 */
#pragma once

#include "src/cli/option-values.h"

extern const TtOptionValues tt_common_values[]; /* ends with an @option of NULL */
