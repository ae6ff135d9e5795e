/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of `nccl`: how the ranks of a job are connected, and in how many pieces their tensors go.
 */
#pragma once

#include "analyzers/nccl/view.h"
#include "src/base/report/fields.h"

/* A row a connection: of each channel the ring in its order from the lowest rank; what is no closed ring by rank. */
TtReport *tt_nccl_ring_table (const TtNcclView *nccl, const TtReportView *view);
/* Likewise of what the ranks could be connected with. */
TtReport *tt_nccl_possible_table (const TtNcclView *nccl, const TtReportView *view);
/* A row a rank and channel: parent and children. */
TtReport *tt_nccl_tree_table (const TtNcclView *nccl, const TtReportView *view);
TtReport *tt_nccl_group_table (const TtNcclView *nccl, const TtReportView *view);
TtReport *tt_nccl_problem_table (const TtNcclView *nccl, const TtReportView *view);
/* "4 ranks on 2 hosts; rings: 2 channels; trees: 2 channels; 3 groups of tensors". Free it. */
char *tt_nccl_describe (const TtNcclView *view);
