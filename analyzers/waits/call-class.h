/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCallClasses: what a span means for waits, by the name of the function that it is a call of.
 *
 * MPI's functions by MPI's standard, those of threads by POSIX, barriers and locks of OpenMP by the words of the runtimes'
 * own tools (OMPT, PInsight, TAU, libgomp, LLVM).
 */
#pragma once

#include "src/store/store.h"

typedef enum
{
  TT_CALL_OTHER,
  TT_CALL_COMPLETE,         /* waits for one operation that was begun before: MPI_Wait, MPI_Waitany */
  TT_CALL_COMPLETE_ALL,     /* for several: MPI_Waitall, MPI_Waitsome */
  TT_CALL_POLL,             /* asks for that and returns: MPI_Test and its like */
  TT_CALL_POLL_PROBE,       /* asks for a message without receiving it, and returns: MPI_Iprobe, MPI_Improbe */
  TT_CALL_PROBE,            /* waits for a message without receiving it: MPI_Probe, MPI_Mprobe */
  TT_CALL_BEGIN_SEND,       /* returns at once, and is completed by another: MPI_Isend and its like, MPI_Start */
  TT_CALL_BEGIN_RECEIVE,    /* the same of receives: MPI_Irecv */
  TT_CALL_BUFFERED_SEND,    /* returns whoever receives: MPI_Bsend and its like */
  TT_CALL_SYNCHRONOUS_SEND, /* does not return before the receive has begun: MPI_Ssend */
  TT_CALL_SYNC_REGION,      /* TAU: a barrier of its own at the begin of a collective */
  TT_CALL_FINALIZE,         /* MPI_Finalize */
  TT_CALL_JOIN,             /* pthread_join */
  TT_CALL_LOCK,             /* pthread_mutex_lock, the begin of a critical section, and their like */
  TT_CALL_UNLOCK,
  TT_CALL_HOLD,           /* TAU: as long as the lock is held, until it is unlocked */
  TT_CALL_ENTER_CRITICAL, /* Opari: a critical section, and before its block begins the wait for it */
  TT_CALL_CRITICAL_BLOCK, /* the block within, as long as the lock is held */
  TT_CALL_RELEASE,        /* no call: OTF2's record within one, that tells which lock it freed */
  TT_CALL_THREAD_BARRIER, /* of the threads of one process */
} TtCallClass;

/* @op_name as in TtStoredName; NULL is of no class. */
TtCallClass tt_call_class (const char *op_cat, const char *op_name);

/* A call that asks and returns. */
static inline gboolean
tt_call_is_poll (TtCallClass call_class)
{
  return call_class == TT_CALL_POLL || call_class == TT_CALL_POLL_PROBE;
}

/* *@has: a name of the store is a poll, which waits since the first of its like (polls.h): that may lie before all that a
 * time window touches, and the last of them after it. */
gboolean tt_call_has_polls (TtStore *store, gboolean *has, GError **error);

/* The same for the names of a store, each looked at once. One byte a name. */
typedef struct
{
  TtStore *store;
  guint8 *by_name; /* class + 1; 0: not yet asked */
  guint32 max_name;
} TtCallClasses;

void tt_call_classes_init (TtCallClasses *self, TtStore *store);
void tt_call_classes_clear (TtCallClasses *self);
TtCallClass tt_call_classes_find (TtCallClasses *self, guint32 name);

static inline TtCallClass
tt_call_classes_get (TtCallClasses *self, guint32 name)
{
  return name <= self->max_name && self->by_name[name] != 0 ? (TtCallClass) (self->by_name[name] - 1)
                                                            : tt_call_classes_find (self, name);
}
