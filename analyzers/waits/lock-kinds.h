/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which kind of lock a call is of. Neither TAU nor the runtimes' names tell the lock itself, but what unlocks a mutex of POSIX
 * frees no critical section of OpenMP: whom a thread waited for is one of its kind.
 */
#pragma once

#include "src/store/store.h"

/* By name of the store, 0: no such call. Calls that lock, hold and unlock one kind have one number. Free it. */
guint8 *tt_lock_kinds_new (TtStore *store);
