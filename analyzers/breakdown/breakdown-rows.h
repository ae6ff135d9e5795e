/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the records of a breakdown to its rows: each lane is swept from its first record to its last, and threads that
 * were summed while they were read are rows as they are.
 */
#pragma once

#include "analyzers/breakdown/breakdown-private.h"

/* When what a record is of was launched; TT_NO_TIME: not known. */
gint64 tt_breakdown_launch_ns (const TtBreakdown *self, const TtBreakdownRecord *record);
/* Once all records are there; by place and step. */
gboolean tt_breakdown_make_rows (TtBreakdown *self, GError **error);
