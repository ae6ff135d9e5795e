/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtHeldLocks: where threads of a process hold several locks of one kind at once, so that a call that does not tell its lock
 * may wait for another than it seems.
 *
 * A thread holds one at least from the end of the call that locks to the begin of the one that unlocks. Not judged are
 * locks that several may hold (of readers), and calls that may return without it (pthread_mutex_timedlock); who waits for a
 * condition holds no mutex.
 */
#pragma once

#include <glib.h>

typedef struct
{
  gint64 ns;
  guint32 process, thread;
  guint8 kind;     /* of lock-kinds.h */
  gboolean is_end; /* it held the lock until then */
} TtLockPoint;

/* @points: of TtLockPoint; put in order. Returns keys of tt_held_lock_key() as a set. Free it. */
GHashTable *tt_held_locks_find (GArray *points);

static inline gint64
tt_held_lock_key (guint32 process, guint8 kind)
{
  return (gint64) ((guint64) process << 8 | kind);
}
