/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The name of a state in a TAU file: its raw name with the place in the source; and its group.
 */
#pragma once

#include "src/store/store.h"

/* Free it. It fits a line of TAU's definitions. */
char *tt_tau_export_label (const TtStoredName *name);
const char *tt_tau_export_label_group (const TtStoredName *name);
