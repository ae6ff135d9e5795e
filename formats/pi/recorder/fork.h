/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Children of the program record into a directory of their own: here their copy of the recorder starts afresh.
 */
#pragma once

#include <stdint.h>

/* 0 in a child that nobody has noticed yet. */
extern uint32_t *tt_record_fork_mark;

/* Notices children by pthread_atfork(), and those it misses (_Fork(), clone()) by a page that is zero in a child. */
void tt_record_watch_forks (void);
void tt_record_after_fork (void);

/* To be called before the recorder is used. */
static inline void
tt_record_check_fork (void)
{
  if (__builtin_expect (*tt_record_fork_mark == 0, 0))
    tt_record_after_fork ();
}
