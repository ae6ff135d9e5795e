/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a graph of the model lacks, from what the reference rank did in the typical step: where there is none, where it
 * does not know operators, or says nothing of some communication. Operators follow each other as observed; a group of
 * tensors needs the last gradient that had ended when it started, and the updates that started after its end need it.
 */
#pragma once

#include "analyzers/training-job/model-graph.h"

void tt_job_model_graph_complete (TtJobModelGraph *self,
                                  TtStore *store,
                                  const TtJobNames *names,
                                  const TtJobObservations *observations,
                                  TtNotes *notes);
