/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which parts of groups of tensors went over which links to parameter servers, and which server threads worked on them.
 */
#pragma once

#include "analyzers/training-job/shapes.h"

/* Input besides the store, and where parts of the plan are kept. */
typedef struct
{
  const TtJobNames *names;
  const TtJobTopology *topology;
  GPtrArray *owned; /* the plan's: frees what the groups point to */
  TtNotes *notes;
} TtJobServerPartsInput;

/* Sets algo and parts of those of the @n groups that went over links. */
gboolean tt_job_plan_server_parts (TtStore *store,
                                   const TtJobServerPartsInput *input,
                                   TtStepGroup *groups,
                                   guint n,
                                   GError **error);
