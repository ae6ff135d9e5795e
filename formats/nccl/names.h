/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The names of the slices that NCCL sends and receives, as a detail trace (comm_detail.json) has them.
 */
#pragma once

#include <glib.h>

/* "DistributedGradientTape_Allreduce.4+3.SEND": *ids "3+4" (free it), *sub_op "SEND" or "RECV" (static). Older files
 * have "<<step>>" after an id. FALSE: the name has another form. */
gboolean tt_nccl_name (const char *name, char **ids, const char **sub_op);
