/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtStateSweep: goes through the time of one thread, with its spans, its states and its calls of the system, which are told in
 * the order of their begins, a span before those inside it; and hands out each stretch in which none of them changes.
 *
 * Memory: the spans that are open.
 */
#pragma once

#include <glib.h>

typedef enum
{
  TT_STATE_RUNNING,
  TT_STATE_PREEMPTED, /* taken off its processor while it could go on */
  TT_STATE_READY,     /* woken, not yet on a processor */
  TT_STATE_WAITING,
  TT_STATE_UNKNOWN, /* the kernel trace does not say */
} TtThreadState;

#define TT_N_THREAD_STATES 5u

typedef struct
{
  gint64 begin_ns, end_ns;
  guint32 name, thread;
  gboolean is_shown;
  gboolean is_inner;                  /* within one of the same name */
  guint64 before[TT_N_THREAD_STATES]; /* the sweep's own */
} TtStateSpan;

/* What the thread did: @span is the innermost one, @call the name of a call of the system, TT_NO_ID: none. */
typedef struct
{
  const TtStateSpan *span;
  gint64 ns;
  TtThreadState state;
  guint32 call;
} TtStateStretch;

typedef void (*TtStateStretchFunc) (const TtStateStretch *stretch, gpointer data);
/* A span is over, of which @ns, by TtThreadState, are its times. */
typedef void (*TtStateSpanFunc) (const TtStateSpan *span, const gint64 *ns, gpointer data);

typedef struct _TtStateSweep TtStateSweep;

/* Times before @from_ns and after @until_ns do not count. */
TtStateSweep *tt_state_sweep_new (gint64 from_ns,
                                  gint64 until_ns,
                                  TtStateStretchFunc on_stretch,
                                  TtStateSpanFunc on_span,
                                  gpointer data);
void tt_state_sweep_free (TtStateSweep *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtStateSweep, tt_state_sweep_free)

void tt_state_sweep_span (TtStateSweep *self, const TtStateSpan *span);
void tt_state_sweep_state (TtStateSweep *self, TtThreadState state, gint64 begin_ns, gint64 end_ns);
void tt_state_sweep_call (TtStateSweep *self, guint32 name, gint64 begin_ns, gint64 end_ns);
/* The thread is over; another may come. */
void tt_state_sweep_finish (TtStateSweep *self);
