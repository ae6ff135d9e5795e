/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A query by the ranks of a crew, each over the events of some ids (query-split.h).
 */
#pragma once

#include "src/base/crew.h"
#include "src/store/query.h"

/* All ranks ask the same. On rank 0 as tt_store_query(), where *@is_answered; else the question is for one alone, whatever @columns and @row have
 * had of it. The others give their parts. */
gboolean tt_store_query_joint (TtStore *self,
                               const char *sql,
                               const TtCrew *crew,
                               TtQueryColumnsFunc columns,
                               TtQueryRowFunc row,
                               gpointer data,
                               gboolean *is_answered,
                               GError **error);
