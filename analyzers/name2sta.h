/*
 * name2sta: statistics per op_long_name as a JSON object, the dictionary that other tools of this
 * field exchange.
 *
 * Times are milliseconds. Spans are numbered from 0 in (ts, name) order of the whole run, whatever
 * is selected; "id" numbers the operations in order of their first span. "step_ids" are numbers of
 * spans: where the run has steps, element s is the last span of the operation in step s or null;
 * where it has none, all its spans.
 */
#pragma once

#include "src/output.h"
#include "src/selection.h"

/* @selection: bound, or NULL. *n_rows: how many operations were written. */
gboolean tt_name2sta_write (TtStore *store, TtSelection *selection, TtOutput *out, guint *n_rows, GError **error);
