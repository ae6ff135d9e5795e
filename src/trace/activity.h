/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtActivity: what a span does with a device, in words that no format owns; and what a flow between two spans means.
 *
 * An importer says of a span its role, the queue (stream) that it is on or speaks of, and its correlation id; the store
 * adds the span that launched it. Analyzers read nothing else of a device's work: neither raw names nor arguments.
 * Spans without a role have no row of activity.
 *
 *   importer   gives the facts with the span: TtNestSpan.activity = tt_sink_hold_activity (sink, &facts)
 *   nest       hands them on once the span has its row: tt_sink_activity ()
 *   store      keeps them until the source ends, finds launches (a launch is where a flow with the link TT_LINK_LAUNCH
 *              comes from; the points of such a flow meet by a 64-bit key, the correlation id), writes the rows
 *
 * Numbers of roles and links are those of the database: they keep their values.
 */
#pragma once

#include <glib.h>

typedef enum
{
  TT_ACTIVITY_NONE,

  /* Calls of the host that do more than launch work: a plain launch needs no row, its work names it. */
  TT_ACTIVITY_COPY_CALL,   /* starts a copy, and may wait until it is done: see `blocks` */
  TT_ACTIVITY_SYNCHRONIZE, /* waits until work is done */
  TT_ACTIVITY_RECORD,      /* records an event in a queue */
  TT_ACTIVITY_QUEUE_WAIT,  /* makes a queue wait for an event; the host goes on */
  TT_ACTIVITY_POLL,        /* asks whether work is done; no reason for the run to last */

  /* Work in a queue of a device. */
  TT_ACTIVITY_KERNEL,
  TT_ACTIVITY_COPY,
  TT_ACTIVITY_SET,

  /* Marks in the row of a queue: they say what a call waits for, and are nothing done. */
  TT_ACTIVITY_AWAITS_DEVICE, /* the call waits for all queues of the device */
  TT_ACTIVITY_AWAITS_QUEUE,  /* ... for `queue` */
  TT_ACTIVITY_AWAITS_EVENT,  /* ... for an event: `waits_for`, `waits_on` */
  TT_ACTIVITY_QUEUE_AWAITS,  /* `queue` waits for an event: `waits_for`, `waits_on` */

  TT_ACTIVITY_BACKWARD, /* an operator of the backward pass; its launch is the operator of the forward pass */
  TT_ACTIVITY_TRACER,   /* the tracer at work: nothing done in the run */
  TT_N_ACTIVITY_ROLES,
} TtActivityRole;

/* "launch", "kernel" ... as in the view `activity`. */
const char *tt_activity_role_text (TtActivityRole role);

static inline gboolean
tt_activity_is_work (TtActivityRole role)
{
  return role >= TT_ACTIVITY_KERNEL && role <= TT_ACTIVITY_SET;
}

static inline gboolean
tt_activity_is_mark (TtActivityRole role)
{
  return role >= TT_ACTIVITY_AWAITS_DEVICE && role <= TT_ACTIVITY_QUEUE_AWAITS;
}

typedef struct
{
  TtActivityRole role;
  gboolean blocks;     /* a copy call: it returns when the copy is done; a copy: it keeps its call waiting */
  guint32 queue;       /* thread of the queue; TT_NO_ID: not known, or none */
  guint32 waits_on;    /* thread of the queue that recorded the event waited for; TT_NO_ID: not known */
  guint64 correlation; /* of a call its own; of work and marks that of the call they come from; 0: none */
  guint64 waits_for;   /* correlation of the call that recorded the event waited for; 0: not known */
} TtActivity;

/* -- links -------------------------------------------------------------------------------------------- */

/* Why a flow leads from one span to another. */
typedef enum
{
  TT_LINK_NONE,     /* the source does not say */
  TT_LINK_LAUNCH,   /* from a call to the work that it launched */
  TT_LINK_AUTOGRAD, /* from a forward operator to its backward one */
  TT_LINK_THREAD,   /* from the creator of a thread to the thread's first call */
  TT_LINK_OBJECT,   /* from the call that made an object to a thread's first call that uses it */
  TT_LINK_QUEUE,    /* from what was put into a queue to the call that waits for the queue */
  TT_N_LINKS,
} TtLink;

/* A kind of flows; lives as long as the program. */
typedef struct
{
  const char *text; /* as the source calls it */
  TtLink link;
  gboolean is_inferred; /* the importer concluded that there is one */
  gboolean is_open;     /* a start that nothing follows is no loss: not counted */
} TtFlowKind;

/* A kind of which only the source's word is known. */
const TtFlowKind *tt_flow_kind (const char *text);

/* -- held until a span has its row ------------------------------------------------------------------------ */

/* Facts of open spans by numbers from 1, which are used again. Memory is bounded: beyond a cap they lie in a file. */
typedef struct _TtActivityPool TtActivityPool;

TtActivityPool *tt_activity_pool_new (void);
void tt_activity_pool_free (TtActivityPool *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtActivityPool, tt_activity_pool_free)
guint32 tt_activity_pool_hold (TtActivityPool *self, const TtActivity *activity);
/* Gives back what is held as @number, which is then free. */
TtActivity tt_activity_pool_take (TtActivityPool *self, guint32 number);
gboolean tt_activity_pool_check (const TtActivityPool *self, GError **error);
