/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCommKernels: the kernels that do collectives, sends and receives, with what they transfer. A call belongs to the
 * kernel of the rank whose span is the shortest, for it waited least.
 */
#pragma once

#include "src/base/int128.h"
#include <glib.h>

typedef struct
{
  guint32 name;
  char *function;    /* that it does: the same kernel may do several */
  guint64 n_spans;   /* of all ranks */
  tt_int128 time_ns; /* theirs */
  guint64 n_calls, n_sized;  /* of these: whose size and bus factor are known */
  tt_int128 bytes, least_ns; /* of the latter: size, and time of the shortest span */
  double bus_bytes;          /* likewise: size times factor */
} TtCommKernel;

typedef struct _TtCommKernels TtCommKernels;

TtCommKernels *tt_comm_kernels_new (void);
void tt_comm_kernels_free (TtCommKernels *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtCommKernels, tt_comm_kernels_free)

void tt_comm_kernels_add_span (TtCommKernels *self, guint32 name, const char *function, gint64 length_ns);
/* @bytes: of the call, -1: not known. @least_ns: its shortest span. */
void tt_comm_kernels_add_call (TtCommKernels *self,
                               guint32 name,
                               const char *function,
                               guint32 n_ranks,
                               gint64 bytes,
                               gint64 least_ns);
void tt_comm_kernels_finish (TtCommKernels *self);
/* After finish; of TtCommKernel, by time, largest first, borrowed. */
const GArray *tt_comm_kernels_rows (const TtCommKernels *self);
