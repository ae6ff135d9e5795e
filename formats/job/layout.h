/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtJobLayout: the directories of a training job: hosts, GPUs, and the files of each.
 *
 *   TRIAL/host0/0/trace.json.gz ...   level 2: hosts with GPUs; pid host0.rank0
 *   HOST/0/trace.json.gz ...          level 1: the GPUs of one host; pid rank0
 *   GPU/trace.json.gz ...             level 0: one GPU; pid default
 *   TRIAL/comm_timeline.json ...      beside the hosts: transfers between them and BytePS' servers
 *
 * Directories are taken in the order of their names; hidden ones, links and those without files of a job are skipped.
 * Only names and sizes of files are looked at, no contents. The names are those of the recorders of training jobs
 * (framework-jobs.md 4).
 */
#pragma once

#include <glib.h>

/* In the order in which they are read. */
typedef enum
{
  TT_JOB_FILE_PROFILE, /* trace.json.gz */
  TT_JOB_FILE_TEMP,    /* temp.json */
  TT_JOB_FILE_IO,      /* io.json */
  TT_JOB_FILE_COMM,    /* comm.json */
  TT_JOB_FILE_DETAIL,  /* comm_detail.json */
  TT_JOB_FILE_DAG,     /* dag.gml */
  TT_JOB_FILE_RANK_GRAPH,
  TT_JOB_FILE_METADATA,
  TT_JOB_FILE_GRADIENTS,
  TT_JOB_FILE_GRADIENTS_TEXT,
  TT_JOB_FILE_GRADIENT_IDS,
  TT_JOB_FILE_SHAPES,
  TT_JOB_FILE_INFO,
  TT_JOB_FILE_SYMBOLS,
  TT_JOB_FILE_FINAL_GRAPH, /* final_graph.json */
  TT_N_JOB_FILES,
} TtJobFile;

/* Files of the whole job, in the order in which they are read. */
typedef enum
{
  TT_JOB_COMMON_LINKS,   /* comm_timeline.json, or bps_comm_aligned.json: likewise, with aligned clocks */
  TT_JOB_COMMON_SERVERS, /* server_timeline.json */
  TT_N_JOB_COMMON,
} TtJobCommon;

typedef struct
{
  char *pid;
  char *host; /* name of the worker directory; NULL at level 0 and 1 */
  guint host_index;
  char *directory;
  char *path[TT_N_JOB_FILES];        /* NULL: not there, or empty */
  gboolean is_empty[TT_N_JOB_FILES]; /* there with 0 bytes */
} TtJobRank;

typedef struct
{
  char *root;
  guint level;
  guint n_hosts;
  GPtrArray *ranks;              /* of TtJobRank */
  char *common[TT_N_JOB_COMMON]; /* paths; NULL: not there, or empty */
  GPtrArray *others;             /* of char *: names of traces in the root that are no part of a GPU's files */
} TtJobLayout;

/* NULL: no directory of a GPU is where one should be. */
TtJobLayout *tt_job_layout_read (const char *root);
void tt_job_layout_free (TtJobLayout *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtJobLayout, tt_job_layout_free)

/* Whether the files show so clearly that it is a job that no other format should read them. */
gboolean tt_job_layout_is_certain (const TtJobLayout *self);

/* The file of @rank, else the first that any has (files of rank 0 hold for all); NULL: none has it. */
const char *tt_job_layout_find (const TtJobLayout *self, const TtJobRank *rank, TtJobFile file);

/* As if @path, a file of a GPU or of the whole job, were not there; frees it if it is one of the layout's own. */
void tt_job_layout_forget (TtJobLayout *self, const char *path);

/* Appends a note for each kind of file that is missing, with the consequence. */
void tt_job_layout_note (const TtJobLayout *self, GPtrArray *notes);
