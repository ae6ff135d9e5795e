/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a schema's types mean together: which integers of headers are sizes, times and ids, what tells the lengths of
 * sequences and selects in variants, how structures are aligned, and which fields events show.
 */
#pragma once

#include "formats/ctf/schema/schema.h"

/* NULL: all is well; else what is not. Free it. */
char *tt_ctf_schema_resolve (TtCtfSchema *self);
/* The same of CTF 2, whose headers have roles for that. */
char *tt_ctf_schema_resolve_json (TtCtfSchema *self);
