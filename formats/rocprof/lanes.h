/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtRocprofLanes: the processes and threads of one process of rocprofv3's file.
 *
 * The program is a process of its own pid, with its threads. Each GPU is a process "PID.gpuN" of the same rank, with a
 * thread for each stream; the work of the default stream, and that of programs without streams, lies in its queues.
 * Copies that have no stream, and scratch memory, have threads of their own.
 */
#pragma once

#include "formats/format.h"
#include "formats/rocprof/facts.h"

typedef enum
{
  TT_ROCPROF_THREAD, /* of the program */
  TT_ROCPROF_STREAM,
  TT_ROCPROF_QUEUE,
  TT_ROCPROF_COPIES,  /* the number is that of a direction */
  TT_ROCPROF_SCRATCH, /* memory of kernels */
} TtRocprofLaneKind;

/* Directions of copies. */
typedef enum
{
  TT_ROCPROF_ANYWHERE,
  TT_ROCPROF_HTOH,
  TT_ROCPROF_HTOD,
  TT_ROCPROF_DTOH,
  TT_ROCPROF_DTOD,
} TtRocprofDirection;

const char *tt_rocprof_direction_text (TtRocprofDirection direction); /* "HtoD" */

/* In the place of an agent: what is done by no GPU that is known lies in the program's process. */
#define TT_ROCPROF_NO_AGENT G_MAXUINT64

typedef struct _TtRocprofLanes TtRocprofLanes;

/* All borrowed. */
TtRocprofLanes *tt_rocprof_lanes_new (TtSink *sink, const TtImportOptions *options, TtRocprofFacts *facts);
void tt_rocprof_lanes_free (TtRocprofLanes *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtRocprofLanes, tt_rocprof_lanes_free)

/* The process of the program; made when it is asked for first. */
guint32 tt_rocprof_lanes_host (TtRocprofLanes *self);
/* @agent: whose lane; not asked for threads of the program. Fills in process and thread. */
void tt_rocprof_lanes_find (TtRocprofLanes *self,
                            TtRocprofLaneKind kind,
                            guint64 agent,
                            guint64 number,
                            guint32 *process,
                            guint32 *thread);
