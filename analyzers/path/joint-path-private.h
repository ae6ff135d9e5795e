/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What joint-path.c, joint-points.c and joint-imbalance.c share: the measured path, found by the ranks of a crew.
 */
#pragma once

#include "analyzers/path/critical-path-private.h"
#include "analyzers/path/path-imbalance-private.h"
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
  TtImpactFinder *impact; /* NULL: nobody asks for the means of operations, or one process has to find them */
  TtPathImbalance *imbalance;
} TtJointPath;

/* On all: the points of this rank's threads. *@is_alone: one process has to find all. */
gboolean tt_joint_points_find (TtJointPath *self, gboolean *is_alone, GError **error);
/* What rank 0 needs of them; they go. */
void tt_joint_points_pack (TtJointPath *self, GByteArray *bytes);
/* FALSE: it cannot be right. */
gboolean tt_joint_points_unpack (TtJointPath *self, const GByteArray *bytes);

/* On all: what operations take, of @pieces of the path on this rank's threads and of these threads. Where one process has to find all, `impact` goes. */
gboolean tt_joint_impact_find (TtJointPath *self, const GArray *pieces, GError **error);
/* What rank 0 needs of it. */
void tt_joint_impact_pack (const TtJointPath *self, GByteArray *bytes);
gboolean tt_joint_impact_unpack (TtJointPath *self, TtUnpack *from);
