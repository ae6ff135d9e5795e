/* SPDX-License-Identifier: Apache-2.0 */
/*
 * name2sta and cat2sta: statistics per op_long_name and per fine category as JSON objects, the
 * dictionaries that other tools of this field exchange. Times are milliseconds, variances ms^2.
 *
 * name2sta: op_long_name -> avg, cnt, time (the sum), min_t, max_t, median (element floor(cnt/2) of the sorted
 * durations), var (of the population), cat (fine category), id, step_ids. Spans are numbered from 0 in (ts, name) order of the
 * whole run, whatever is selected; "id" numbers the operations in order of their first span. "step_ids" are numbers of
 * spans: where the run has steps, element s is the last span of the operation in step s or null;
 * where it has none, all its spans.
 * cat2sta: category -> time, cnt (of all its spans), op_cnt (number of operations), avg (time / cnt), max_t (the
 * largest avg of an operation), max_name (the first operation that has it); in order of their first span.
 * Instants and events of category `debug` are left out of both.
 */
#pragma once

#include "src/base/crew.h"
#include "src/base/output.h"
#include "src/select/selection.h"

/* @selection: bound, or NULL. @crew: NULL, or ranks that share the work, of which 0 alone writes. *n_rows: how many operations were written. */
gboolean tt_name2sta_write (TtStore *store,
                            TtSelection *selection,
                            const TtCrew *crew,
                            TtOutput *out,
                            guint *n_rows,
                            GError **error);
/* *n_rows: how many categories. */
gboolean tt_cat2sta_write (TtStore *store,
                           TtSelection *selection,
                           const TtCrew *crew,
                           TtOutput *out,
                           guint *n_rows,
                           GError **error);
