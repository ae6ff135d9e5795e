/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pictures of a graph, laid out by the program `dot` of Graphviz.
 */
#pragma once

#include "graphs/graph.h"
#include "src/base/output.h"

#define TT_RENDER_TIMEOUT_MS 20000u

/* Writes @graph as @language ("svg", "png") to @out. When dot takes longer than @timeout_ms or fails, the DOT
 * is left in @dot_path (NULL: nowhere) and the error says so. */
gboolean tt_render (const TtGraph *graph,
                    const char *language,
                    const char *dot_path,
                    guint timeout_ms,
                    TtOutput *out,
                    GError **error);

/* What messages say of a graph that is a text already. */
typedef struct
{
  const char *size;   /* "12 nodes and 30 edges" */
  const char *advice; /* when it takes too long: "; try --max-nodes 10" */
} TtDotText;

/* The same for the DOT of a graph. */
gboolean tt_render_dot (GBytes *dot,
                        const TtDotText *text,
                        const char *language,
                        const char *dot_path,
                        guint timeout_ms,
                        TtOutput *out,
                        GError **error);
