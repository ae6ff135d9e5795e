/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What PyTorch's profiler (Kineto) writes, and what it means. Private to formats/kineto and its test.
 *
 * Everything here is decided by an event's category, name and arguments alone; what depends on the spans that
 * contain one is in names.h, what depends on the steps in steps.h.
 */
#pragma once

#include "formats/trace-event/import.h"

/* What kind of activity an event's `cat` names. */
typedef enum
{
  KINETO_OTHER,
  KINETO_OPERATOR,          /* cpu_op */
  KINETO_ANNOTATION,        /* user_annotation */
  KINETO_PYTHON,            /* python_function */
  KINETO_CALL,              /* host call of a device runtime or driver: cuda_runtime, hip_runtime ... */
  KINETO_DEVICE,            /* on a device: kernel, gpu_memcpy, gpu_memset, cuda_sync, mtia_ccp_events ... */
  KINETO_DEVICE_ANNOTATION, /* gpu_user_annotation */
  KINETO_PROFILER,          /* Trace, overhead: the profiler itself, in no step */
} KinetoKind;

KinetoKind tt_kineto_kind (TtSlice category);

/* The pid of all operators in a trace of torch.autograd.profiler without Kineto (PyTorch 1.x; use_kineto=False). */
#define TT_KINETO_CPU_ROW "CPU functions"
/* What an event of such a trace, which has no categories, is by its pid, in the words of PyTorch 1.8: "Operator" on the
 * CPU, "Kernel" in the row of a device ("CUDA functions"); NULL: none of its pids. */
const char *tt_kineto_row_category (TtSlice pid);

/* Flows from calls to devices, and from forward to backward operators: today's words, and those of PyTorch 1.8 to
 * 1.13. */
gboolean tt_kineto_is_launch_flow (TtSlice cat, TtSlice name);
gboolean tt_kineto_is_autograd_flow (TtSlice cat);
/* A word that other programs use, too. */
gboolean tt_kineto_is_shared_category (const char *category);
/* Whether @category is one that only Kineto writes. */
gboolean tt_kineto_is_category (const char *category);

/* Which half of training the autograd engine says an operator belongs to. */
typedef enum
{
  KINETO_PLAIN,
  KINETO_FORWARD,  /* it has a sequence number, so autograd records it */
  KINETO_BACKWARD, /* it has the thread of its forward operator */
} KinetoAutograd;

/* What the importer needs of an event's args. */
typedef struct
{
  gboolean has_correlation;
  guint64 correlation;
  KinetoAutograd autograd;
  TtJsonValue collective; /* "Collective name" */
  TtJsonValue group;      /* "Process Group Name" */
  TtJsonValue ranks;      /* "Process Group Ranks" */
  gint64 sequence;        /* "Seq"; -1: not there */
  gint64 root;            /* "Rank", of a collective with a root: its number in the group; -1: not there */
  TtJsonValue inputs;     /* "Concrete Inputs" */
  TtJsonValue bytes;      /* "Bytes" of a memory event */
  gint64 stream;          /* "stream", of a mark: that waits; -1: not there */
  gint64 waits_on;        /* "wait_on_stream": where the awaited event was recorded; -1: not there */
  guint64 waits_for;      /* "wait_on_cuda_event_record_corr_id": the call that recorded it; 0: not there */
} KinetoArgs;

/* args.c: those of @event, if they are an object; by their places where it has them. */
void tt_kineto_args (const TtTraceEvent *event, KinetoArgs *parsed);

/* In which order the operators of a thread stand in the file: that of their ends up to PyTorch 1.10, since then that of
 * their begins. It decides which of two operators of the same microseconds calls the other. All zero at first. */
typedef struct
{
  guint64 thread; /* of the last */
  gint64 ts_ns, end_ns;
  gboolean is_not_by_begin, is_not_by_end;
} KinetoOrder;

void tt_kineto_order_note (KinetoOrder *self, const TtTraceEvent *event);
gboolean tt_kineto_order_is_by_end (const KinetoOrder *self);

/* The sub_op of a collective's name ("_allgather_base", "reduce_scatter", "all_to_allv"); NULL: none of the known. */
const char *tt_kineto_sub_op (const char *collective, gsize len);
/* A number for a process group (src/trace/communicator.h): that of its name, where that is one, else one made of it; and who
 * takes part, where that is told. */
guint64 tt_kineto_communicator (TtSlice group, TtSlice ranks);
/* Whether the ranks of a group make a call of this sub_op together. */
gboolean tt_kineto_is_collective (const char *sub_op);

/* N of "ProfilerStep#N"; TT_NO_STEP if @name is something else. */
gint32 tt_kineto_step_number (const char *name);
/* Whether the runtime call @name starts work on a device. */
gboolean tt_kineto_is_launch (const char *name);
/* Whether the operator @name is the autograd engine at work: its own function, or a node of the graph, which has the
 * name of its class (before PyTorch 1.10 the only sign: "AddmmBackward", "torch::autograd::AccumulateGrad"). */
gboolean tt_kineto_is_engine (const char *name);

/* "NVIDIA A100, 42297524224 bytes, compute 8.0, 108 SMs" of one element of deviceProperties. Free it. */
char *tt_kineto_device_text (TtSlice device, gint64 *id);
