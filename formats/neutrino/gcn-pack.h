/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For machines with few registers: temporaries and predicates that are no longer read give theirs to later ones.
 */
#pragma once

#include "formats/neutrino/ir.h"

/* A list that does the same as @code. */
TtNlCode *tt_nl_code_pack (const TtNlCode *code);
