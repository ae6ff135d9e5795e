/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Expressions of assemblers: numbers and symbols, with the operators and functions that LLVM writes into descriptors.
 */
#pragma once

#include "formats/gcn/module.h"

/* "nt_c+1", "max(totalnumvgprs(k.num_agpr, k.num_vgpr), 1, 0)". FALSE: it is none, or has a symbol that is not known (yet). */
gboolean tt_gcn_expression (const TtGcnModule *self, const char *text, gint64 *value);
