/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What joint-path.c and joint-points.c share: the measured path, found by the ranks of a crew.
 */
#pragma once

#include "analyzers/path/critical-path-private.h"
#include "analyzers/path/points-private.h"
#include "analyzers/waits/joint-waits.h"

typedef struct
{
  TtStore *store;
  const TtCrew *crew;
  TtCriticalPath *path; /* on others than rank 0 its points and sums are those of a part */
  gint32 step;
  TtCallWaits *calls;
  TtWaitPart part;
} TtJointPath;

/* On all: the points of this rank's threads. *@is_alone: one process has to find all. */
gboolean tt_joint_points_find (TtJointPath *self, gboolean *is_alone, GError **error);
/* What rank 0 needs of them; they go. */
void tt_joint_points_pack (TtJointPath *self, GByteArray *bytes);
/* FALSE: it cannot be right. */
gboolean tt_joint_points_unpack (TtJointPath *self, const GByteArray *bytes);
