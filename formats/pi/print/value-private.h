/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The steps below value.h: numbers, symbols, bytes and names of objects as text (value-text.c), bytes and arrays
 * (value-array.c), what pointers point to (value-pointee.c), and above them what calls gave back (value-output.c).
 */
#pragma once

#include "formats/pi/print/value.h"

void tt_pi_append_uint (GString *to, guint64 value);
void tt_pi_append_int (GString *to, gint64 value);
void tt_pi_append_hex (GString *to, guint64 value);
/* NULL, or hexadecimal. */
void tt_pi_append_pointer (GString *to, guint64 value);
void tt_pi_append_bool (GString *to, guint64 value);
/* The symbol, or hexadecimal; the symbols with | between them, and what is left. */
void tt_pi_append_enum (GString *to, const char *type, guint64 value, guint release);
void tt_pi_append_flags (GString *to, const char *type, guint64 value, guint release);
/* A value by the kind of its parameter. */
void tt_pi_append_by_kind (GString *to, const TtPiParam *param, guint64 value, guint release);

/* Up to the NUL, in quotes, at most @limit bytes. */
void tt_pi_append_text (GString *to, const TtPiBytes *bytes, gsize limit);
/* "... (1532 bytes)" if there are more than @shown. */
void tt_pi_append_more (GString *to, const TtPiBytes *bytes, gsize shown);
/* One value, an array or a structure, as the type of @param says. */
void tt_pi_append_pointed (GString *to,
                           const TtPiCall *call,
                           const TtPiParam *param,
                           const TtPiBytes *bytes,
                           const TtPiHandles *handles,
                           gsize limit);

/* A structure of UR, with what its pointers point to; FALSE: the type is no structure. */
gboolean tt_pi_append_struct (GString *to,
                              const TtPiCall *call,
                              const TtPiParam *param,
                              const TtPiBytes *bytes,
                              const TtPiHandles *handles,
                              gsize limit);
void tt_pi_append_handle_value (GString *to, const char *type, guint64 value, const TtPiHandles *handles);

/* A text that ends with NUL, of whose type nothing is known. */
gboolean tt_pi_bytes_look_like_text (const TtPiBytes *bytes);
gboolean tt_pi_bytes_are_number (const TtPiBytes *bytes);
void tt_pi_append_dump (GString *to, const TtPiBytes *bytes, gsize limit);
/* A number, a text, or a dump, by what it looks like. */
void tt_pi_append_unknown (GString *to, const TtPiBytes *bytes, gsize limit);

typedef void (*TtPiAppendItem) (GString *to, const char *type, guint64 value, const TtPiHandles *handles);
/* What the items of an array are. */
typedef struct
{
  gsize size;
  TtPiAppendItem append;
  const char *type;           /* of handles */
  const TtPiHandles *handles; /* NULL: no names */
} TtPiItems;
void tt_pi_append_array (GString *to, const TtPiBytes *bytes, const TtPiItems *items, gsize limit);
/* One of TtPiAppendItem. */
void tt_pi_append_size_value (GString *to, const char *type, guint64 value, const TtPiHandles *handles);

/* Little-endian, at most 8 bytes. */
guint64 tt_pi_read_number (const guint8 *bytes, gsize size);
