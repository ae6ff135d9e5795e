/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCriticalPairs: critical sections of OpenMP and the blocks within them, as Opari has them (Score-P: "!$omp critical @app.c:12"
 * around "!$omp critical sblock @app.c:12"). A section begins when a thread comes to it, its block when the thread has the lock.
 *
 * Any call and what lies in it pair likewise: one that unlocks, and OTF2's record of the lock.
 * Sections may lie within blocks of others. Spans may come in the order of their begins or of their ends.
 */
#pragma once

#include <glib.h>

typedef struct
{
  guint64 event;
  gint64 begin_ns, end_ns;
  guint32 name;
  gboolean is_chosen;
} TtCriticalSpan;

typedef struct
{
  GHashTable *last; /* thread -> its last halves whose other half has not come */
} TtCriticalPairs;

void tt_critical_pairs_init (TtCriticalPairs *self);
void tt_critical_pairs_clear (TtCriticalPairs *self);
/* @span: a section, or else a block. TRUE: it is one half of a pair that is whole now. */
gboolean tt_critical_pairs_take (TtCriticalPairs *self,
                                 gboolean is_section,
                                 guint32 thread,
                                 const TtCriticalSpan *span,
                                 TtCriticalSpan *section,
                                 TtCriticalSpan *block);
