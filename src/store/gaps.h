/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the selected runs cannot tell because an older tracetool imported them, although their traces may hold it.
 */
#pragma once

#include "src/store/handle.h"

typedef enum
{
  TT_GAP_NCCL,     /* tables nccl_shape, nccl_edge */
  TT_GAP_TASKS,    /* tables task, task_edge */
  TT_GAP_ACTIVITY, /* table activity */
  TT_N_GAPS,
} TtGap;

/* "the task graph (task, task_edge)". */
const char *tt_gap_text (TtGap gap);
/* How many sources of the selected runs it is unknown of. */
gboolean tt_store_count_gap (TtStore *self, TtGap gap, guint *n_sources, GError **error);
/* How many sources an older tracetool imported at all, and the lowest version of the schema among them. */
gboolean tt_store_count_older (TtStore *self, guint *n_sources, guint *version, GError **error);
