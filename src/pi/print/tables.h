/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of `pi print`: times by function and thread; what led to the first failing call.
 */
#pragma once

#include "formats/pi/trace.h"
#include "src/base/output.h"
#include "src/pi/print/walk.h"
#include "src/base/report/report.h"

/* One row a function, or with @by_thread one a thread and function; by thread, then total. NULL with @error. */
TtReport *tt_pi_perf_table (TtPiTrace *trace, const TtPiChoice *choice, gboolean by_thread, GError **error);

/* The first of the chosen calls that failed, or else never returned; the calls that made or last touched the objects it
 * uses, and those before it on its thread. @options: those that @trace was opened with. FALSE with @error. */
gboolean tt_pi_write_first_error (TtPiTrace *trace,
                                  const TtPiOptions *options,
                                  const TtPiChoice *choice,
                                  TtOutput *out,
                                  GError **error);
