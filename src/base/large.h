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

/* Zeroed; free with tt_large_free(). Ends the program where there is no memory, as g_malloc() does. */
static inline gpointer
tt_large_new0 (gsize size)
{
  if (size < TT_LARGE_PAGE)
    return memset (g_aligned_alloc (1, size, 64), 0, size);

  char *memory = mmap (NULL, size + TT_LARGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    g_error ("no memory for a table of %" G_GSIZE_FORMAT " bytes", size);
  gsize before = (TT_LARGE_PAGE - (guintptr) memory % TT_LARGE_PAGE) % TT_LARGE_PAGE;
  if (before > 0)
    munmap (memory, before);
  munmap (memory + before + size, TT_LARGE_PAGE - before);
#ifdef MADV_HUGEPAGE
  (void) madvise (memory + before, size, MADV_HUGEPAGE);
#endif
  return memory + before;
}

/* @memory: of tt_large_new0 (@size), or NULL. What was large goes back to the kernel. */
static inline void
tt_large_free (gpointer memory, gsize size)
{
  if (memory != NULL && size >= TT_LARGE_PAGE)
    munmap (memory, size);
  else
    g_aligned_free (memory);
}
