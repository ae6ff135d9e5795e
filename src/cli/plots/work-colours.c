/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/plots/work-colours.h"

const TtLegendEntry tt_work_colours[TT_N_WORK_CLASSES + 1] = {
  [TT_WORK_COMPUTE] = { "compute", "c0" }, [TT_WORK_COMMUNICATION] = { "communication", "c1" },
  [TT_WORK_MEMORY] = { "memory", "c2" },   [TT_WORK_WAIT] = { "wait", "c3" },
  [TT_WORK_SYNC] = { "sync", "c5" },       [TT_WORK_IO] = { "I/O", "c4" },
  [TT_WORK_RUNTIME] = { "runtime", "c6" }, [TT_N_WORK_CLASSES] = { "idle", "c8" },
};
