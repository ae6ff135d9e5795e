/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What ranks that work on one run need to have in common: each may have a copy of its database on a disk of its node.
 */
#pragma once

#include "src/base/crew.h"
#include "src/store/store.h"

/* Of all runs of a database, and of the build. NULL: @error. Free it. */
char *tt_run_id (TtStore *store, GError **error);
/* On other ranks than 0: whether rank 0 has begun with what this one has; else @error. */
gboolean tt_run_id_check (TtStore *store, GError **error);

/* The ranks that this process is one of, if there are several: *@crew, whose id is not set. */
gboolean tt_run_has_crew (TtCrew *crew);
/* The same, for questions about @store: *@has FALSE where it is alone. */
gboolean tt_run_crew (TtStore *store, TtCrew *crew, gboolean *has, GError **error);
