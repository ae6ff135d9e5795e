/*
 * What a state is called in a TAU file: its raw name, with the place in the source, and its group.
 */
#pragma once

#include "src/store/store.h"

/* Free it. No longer than a line of definitions may be. */
char *tt_tau_label (const TtStoredName *name);
const char *tt_tau_label_group (const TtStoredName *name);
