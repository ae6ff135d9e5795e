/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order in which answers list processes: by rank, those without one last; then by id.
 */
#pragma once

#include "src/store/store.h"

int tt_process_order (TtStore *store, guint32 a, guint32 b);
/* The process that leads the rank of @thread. TT_NO_ID: there is no such thread. */
guint32 tt_rank_of_thread (TtStore *store, guint32 thread);
/* Its process; TT_NO_ID: there is no such thread. */
guint32 tt_process_of_thread (TtStore *store, guint32 thread);
