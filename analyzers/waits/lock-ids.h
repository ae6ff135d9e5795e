/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtLockIds: which lock a call is of, where its arguments tell: a number or an address named lock, mutex, rwlock, spinlock,
 * lock_id, mutex_id or wait_id (OTF2's ThreadAcquireLock and OmpAcquireLock, tracers of POSIX's functions, OMPT). The same
 * value is the same lock in one process.
 *
 * Memory: 12 to 24 bytes a call that tells, and the texts of all locks.
 */
#pragma once

#include "analyzers/waits/call-class.h"
#include "src/base/map64.h"

typedef struct
{
  TtMap64 of_event; /* number of the lock by event; of those that do not tell none */
  gboolean unlocks; /* one that unlocks tells */
} TtLockIds;

/* One scan, with arguments. FALSE with @error. */
gboolean tt_lock_ids_read (TtLockIds *self, TtStore *store, TtCallClasses *classes, GError **error);
void tt_lock_ids_clear (TtLockIds *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtLockIds, tt_lock_ids_clear)

/* From 1; 0: it is not told. */
static inline guint32
tt_lock_ids_get (const TtLockIds *self, guint64 event)
{
  guint32 number = tt_map64_get (&self->of_event, event);

  return number == TT_MAP64_NONE ? 0 : number;
}
