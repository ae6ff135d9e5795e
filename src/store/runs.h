/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The runs of a database, whichever are selected: what each holds, and which there are.
 */
#pragma once

#include "src/store/handle.h"
#include "src/trace/event.h"

typedef struct
{
  guint32 id;
  const char *command, *imported_at;
  const char *formats; /* "kineto, tau"; NULL: no sources */
  guint n_sources;
  guint64 n_spans;
  gboolean has_time;
  TtClock clock; /* of the times: epoch before relative before ticks */
  gint64 first_ns, last_ns;
} TtRunSummary;

/* In order of ids; texts are valid during the call. FALSE ends it. */
typedef gboolean (*TtRunSummaryFunc) (const TtRunSummary *run, gpointer data);
gboolean tt_store_each_run (TtStore *self, TtRunSummaryFunc func, gpointer data, GError **error);

/* Of guint32, ascending: "all", or ids with commas between them: "1,3". NULL with @error: not a list, or no such run.
 * Free it with g_array_unref(). */
GArray *tt_store_parse_runs (TtStore *self, const char *text, GError **error);
/* "1, 3 and 5"; with many the first and the last. Free it. */
char *tt_store_runs_text (TtStore *self);
