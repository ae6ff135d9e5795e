/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/pass.h"

/* To add a pass: write its file, declare it in pass.h, list it here below what it reads. */
const TtPass *const tt_passes[] = {
  &tt_pass_statistics, &tt_pass_nccl, &tt_pass_clocks, &tt_pass_communicators, &tt_pass_doubts, NULL,
};
