/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DOT, the language of Graphviz, for graphs of operations.
 *
 * A node's id is its label (op_long_name), quoted; what is drawn in it is the name in short lines, count and
 * average. Fill colour by op_cat, edge style by kind, edge width by count, END a double circle, the rest grey.
 */
#pragma once

#include "graphs/graph.h"
#include "src/base/output.h"

void tt_dot_write (const TtGraph *graph, TtOutput *out);

#define TT_DOT_NO_FILL "#ffffff"
/* The colour of the node by its op_cat: "#c6dbef". */
const char *tt_dot_fill (const TtNode *node);

/* Appends @name in quotes, as an id or as a label. What is too long for dot ends in "...". */
void tt_dot_quote (GString *text, const char *name, gboolean is_label);
