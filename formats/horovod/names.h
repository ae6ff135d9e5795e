/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The names of Horovod timelines: processes are tensors, spans are activities.
 */
#pragma once

#include <glib.h>

typedef enum
{
  TT_HOROVOD_OTHER,  /* no process of a tensor */
  TT_HOROVOD_SYNC,   /* waits of all tensors */
  TT_HOROVOD_TENSOR, /* the activities of one tensor */
} TtHorovodKind;

/* What a process of a Horovod timeline is, by its name "DistributedGradientTape_Allreduce/HorovodAllreduce.3_0":
 * *tensor is then 3; the whole name if it has no dot. Free *tensor. */
TtHorovodKind tt_horovod_process (const char *name, char **tensor);

/* The activities that make up a transfer ("QUEUE", "NCCL_ALLREDUCE" ...): the word, static; NULL: it is none. */
const char *tt_horovod_activity (const char *name, gsize len);

/* Whether it is a negotiation ("NEGOTIATE_ALLREDUCE"): from when the first rank asked for the tensor until all had. Horovod's
 * coordinator, which counts them, writes it; other ranks of a job do not. */
gboolean tt_horovod_negotiates (const char *name, gsize len);
