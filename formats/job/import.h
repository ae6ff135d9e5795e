/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtJobImport: one training job on its way into the sink: the state that the readers of its files share.
 *
 * A job is read twice. The survey finds, for every GPU, when its operators ran, where steps begin, and when its last
 * Sync ended; then the clocks of the hosts are known against each other, and the files are read again, each a source of
 * its own, and their events become rows (rows.h). While surveying, `arrange` is NULL.
 *
 * job.c owns all of it and gives the order; readers know this header and those below them, never job.c.
 */
#pragma once

#include "formats/format.h"
#include "formats/job/layout.h"
#include "formats/tensorflow/names.h"
#include "formats/trace-event/args-keeper.h"
#include "src/base/tape.h"
#include "src/trace/arrange/arrange.h"
#include "src/trace/step-finder.h"

/* The graph of the model as one file has it. */
typedef struct
{
  char *hash;             /* of the file; NULL: there is none */
  TtLocalGraph *graph;    /* NULL likewise */
  TtTfNames *names;       /* never NULL */
  TtJobFile source;       /* which file it is of */
  gboolean is_comm_added; /* metadata.json had no communication: it was added */
  TtRepairs repairs;
} TtJobImportModel;

/* What is known of one GPU besides its files. */
typedef struct
{
  const TtJobRank *rank;
  const char *path[TT_N_JOB_FILES]; /* of the rank, without those that are left out */
  guint32 process;
  gint64 first_ns, end_ns; /* of its operators; TT_NO_TIME: none */
  guint64 syncs, n_syncs;  /* its TtJobImportSync, in order: offset on the tape `syncs` */
  gint64 shift_ns;         /* added to its times */
  guint worker;            /* number of the BytePS worker that it is part of */
  gboolean is_aligned;
} TtJobImportProcess;

/* All GPUs have the same sequence of Syncs, unless a file was cut. */
typedef struct
{
  gint64 end_ns;
  guint64 name;
} TtJobImportSync;

typedef struct
{
  TtJobLayout *layout;
  const TtImportOptions *options;
  TtSink *sink;
  TtStepFinder *finder;
  GArray *processes; /* of TtJobImportProcess, as layout->ranks */
  guint n_files;     /* of all ranks that are read */
  TtTape *syncs;     /* of TtJobImportSync */
  TtArgsKeeper args;
  TtJobImportModel *model; /* of the rank that is being read */
  GHashTable *graphs;      /* hashes of models whose graph is in the metadata */
  gboolean has_parameters; /* they have been put */
  TtArrange *arrange;      /* NULL while surveying */
  gint64 some_ns;          /* a time of the source that is being read; TT_NO_TIME: none yet */
} TtJobImport;
