/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtWorkClass: what time goes to, by the op_cat of the span. Where several classes run at once, the first counts.
 */
#pragma once

#include <glib.h>

typedef enum
{
  TT_WORK_COMPUTE, /* COMP, FW, BW, UPDATE_, OUTPUT, ServerOp, and words that are not known */
  TT_WORK_COMMUNICATION,
  TT_WORK_MEMORY,
  TT_WORK_WAIT, /* of no op_cat: the part of a call of the host in which it waits for another rank */
  TT_WORK_SYNC,
  TT_WORK_IO,
  TT_WORK_RUNTIME, /* RT: calls of a runtime or driver that do none of this */
  TT_N_WORK_CLASSES,
  TT_WORK_NONE = TT_N_WORK_CLASSES, /* virtual */
} TtWorkClass;

/* @op_cat: NULL is compute. */
TtWorkClass tt_work_class (const char *op_cat);
/* Of a span of the host: MPI that synchronises (MPI_Barrier, MPI_Wait, TAU's "MPI Collective Sync") is communication. */
TtWorkClass tt_work_class_of_host (const char *op_cat, const char *op_name);

/* It lasts as long as others are late. */
static inline gboolean
tt_work_is_waiting (TtWorkClass work)
{
  return work == TT_WORK_COMMUNICATION || work == TT_WORK_WAIT || work == TT_WORK_SYNC;
}
