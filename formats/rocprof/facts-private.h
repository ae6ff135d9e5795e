/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of TtRocprofFacts, for facts.c, which answers, and facts-read.c, which reads.
 */
#pragma once

#include "formats/rocprof/facts.h"
#include "src/base/slots.h"
#include "src/base/tape.h"

/* Members of a process in the file that name what records have numbers for. */
typedef enum
{
  TT_ROCPROF_METADATA = 1 << 0,
  TT_ROCPROF_AGENTS = 1 << 1,
  TT_ROCPROF_COUNTERS = 1 << 2,
  TT_ROCPROF_STRINGS = 1 << 3,
  TT_ROCPROF_KERNELS = 1 << 4,
  TT_ROCPROF_CALLBACKS = 1 << 5,
  TT_ROCPROF_ALL = (1 << 6) - 1,
} TtRocprofMember;

typedef struct
{
  char *name;
  GArray *operations; /* of TtRocprofOperation */
} TtRocprofKind;

struct _TtRocprofFacts
{
  TtRepairs *repairs;
  guint32 seen;            /* TtRocprofMember */
  gint64 init_ns, fini_ns; /* of the process; 0: not said */
  guint64 pid;
  char *node, *program;
  GPtrArray *metadata; /* of char * */
  GHashTable *agents;  /* handle (gint64) -> TtRocprofAgent */
  guint n_gpus;
  GHashTable *counters; /* handle (gint64) -> char * */
  GPtrArray *kinds;     /* of TtRocprofKind */
  TtTape *texts;
  TtTape *kernel_tape;     /* of TtRocprofKernel */
  TtSlots *kernels;        /* id -> place on the tape + 1 */
  TtSlots *messages;       /* correlation -> text + 1 */
  TtSlots *externals;      /* id -> text + 1 */
  GString *text, *message; /* scratch */
  TtRocprofCounters *dispatches;
};
