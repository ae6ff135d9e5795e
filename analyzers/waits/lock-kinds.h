/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which kind of lock a call is of. Names do not tell the lock itself, but what unlocks a mutex of POSIX
 * frees no critical section of OpenMP: whom a thread waited for is one of its kind.
 */
#pragma once

#include "src/store/store.h"

/* Of what is told of a name the kind, and what else it means for the lock. */
#define TT_LOCK_KIND 0x1fu
#define TT_LOCK_SHARED 0x20u    /* several may hold one */
#define TT_LOCK_MAY_FAIL 0x40u  /* it may return without the lock */
#define TT_LOCK_CONDITION 0x80u /* who waits in it lets go of one */

/* By name of the store, 0: no such call. Calls that lock, hold and unlock one kind have one number. Free it. */
guint8 *tt_lock_kinds_new (TtStore *store);
