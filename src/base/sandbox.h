/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Takes from this process what a program that only reads and computes never needs, for good.
 *
 * For processes that decode what nobody has checked with code that is not ours.
 */
#pragma once

#include <glib.h>

/* From now on the kernel answers EPERM to all but: reading and writing what is open, opening files to read them, memory
 * that is not executable, time, and ending. No new file, no network, no program, no other process. FALSE: this
 * kernel or processor does not know the filter, and nothing has changed. For processes of one thread. */
gboolean tt_sandbox_enter (void);
