/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of joint-stats.h that other ranks than 0 have.
 */
#pragma once

#include "analyzers/statistics/joint-stats.h"

/* Until rank 0 has all. */
gboolean tt_joint_stats_give (const TtCrew *crew, const TtJointPart *part, GError **error);
