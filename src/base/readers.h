/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many threads may read ahead of the one that asks for them.
 */
#pragma once

#include <glib.h>

/* Those that this process may use; g_get_num_processors() counts those that taskset, mpirun or a container keeps from it, too. */
guint tt_count_processors (void);

/* *@n: as many as TRACETOOL_READERS says, @most or fewer, then TRUE; otherwise as many as there are processors besides
 * this thread's. */
gboolean tt_readers_wanted (guint most, guint *n);
/* Whether one of them pays for work on @n_events: from 65,536 on, and whatever the number where TRACETOOL_READERS asks for
 * any. */
gboolean tt_readers_pay (guint64 n_events);
