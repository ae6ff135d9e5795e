/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The model's graph as MXNet prints it for debugging: symbol_debug_str.txt (framework-jobs.md 4.4).
 */
#pragma once

#include "formats/model/local-graph.h"

/* Reads @path into a sealed graph whose nodes are standard names without pid ("FW.conv0", "Comm.conv0_weight",
 * "OUTPUT0", "UPDATE_CAL"). NULL with @error: it cannot be read, or is no such file. */
TtLocalGraph *tt_mxnet_symbol_load (const char *path, GError **error);
/* The same for text in memory; @path names it in messages. */
TtLocalGraph *tt_mxnet_symbol_parse (const char *path, const char *text, gsize len, GError **error);

/* How @path's folder calls it; NULL: there is none. Free it. */
char *tt_mxnet_symbol_beside (const char *path);
