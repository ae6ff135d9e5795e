/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts in UTF-16 and UTF-32: code units of 2 and 4 bytes.
 */
#pragma once

#include "formats/ctf/schema/schema.h"

/* Bytes of a unit of the type's encoding: 1, 2, 4. */
gsize tt_ctf_unit_bytes (const TtCtfType *type);
/* Bytes before the first unit that is 0, or of all whole units of the @most bytes. */
gsize tt_ctf_units_length (const TtCtfType *type, const char *text, gsize most);
/* In UTF-8; what is no character becomes U+FFFD. */
void tt_ctf_units_append (const TtCtfType *type, const char *text, gsize len, GString *to);
