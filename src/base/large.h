/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of some MB that are read at random places: in large pages, where the kernel lends them (it is asked), a look-up
 * does not wait for the page table, too.
 */
#pragma once

#include <glib.h>

#include <string.h>
#include <sys/mman.h>

#define TT_LARGE_PAGE ((gsize) 2 << 20)

/* Zeroed; free with g_aligned_free(). */
static inline gpointer
tt_large_new0 (gsize size)
{
  gpointer memory = g_aligned_alloc (1, size, size >= TT_LARGE_PAGE ? TT_LARGE_PAGE : 64);

#ifdef MADV_HUGEPAGE
  if (size >= TT_LARGE_PAGE)
    (void) madvise (memory, size / TT_LARGE_PAGE * TT_LARGE_PAGE, MADV_HUGEPAGE);
#endif
  return memset (memory, 0, size);
}
