/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtJobTopology: the processes of a job and how they are connected, from definitions and metadata alone.
 *
 * Endpoints are numbered as in the step's graph: ranks first, then the links between workers and parameter servers and
 * the threads of servers. topology.c alone writes it: ranks, then links, then connections.
 */
#pragma once

#include "analyzers/training-job/names.h"
#include "analyzers/training-job/notes.h"
#include "graphs/nccl/nccl.h"
#include "graphs/step-graph/step-graph.h"

/* A link between a worker and a server, or a thread of a server. */
typedef struct
{
  guint32 worker, server;
  gboolean is_thread; /* then there is no worker */
  gboolean is_in;     /* from the server */
} TtJobLink;

typedef struct
{
  guint n_ranks, n_endpoints;
  char **pids;          /* by endpoint, NULL-ended */
  guint32 *processes;   /* by endpoint: id */
  guint32 *endpoint_of; /* by process id; TT_STEP_NO_RANK: none of the job */
  GArray *links;        /* of TtJobLink: the endpoints after the ranks */
  guint n_workers;      /* of parameter servers */
  guint32 *workers;     /* by rank: the worker it belongs to; NULL: there are no parameter servers */
  TtNccl *nccl;         /* joined; NULL: no rank has it */
} TtJobTopology;

TtJobTopology *tt_job_topology_new (void);
void tt_job_topology_free (TtJobTopology *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtJobTopology, tt_job_topology_free)

/* FALSE with @error of TT_ERROR_INPUT: the run has no operators of a job. */
gboolean tt_job_topology_read_ranks (TtJobTopology *self,
                                     TtStore *store,
                                     const TtJobNames *names,
                                     TtNotes *notes,
                                     GError **error);
/* Links of workers and servers, and which worker a rank belongs to. */
gboolean tt_job_topology_read_links (TtJobTopology *self,
                                     TtStore *store,
                                     const TtJobNames *names,
                                     TtNotes *notes,
                                     GError **error);
/* Rings and trees of NCCL. */
gboolean tt_job_topology_read_connections (TtJobTopology *self, TtStore *store, TtNotes *notes, GError **error);

/* @endpoint: not a rank. */
const TtJobLink *tt_job_topology_link (const TtJobTopology *self, guint32 endpoint);
/* Whether the ranks are connected by trees, and by no ring. */
gboolean tt_job_topology_has_only_trees (const TtJobTopology *self);
/* The host of a pid is its text before the first dot: "host0" of "host0.rank1". */
gboolean tt_job_is_same_host (const char *pid, const char *other);
