/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that are kept for the next function, see kept-threads.c. */
#pragma once

#include <glib.h>

/* No thread of this name is to be had, and its caller does the work: for a few rows that takes less time than handing
 * them over. NULL: all are. */
void fuzz_kept_threads_refuse (const char *name);
