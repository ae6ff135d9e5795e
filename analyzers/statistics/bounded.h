/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spans whose begin or end the tracer discarded (TT_FLAGS_BOUNDED): what they show is no measure of how long they took.
 * They count, but are in no extreme or quantile and are not compared.
 */
#pragma once

#include "src/base/report/report.h"
#include "src/store/store.h"

/* How many begins and ends the sources of the selected runs lack; 0: nothing has to be said. */
guint64 tt_bounded_ends (TtStore *store);
/* If there are any, below @report: "Lost begins or ends: 12. Their spans are not compared", with @are at its end. */
void tt_bounded_tell (TtStore *store, const char *are, TtReport *report);
