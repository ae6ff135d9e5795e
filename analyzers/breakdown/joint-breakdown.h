/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtBreakdown by the ranks of a crew: each finds the waits of the threads whose events it reads (joint-waits.h), where such are needed, and then what
 * their time, or that of their devices, went to. Points of the ideal network go to who has their threads, which measures the work between them; rank 0 replays them.
 */
#pragma once

#include "analyzers/breakdown/breakdown.h"
#include "src/base/crew.h"

/* tt_breakdown_new() by the ranks of @crew, which rank 0 calls, if that helps, and dismisses. Others get NULL; without @error they are done. */
TtBreakdown *tt_joint_breakdown_new (TtStore *store,
                                     const TtSelection *selection,
                                     TtBreakdownRows rows,
                                     TtBreakdownPlace place,
                                     const TtCrew *crew,
                                     GError **error);
