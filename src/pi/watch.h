/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ptrace half of pi-run.h: the filter that a child puts on itself, and the loop of the parent.
 */
#pragma once

#include "src/pi/run.h"

#include <sys/types.h>

/* Why this build cannot watch programs; NULL: it can. */
const char *tt_pi_watch_missing (const TtPiRun *run);
/* In the child, before exec: from now on its opens stop for the parent. 0, or errno. */
int tt_pi_watch_filter (void);
/* In the parent, of a child that waits to be let go: 0, or errno. */
int tt_pi_watch_seize (pid_t child);
/* Until the child and all its children are gone. */
void tt_pi_watch_loop (const TtPiRun *run, TtPiRan *ran, pid_t child);
