/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies memory of the program of which nobody knows whether it can be read: the kernel says. What lies in the calling
 * thread's stack or in the heap that grows by brk is there, and copied without asking, which is ten times as fast.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* false: it cannot be read, and @to is zeros. */
bool tt_record_copy (void *to, const void *from, size_t len);
/* Whether memory is there that need not be asked for. */
bool tt_record_is_there (const void *from, size_t len);
