/* SPDX-License-Identifier: Apache-2.0 */
/*
 * References of sequences and variants to the fields, read before, that tell their length or select their option: by
 * name, from within ("n"), or from the top of a scope ("stream.event.context.n").
 */
#pragma once

#include "formats/ctf/schema/schema.h"

/* NULL: all were found; else which was not, and where. Free it. */
char *tt_ctf_references_resolve (TtCtfSchema *self);
