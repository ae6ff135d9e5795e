/* SPDX-License-Identifier: Apache-2.0
 *
 * What plant.py puts at the head of a source with mutants. One build holds all of them: TT_MUTANT chooses the one that
 * is awake, and TT_MUTANT_LOG names a file that gets the number of each mutant that a process comes to.
 *
 * A state a source, no system header: it is included before what chooses features, and by libraries that run inside
 * other programs.
 */
#pragma once

/* Names of their own: a header that comes later may declare the real ones in another way. */
extern char *tt_mutant_getenv (const char *name) __asm__ ("getenv");
extern int tt_mutant_atoi (const char *text) __asm__ ("atoi");
extern int tt_mutant_open (const char *path, int flags, ...) __asm__ ("open");
extern long tt_mutant_write (int fd, const void *bytes, unsigned long size) __asm__ ("write");
extern int tt_mutant_close (int fd) __asm__ ("close");

static unsigned char tt_mutant_seen[TT_N_MUTANTS + 1];
static int tt_mutant_awake;

static __attribute__ ((noinline, unused)) void
tt_mutant_reach (int id)
{
  const char *awake = tt_mutant_getenv ("TT_MUTANT"), *path = tt_mutant_getenv ("TT_MUTANT_LOG");
  char line[12], *start = line + sizeof line;
  int fd;

  tt_mutant_awake = awake != 0 ? tt_mutant_atoi (awake) : 0;
  tt_mutant_seen[id] = 1;
  if (path == 0)
    return;

  *--start = '\n';
  for (int rest = id; rest > 0; rest /= 10)
    *--start = (char) ('0' + rest % 10);
  fd = tt_mutant_open (path, 02001 | 0100, 0644); /* O_WRONLY | O_APPEND | O_CREAT of Linux */
  if (fd < 0)
    return;
  if (tt_mutant_write (fd, start, (unsigned long) (line + sizeof line - start)) < 0)
    start = line;
  tt_mutant_close (fd);
}

static inline __attribute__ ((unused)) int
tt_mutant (int id)
{
  if (!tt_mutant_seen[id])
    tt_mutant_reach (id);
  return id == tt_mutant_awake;
}
