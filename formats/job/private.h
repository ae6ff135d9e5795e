/*
 * What the parts of the job importer share.
 *
 * A job is read twice. The survey finds, for every GPU, when its operators ran, where steps begin, and when its last
 * Sync ended; then the clocks of the hosts are known against each other, and the files are read again, each a source of
 * its own, and their events go to their rows.
 */
#pragma once

#include "formats/format.h"
#include "formats/job/layout.h"
#include "formats/trace-event/args-keeper.h"
#include "formats/tensorflow/operators.h"
#include "src/trace/step-finder.h"
#include "src/trace/arrange/arrange.h"
#include "src/base/tape.h"

/* The graph of the model as one file has it. */
typedef struct
{
  char *hash;             /* of the file; NULL: there is none */
  TtLocalGraph *graph;    /* NULL likewise */
  TtTfNames *names;       /* never NULL */
  TtJobFile source;       /* which file it is of */
  gboolean is_comm_added; /* of metadata.json: it had no communication */
  TtRepairs repairs;
} TtJobModel;

/* What is known of one GPU besides its files. */
typedef struct
{
  const TtJobRank *rank;
  guint32 process;
  gint64 first_ns, end_ns; /* of its operators; TT_NO_TIME: none */
  guint64 syncs, n_syncs;  /* its TtJobSync, in order: place on the tape of the job */
  gint64 shift_ns;         /* added to its times */
  guint worker;            /* of BytePS' workers the one that it is part of */
  gboolean is_aligned;
} TtJobProcess;

/* All GPUs have the same sequence of Syncs, unless a file was cut. */
typedef struct
{
  gint64 end_ns;
  guint64 name;
} TtJobSync;

typedef struct
{
  const TtJobLayout *layout;
  const TtImportOptions *options;
  TtSink *sink;
  TtStepFinder *finder;
  GArray *processes; /* of TtJobProcess, as layout->ranks */
  TtTape *syncs;     /* of TtJobSync */
  TtArgsKeeper args;
  TtJobModel *model;       /* of the rank that is being read */
  GHashTable *graphs;      /* hashes of models whose graph is in the metadata */
  gboolean has_parameters; /* they have been put */
  TtArrange *arrange;      /* NULL while surveying */
  gint64 some_ns;          /* a time of the source that is being read; TT_NO_TIME: none yet */
} TtJob;

/* One span on its way. */
typedef struct
{
  const TtJobProcess *process;
  guint32 thread, name;
  gint64 ts_ns, dur_ns; /* negative: the source says so */
  gint32 step;
  guint32 flags;
  const char *args; /* JSON text; NULL: none */
  gsize args_len;
  guint64 offset;
} TtJobSpan;

/* To its row, shifted and with its step. */
void tt_job_put (TtJob *self, const TtJobSpan *span);
/* Whether a span that begins at @ts_ns lies in the time of the operators. */
gboolean tt_job_is_in_window (const TtJobProcess *process, gint64 ts_ns);
TtOperatorSource tt_job_operator_source (const TtJob *self, const char *path);

/* -- operators (job-operators.c) -- */

/* Survey: window and steps. Else: rows. @is_temp: temp.json. */
gboolean tt_job_read_operators (TtJob *self, TtJobProcess *process, const char *path, gboolean is_temp, GError **error);

/* -- input pipeline, Horovod and NCCL (job-comm.c) -- */

gboolean tt_job_read_io (TtJob *self, TtJobProcess *process, const char *path, GError **error);
gboolean tt_job_read_comm (TtJob *self, TtJobProcess *process, const char *path, GError **error);
gboolean tt_job_read_detail (TtJob *self, TtJobProcess *process, const char *path, GError **error);

/* -- BytePS (job-byteps.c) -- */

/* Finds process->worker of all. */
void tt_job_number_workers (TtJob *self);
/* comm_timeline.json or server_timeline.json, after the survey; rows. */
gboolean tt_job_read_servers (TtJob *self, const char *path, GError **error);

/* -- files that say something of the model (job-model.c) -- */

/* Makes self->model that of @rank. */
gboolean tt_job_load_model (TtJob *self, const TtJobRank *rank, GError **error);
void tt_job_model_free (TtJobModel *self);
/* The standard name of a node as a JSON string. Free it. */
char *tt_job_node_json (const TtJobModel *self, guint32 node);
/* Within its first source: metadata of @process, its graph and its connections; the first time the job's parameters. */
gboolean tt_job_put_metadata (TtJob *self, const TtJobProcess *process, GError **error);

/* -- clocks (job-clock.c) -- */

/* From the Syncs to the shifts of all processes; says what was done. */
void tt_job_align_clocks (TtJob *self);
