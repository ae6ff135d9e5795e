/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtGraphLevel: one level of `depgraph`: what the nodes of the graph are, and where it comes from.
 *
 * A level is a descriptor at the end of its file, listed in levels.c. It says which options it refuses; the
 * command reads the options, lets the level build the graph, and reduces, saves and writes it.
 */
#pragma once

#include "analyzers/dependencies/dep-graph.h"
#include "analyzers/training-job/trail.h"
#include "src/store/store.h"

/* Options that not every level takes. */
typedef enum
{
  TT_GRAPH_FILTER = 1 << 0,
  TT_GRAPH_TIME_WINDOW = 1 << 1,
  TT_GRAPH_KIND = 1 << 2,
  TT_GRAPH_MERGE_RANKS = 1 << 3,
  TT_GRAPH_SAVE = 1 << 4,
  TT_GRAPH_TRAIL = 1 << 5,
  TT_GRAPH_RECV = 1 << 6,
  TT_GRAPH_UPDATE_BARRIER = 1 << 7,
  TT_GRAPH_WITH_END = 1 << 8,
} TtGraphOption;

/* Those that choose spans, and those of a training step. */
#define TT_GRAPH_OF_SPANS (TT_GRAPH_FILTER | TT_GRAPH_TIME_WINDOW | TT_GRAPH_KIND | TT_GRAPH_MERGE_RANKS)
#define TT_GRAPH_OF_STEPS (TT_GRAPH_TRAIL | TT_GRAPH_RECV | TT_GRAPH_UPDATE_BARRIER | TT_GRAPH_WITH_END)

typedef struct
{
  guint given; /* bit set of TtGraphOption */
  TtDepGraphOptions spans;
  TtTrainingJobOptions job;
  const char *around; /* NULL: the whole graph */
  guint hops;
  const char *from; /* the file of --from */
} TtGraphRequest;

typedef struct
{
  const char *name;   /* of --level; NULL: not among its words */
  const char *shows;  /* what its graphs are, for titles */
  const char *option; /* that asks for it, for messages: "--level job" */
  guint refuses;      /* bit set of TtGraphOption */
  /* What else is wrong with the request; NULL: nothing. */
  gboolean (*check) (const TtGraphRequest *request, GError **error);
  /* The finished graph; NULL with @error. With TT_GRAPH_TRAIL *trail is set, too. @store: NULL with --from. */
  TtGraph *(*build) (TtStore *store, const TtGraphRequest *request, TtTrail **trail, GError **error);
  /* Nodes (guint32) that --around names; NULL with @error. No function: the graph has only what is around. */
  GArray *(*find) (TtStore *store, const TtGraph *graph, const TtGraphRequest *request, GError **error);
} TtGraphLevel;

extern const TtGraphLevel tt_graph_level_op, tt_graph_level_event, tt_graph_level_job, tt_graph_level_task,
    tt_graph_level_file; /* --from */

/* The words of --level. Free it. */
char **tt_graph_level_list (void);
/* Of --level; @word NULL: the first. NULL with @error. */
const TtGraphLevel *tt_graph_level_choose (const char *word, GError **error);
/* FALSE with @error: the level refuses an option that was given, or the request as a whole. */
gboolean tt_graph_level_check (const TtGraphLevel *self, const TtGraphRequest *request, GError **error);
