/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtJobModelGraph: the operators of the model on one GPU and what depends on what, by standard names.
 *
 * From the metadata `local_graph` ({"nodes":[names],"edges":[[from,to]]}); completed from what the reference rank did
 * in the typical step, where there is none, or where it says nothing of some communication: operators follow each
 * other as observed; a group of tensors needs the last gradient that had ended when it started, and the updates that
 * started after its end need it. model-graph.c alone writes it.
 */
#pragma once

#include "analyzers/training-job/observe.h"

typedef struct
{
  GPtrArray *names; /* of const char *: "FW.x", "Comm.3", "UPDATE_.y"; in text */
  GArray *parts;    /* of TtNameParts, by node; in text */
  GArray *edges;    /* of guint32[2] */
  GStringChunk *text;
} TtJobModelGraph;

TtJobModelGraph *tt_job_model_graph_new (void);
void tt_job_model_graph_free (TtJobModelGraph *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtJobModelGraph, tt_job_model_graph_free)

/* Empty if no rank has one. */
gboolean tt_job_model_graph_read (TtJobModelGraph *self,
                                  TtStore *store,
                                  const TtJobTopology *topology,
                                  TtNotes *notes,
                                  GError **error);
void tt_job_model_graph_complete (TtJobModelGraph *self,
                                  TtStore *store,
                                  const TtJobNames *names,
                                  const TtJobObservations *observations,
                                  TtNotes *notes);
