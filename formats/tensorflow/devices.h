/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The contents of the processes and threads of a TensorFlow trace, by their names, of old TensorFlow ("/gpu:0/stream:all
 * Compute") and new ("/device:GPU:0/stream:all Compute", "/device:GPU:0" with thread "TensorFlow Ops").
 */
#pragma once

#include <glib.h>

typedef enum
{
  TT_TF_LANE_ALL,     /* all streams of a GPU, by operator */
  TT_TF_LANE_MEMCPY,  /* its copies */
  TT_TF_LANE_STREAM,  /* one stream of a GPU: repeats a part of the two above */
  TT_TF_LANE_LAUNCH,  /* a GPU's operators as the host starts them */
  TT_TF_LANE_CPU,     /* operators that run on the CPU */
  TT_TF_LANE_OPS,     /* profiler: a GPU's operators */
  TT_TF_LANE_KERNELS, /* profiler: a GPU's stream, and what is derived of it */
  TT_TF_LANE_COPIES,  /* profiler: a GPU's stream of copies */
  TT_TF_LANE_HOST,    /* profiler: a thread of the host */
  TT_TF_LANE_OTHER,
} TtTfLaneKind;

/* @process, @thread: their names; @thread may be NULL. *device is like "gpu:0", with "/job:..." before it if the trace
 * says so; NULL where the kind has none. Free it. */
TtTfLaneKind tt_tf_lane_kind (const char *process, const char *thread, char **device);

/* The sub_op of a copy by the type of its operator or the name of its kernel or stream ("MEMCPYHtoD", "MemcpyD2H"):
 * "H2D" ... or "SET" for memset; NULL: unknown. */
const char *tt_tf_copy_kind (const char *text);
