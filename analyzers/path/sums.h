/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a path's time is added up by: operations, kinds of what is done, processes, steps.
 */
#pragma once

#include <glib.h>

typedef struct
{
  char *name;       /* name[~>suffix], of all processes */
  gboolean is_wait; /* of category SYNC: it does nothing but wait */
  guint64 n_spans;
  gint64 time_ns;
} TtPathOp;

typedef enum
{
  TT_PATH_COMPUTATION,
  TT_PATH_COMMUNICATION,
  TT_PATH_COPY,
  TT_PATH_LAUNCH,
  TT_PATH_SYNC,
  TT_PATH_HOST,
  TT_PATH_INPUT, /* of training jobs */
  TT_PATH_IDLE,
  TT_N_PATH_KINDS,
} TtPathKind;

const char *tt_path_kind_text (TtPathKind kind);

typedef struct
{
  guint32 process;
  guint64 n_segments;
  gint64 time_ns;     /* on this process */
  gint64 transfer_ns; /* of the messages that the path came here with */
  gint64 waited_ns;   /* how long its waits on the path lasted before the other side acted; not part of the path */
} TtPathProcess;

/* A step of a training job: from the end of the one before to when its last operator ended on the last rank. */
typedef struct
{
  gint32 step;
  gint64 begin_ns, end_ns;
  gint64 kind_ns[TT_N_PATH_KINDS];
  guint32 process; /* with the most of it, and how much */
  gint64 process_ns;
} TtPathStep;

/* Of TtPathOp; the names are the array's. */
GArray *tt_path_ops_new (void);
/* Longest first. */
void tt_path_ops_sort (GArray *ops);
