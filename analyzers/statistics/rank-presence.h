/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtRankPresence: which ranks could have had an operation, so that one without it counts as zero in means over ranks:
 * those that spend time of their own on any operation of its category in the run (an annotation has none), whether or not filters of names leave it in. A rank without
 * GPUs has no kernels to be compared with, one that sends nothing but receives has a Comm of zero.
 */
#pragma once

#include "src/select/selection.h"

typedef struct _TtRankPresence TtRankPresence;

/* @by_pid: of processes, each for itself, instead of ranks. @selection: bound, or NULL; ranks that it leaves out do not
 * count. From the table of statistics, without a scan. */
TtRankPresence *tt_rank_presence_new (TtStore *store, const TtSelection *selection, gboolean by_pid, GError **error);
void tt_rank_presence_free (TtRankPresence *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtRankPresence, tt_rank_presence_free)

/* How many could have an operation of @op_cat; NULL: any. */
guint tt_rank_presence_count (const TtRankPresence *self, const char *op_cat);
