/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Metadata of CTF 1.8 (TSDL) or CTF 2 (fragments of JSON) as a schema.
 */
#pragma once

#include "formats/ctf/schema/schema.h"

/* NULL with @error, which begins with @path. Free it. */
TtCtfSchema *tt_ctf_schema_read (const char *path, const char *text, GError **error);
