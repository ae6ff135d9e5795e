/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtJobModelGraph: the operators of the model on one GPU and what depends on what, by standard names.
 *
 * From the metadata `local_graph` ({"nodes":[names],"edges":[[from,to]]}); model-completion.h adds what it lacks. Nobody
 * else writes it.
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
/* The number of the new node. @text: kept in its own text; @parts: in that already. */
guint32 tt_job_model_graph_add_node (TtJobModelGraph *self, const char *text, const TtNameParts *parts);
void tt_job_model_graph_add_edge (TtJobModelGraph *self, guint32 from, guint32 to);
