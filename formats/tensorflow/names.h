/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTfNames: standard names for raw TensorFlow operator names.
 *
 * FW, BW, UPDATE_ and Comm follow from the name and, where the model's graph is known, from the graph: what lies
 * downstream of communication is UPDATE_, what lies downstream of BW without communication between is BW.
 */
#pragma once

#include "formats/model/local-graph.h"

typedef struct _TtTfNames TtTfNames;

/* @graph: sealed, borrowed while this lives; NULL: by name only. */
TtTfNames *tt_tf_names_new (const TtLocalGraph *graph);
void tt_tf_names_free (TtTfNames *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtTfNames, tt_tf_names_free)

#define TT_TF_NO_NODE G_MAXUINT32

typedef struct
{
  const char *op_cat; /* static */
  char *op_name;      /* free it: tt_tf_name_clear() */
  guint32 node;       /* of the graph; TT_TF_NO_NODE: it is none, or there is no graph */
} TtTfName;

void tt_tf_name_clear (TtTfName *name);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtTfName, tt_tf_name_clear)

/* @raw: as a profiler has it, without the operator type after a ":". A leading "StatefulPartitionedCall/" and "^" are
 * passed over. */
TtTfName tt_tf_names_resolve (const TtTfNames *self, const char *raw);
/* The same for a node of the graph. */
TtTfName tt_tf_names_node (const TtTfNames *self, guint32 node);
/* Edges from communication to communication, which no model has: they were passed over. */
guint32 tt_tf_names_n_odd_edges (const TtTfNames *self);
