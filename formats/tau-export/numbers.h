/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTauExportNumbers: the node and thread numbers of a run's processes and threads in a TAU trace: rank and
 * tid where they are numbers that fit and are free, else the next free one.
 */
#pragma once

#include "src/store/store.h"

typedef struct
{
  gint32 *nodes;   /* by process id; -1: no such process */
  gint32 *threads; /* by thread id: node << 16 | thread, as guint32 */
  guint32 n_nodes, n_threads;
  guint64 n_renumbered;
} TtTauExportNumbers;

TtTauExportNumbers *tt_tau_export_numbers_new (TtStore *store, GError **error);
void tt_tau_export_numbers_free (TtTauExportNumbers *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtTauExportNumbers, tt_tau_export_numbers_free)

/* node << 16 | thread. */
static inline guint32
tt_tau_export_numbers_thread (const TtTauExportNumbers *self, guint32 thread)
{
  return (guint32) self->threads[thread];
}
