/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSymbols: what in a program's source code pointers stand for, asked of the program addr2line (binutils).
 */
#pragma once

#include <glib.h>

typedef struct
{
  char *function; /* NULL: not known */
  char *place;    /* "file.c:12"; NULL: not known */
} TtSymbol;

void tt_symbol_clear (TtSymbol *self);
/* A line of addr2line; NULL: that it does not know. Free it. */
char *tt_symbol_known (const char *text);

/* One for each of the @n addresses in @exe; free with g_array_unref(). NULL with @error: it cannot be asked. */
GArray *tt_symbols_find (const char *exe, const guint64 *addresses, guint n, GError **error);
