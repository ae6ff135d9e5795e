/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A reader of GML (graph modelling language) for the graphs of models: nodes with id and label, edges with source and
 * target.
 *
 * Everything else (attributes, nested lists, comments) is passed over. The file is read in a stream; only the graph is
 * kept. Rows that make no sense and a file that ends early are counted, so is a label that several nodes share (one
 * node then). What is no GML at all is an error that names file and byte.
 */
#pragma once

#include "formats/model/local-graph.h"
#include "src/base/input.h"
#include "src/trace/repairs.h"

/* The sealed graph. @input is read to its end. */
TtLocalGraph *tt_gml_read (TtInput *input, TtRepairs *repairs, GError **error);

/* The same; the other attributes of each node are shown to @func, in the order of the file, once its row is
 * complete. */
typedef void (*TtGmlAttributeFunc) (const char *key, const char *value, guint32 node, gpointer data);
TtLocalGraph *
tt_gml_read_with (TtInput *input, TtRepairs *repairs, TtGmlAttributeFunc func, gpointer data, GError **error);
