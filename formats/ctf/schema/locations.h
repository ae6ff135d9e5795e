/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Locations of CTF 2: the fields, read before, that tell the length of an array or text or select in a variant.
 *
 * A path of names passes through options of variants, so several fields may be meant, of which one is there: they share a
 * store.
 */
#pragma once

#include "formats/ctf/schema/schema.h"

/* NULL: all were found; else which was not, and where. Free it. */
char *tt_ctf_locations_resolve (TtCtfSchema *self);
