/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Labels of enumerations.
 */
#pragma once

#include "formats/ctf/schema/schema.h"

/* What @value of an enumeration is called: "GREEN"; "MANY (5)" where the label stands for several values; "A | B" where
 * several fit; long ones are cut, and say by how much. NULL: no label has it. Borrowed from the schema or from *made, which is to be freed. */
const char *tt_ctf_label (const TtCtfType *type, guint64 value, char **made);
