/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of fuzz targets, so that what takes a path is fuzzed without a disk. Each is made once and written again for
 * every input: making and removing one takes longer than most targets need for the input itself. C11 without GLib.
 */
#pragma once

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MEMORY_FILES 4

/* @file has these bytes and no others. */
static inline void
fuzz_write (int file, const void *bytes, size_t len)
{
  if (file < 0 || ftruncate (file, 0) != 0 || (len > 0 && pwrite (file, bytes, len, 0) != (ssize_t) len))
    abort ();
}

/* Path of the file number @slot, which has these bytes until the next call for it. It lies in memory, without a name in
 * any folder. */
static inline const char *
fuzz_memory_file (unsigned int slot, const void *bytes, size_t len)
{
  static int files[MEMORY_FILES];
  static char paths[MEMORY_FILES][32];

  if (slot >= MEMORY_FILES)
    abort ();
  if (files[slot] == 0)
    {
      files[slot] = memfd_create ("fuzz", MFD_CLOEXEC);
      snprintf (paths[slot], sizeof paths[slot], "/proc/self/fd/%d", files[slot]);
    }
  fuzz_write (files[slot], bytes, len);
  return paths[slot];
}

/* Writes the file @path in a folder. */
static inline void
fuzz_named_file (const char *path, const void *bytes, size_t len)
{
  int file = open (path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

  fuzz_write (file, bytes, len);
  close (file);
}
