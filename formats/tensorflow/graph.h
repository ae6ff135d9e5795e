/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Readers for the graphs of TensorFlow models that are not GML:
 *
 *   final_graph.json   GraphDef as JSON: {"node":[{"name":"a","op":"MatMul","input":["b","c:1","^d"]}, ...]}; an input is the
 *                      operator before the ":" or after the "^" (a control edge)
 *   metadata.json      {"a":{"op":"MatMul","input":[{"name":"b:0", ...}],"output":[{"name":"a:0", ...}]}, ...}: who has an output
 *                      comes before all that take it
 *
 * Files are read in a stream; only the graph is kept. Rows that make no sense and inputs of nobody are counted.
 */
#pragma once

#include "formats/model/local-graph.h"
#include "src/base/input.h"
#include "src/trace/repairs.h"

/* The sealed graph. @input is read to its end. */
TtLocalGraph *tt_tf_graph_read (TtInput *input, TtRepairs *repairs, GError **error);

typedef struct
{
  TtLocalGraph *graph;    /* sealed; NULL: the file has no operators of TensorFlow */
  gboolean is_comm_added; /* it had no communication: each gradient's was put between it and what takes it */
} TtTfMetadataGraph;

/* @gradients: names of the tensors that are communicated, NULL-ended, or NULL. FALSE with @error: the file is damaged
 * beyond repair. */
gboolean tt_tf_metadata_graph_read (TtInput *input,
                                    const char *const *gradients,
                                    TtTfMetadataGraph *result,
                                    TtRepairs *repairs,
                                    GError **error);
