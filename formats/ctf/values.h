/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values of a packet's fields, by their types: passed over, or written.
 *
 * What a slot of an event holds is said by event.h. Each call goes on to behind the value; FALSE: see TtCtfBits.
 */
#pragma once

#include "formats/ctf/bits.h"
#include "formats/ctf/event.h"

/* Passes over it; its integers are noted. */
gboolean tt_ctf_value_skip (TtCtfBits *self, const TtCtfType *type);
/* As JSON. */
gboolean tt_ctf_value_append (TtCtfBits *self, const TtCtfType *type, GString *json, guint depth);
/* A string, or an array of characters, without what is too much of it, as it is there. Borrowed from the window. */
gboolean tt_ctf_value_text (TtCtfBits *self, const TtCtfType *type, const char **text, gsize *len);
/* Such a one in UTF-8; of bytes that are no text, their digits in base 16. */
void tt_ctf_value_append_text (const TtCtfType *type, const char *text, gsize len, GString *to);
/* A real, as the bits of a double. */
gboolean tt_ctf_value_real (TtCtfBits *self, const TtCtfType *type, guint64 *bits);
/* Which kind of slot it takes. */
TtCtfValueKind tt_ctf_value_kind (const TtCtfType *type);
