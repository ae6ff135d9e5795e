/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where instructions of AMD's assembly go on, and what must stay together.
 */
#pragma once

#include "formats/gcn/module.h"

/* Sets @reached of all instructions that @kernel comes to, which lie from its entry to in front of *@end (may be NULL). FALSE with @error: it cannot be told which these are. @name: of
 * the file. */
gboolean tt_gpu_gcn_reach (const TtGcnModule *module,
                           const TtGcnKernel *kernel,
                           const char *name,
                           gboolean *reached,
                           guint *end,
                           GError **error);
/* Nothing may come between instructions @first and @last, of which @i is one: an address counts from where it is made. */
void tt_gpu_gcn_group (const TtGcnModule *module, guint i, guint *first, guint *last);
/* Whether all branches reach their labels, which may be 128 KiB away. */
gboolean tt_gpu_gcn_check_branches (const TtGcnModule *module, const char *name, GError **error);
