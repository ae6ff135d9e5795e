/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtStateThreads: which threads of programs the kernel's lanes of states are of: those of the same host and number.
 *
 * A process without a host is on the host of the kernel trace, if there is but one. Numbers are those of the host: threads in a
 * container that numbers its own are not found.
 */
#pragma once

#include "src/store/store.h"

typedef enum
{
  TT_STATE_THREAD_OTHER,     /* has no number: a device, a processor, the kernel itself */
  TT_STATE_THREAD_LANE,      /* of states */
  TT_STATE_THREAD_COVERED,   /* there is a lane of it */
  TT_STATE_THREAD_UNCOVERED, /* there is none */
} TtStateThreadKind;

typedef struct
{
  TtStateThreadKind kind;
  guint32 subject; /* of lanes and covered threads: the same for what belongs together */
} TtStateThread;

typedef struct _TtStateThreads TtStateThreads;

TtStateThreads *tt_state_threads_new (TtStore *store);
void tt_state_threads_free (TtStateThreads *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtStateThreads, tt_state_threads_free)

guint tt_state_threads_n_lanes (const TtStateThreads *self);
TtStateThread tt_state_threads_get (const TtStateThreads *self, guint32 thread);
