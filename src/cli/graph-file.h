/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtGraphLanguage: a language that `depgraph` writes graphs in.
 */
#pragma once

#include "formats/graph-svg/graph-svg.h"
#include "graphs/graph.h"
#include "src/base/output.h"

typedef struct _TtGraphLanguage TtGraphLanguage;
struct _TtGraphLanguage
{
  const char *word;         /* of --format; the suffix of the output */
  const char *suffix;       /* another one, or NULL */
  gboolean is_drawn;        /* somebody is going to look at it */
  const char *default_name; /* of the file, in a terminal without -o */
  /* @heading: for pictures. @path: of the output; NULL: standard output. No function: the language is one of trails, not of
   * graphs. */
  gboolean (*write) (const TtGraphLanguage *self,
                     const TtGraph *graph,
                     const TtGraphHeading *heading,
                     const char *path,
                     TtOutput *out,
                     GError **error);
};

extern const TtGraphLanguage tt_graph_language_dot, tt_graph_language_svg, tt_graph_language_trail;

/* The words of --format. Free it. */
char **tt_graph_language_list (void);
/* By the word of --format, else by the suffix of @path, .gz aside; both NULL: DOT. NULL with @error. */
const TtGraphLanguage *tt_graph_language_choose (const char *word, const char *path, GError **error);
