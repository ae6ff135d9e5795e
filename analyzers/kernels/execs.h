/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtExecs: how kernels were launched and ran, as nsys' cuda_kern_exec_sum has it: by the thread of the call, the device,
 * the call and the kernel. Queue: from the end of the call to the begin of the kernel, where that is later. Total: from the
 * begin of the call to the end of both.
 */
#pragma once

#include "analyzers/kernels/spread.h"

typedef struct
{
  guint32 thread, device; /* thread of the call; process of the stream */
  guint32 call, kernel;   /* names */
  const TtSpread *total, *api, *queue, *time;
} TtExecRow;

typedef struct _TtExecs TtExecs;

TtExecs *tt_execs_new (void);
void tt_execs_free (TtExecs *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtExecs, tt_execs_free)

typedef struct
{
  gint64 begin_ns, end_ns;
} TtExecSpan;

/* @key: its spreads are not looked at. */
void tt_execs_add (TtExecs *self, const TtExecRow *key, TtExecSpan call, TtExecSpan kernel);
gboolean tt_execs_finish (TtExecs *self, GError **error);
/* After finish; of TtExecRow, by total time, largest first, borrowed. */
const GArray *tt_execs_rows (const TtExecs *self);
