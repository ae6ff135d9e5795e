/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The metadata of CTF 2 as a schema: fragments of JSON, each after a byte 0x1e (RFC 7464).
 */
#pragma once

#include "formats/ctf/schema/schema.h"

#define TT_CTF_FRAGMENT '\x1e'

/* NULL with @error, which begins with @path. Free it. */
TtCtfSchema *tt_ctf_fragments_read (const char *path, const char *text, GError **error);
