/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSymbolServer: asks the program addr2line (binutils) for one address of a file after the other.
 *
 * The file is read by another process, whose memory and patience are bounded: whatever is in it does us no harm.
 */
#pragma once

#include "src/base/symbols.h"

typedef struct _TtSymbolServer TtSymbolServer;

/* Starts it; NULL: @exe is no regular file, or there is no addr2line. */
TtSymbolServer *tt_symbol_server_new (const char *exe);
void tt_symbol_server_free (TtSymbolServer *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtSymbolServer, tt_symbol_server_free)

/* By the addresses of the file. FALSE: it does not answer, and will not; else clear the symbol with tt_symbol_clear(). */
gboolean tt_symbol_server_ask (TtSymbolServer *self, guint64 address, TtSymbol *symbol);

/* The build id of the ELF file @exe in base 16, asked of the program readelf; NULL: it has none, or is none. Free it. */
char *tt_symbol_build_id (const char *exe);
