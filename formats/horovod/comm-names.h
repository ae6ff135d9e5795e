/*
 * The names of communication events: what Horovod timelines and NCCL detail traces call tensors and activities.
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

/* "4+3+10" with the numbers in order: "3+4+10". NULL: not numbers joined by "+". Free it. */
char *tt_tensor_ids (const char *ids, gsize len);

/* Joins n ids, in numeric order, numbers before texts. Free it. */
char *tt_tensor_ids_join (GPtrArray *ids);

/* "DistributedGradientTape_Allreduce.4+3.SEND": *ids "3+4" (free it), *sub_op "SEND" or "RECV" (static). Older files
 * have "<<step>>" behind an id. FALSE: the name has another form. */
gboolean tt_nccl_name (const char *name, char **ids, const char **sub_op);
