/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which lane of a timeline a thread is on: one of its own, by rank; where there are too many, one of its rank, or of
 * neighbouring ranks.
 */
#pragma once

#include "src/store/store.h"

typedef struct
{
  GArray *threads; /* of guint32, in the order of lanes */
  guint *lane;     /* by thread */
  guint n_lanes;
  guint fold; /* how many ranks are one; 0: lanes are threads */
} TtThreadLanes;

void tt_thread_lanes_init (TtThreadLanes *self, TtStore *store, guint max_lanes);
void tt_thread_lanes_clear (TtThreadLanes *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtThreadLanes, tt_thread_lanes_clear)
