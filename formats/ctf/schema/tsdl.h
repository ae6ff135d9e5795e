/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The metadata of CTF 1.8 as a schema.
 */
#pragma once

#include "formats/ctf/schema/schema.h"

/* NULL with @error, which begins with @path. Free it. */
TtCtfSchema *tt_ctf_tsdl_read (const char *path, const char *text, GError **error);
