/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench-read: the least that reading a file can cost: read() in blocks and one pass over the bytes.
 */
#include "config.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BLOCK (1 << 20)

int
main (int argc, char **argv)
{
  static uint64_t block[BLOCK / sizeof (uint64_t)];
  uint64_t sum = 0, total = 0;
  int fd = argc == 2 ? open (argv[1], O_RDONLY) : -1;

  if (fd < 0)
    {
      fprintf (stderr, "usage: bench-read FILE\n");
      return 2;
    }
  for (;;)
    {
      ssize_t n = read (fd, block, sizeof block);
      if (n <= 0)
        break;
      for (size_t i = 0; i < (size_t) n / sizeof (uint64_t); i++)
        sum += block[i];
      total += (uint64_t) n;
    }
  close (fd);
  /* The sum is printed so that it is really made. */
  printf ("%" PRIu64 " bytes, sum %" PRIx64 "\n", total, sum);
  return 0;
}
