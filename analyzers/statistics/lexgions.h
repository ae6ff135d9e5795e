/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtLexgions: spans by lexgion (lexical region: one construct or call in the source, known by its code pointer), and how
 * evenly the threads share the work of each.
 *
 * The code pointer is the member `codeptr` of a span's arguments, text like "0x4010bd"; spans without one are left out.
 * For a parallel region (COMP.omp_parallel) the threads' times are those of its team: each thread's implicit
 * tasks (COMP.omp_implicit_task with that code pointer) without its waits in barriers and joins of the region
 * (SYNC.omp_barrier and SYNC.omp_join whose argument `parallel_codeptr` is that code pointer). For all other spans they
 * are the Totals of the threads that have any.
 *
 * A filter chooses the spans of count, total_ns and self_ns, and so which rows there are. What is told of threads is of
 * all spans of the run whatever is filtered, for a region is measured by spans of other names than its own.
 *
 * Where PInsight has recorded only some invocations, as their numbers say (the arguments `parallel_record_id` of what a parallel
 * region has, `record_id` of calls and of work that is counted by itself), rows have estimates of what all of them would
 * have been.
 */
#pragma once

#include "analyzers/statistics/sampled.h"
#include "src/select/selection.h"
#include "src/store/store.h"

typedef struct
{
  guint64 codeptr;
  guint32 name; /* the first id with its text */
  guint64 count;
  guint64 n_late; /* of count: work whose end is not in the trace, which lasted at most as long as it is shown */
  tt_int128 total_ns, self_ns; /* total: nested spans of a row and thread count once */
  guint n_threads;
  tt_int128 thread_min_ns, thread_max_ns, thread_sum_ns;
  gboolean is_region;          /* a parallel region whose team is known */
  tt_int128 task_ns, waits_ns; /* of a region: of all threads */
  TtSampledEstimate sampled;   /* of count and total_ns */
} TtLexgionRow;

/* Of the threads. */
static inline double
tt_lexgion_mean_ns (const TtLexgionRow *self)
{
  return self->n_threads == 0 ? 0.0 : (double) self->thread_sum_ns / self->n_threads;
}

/* Percent: (max / mean - 1) * 100. */
static inline double
tt_lexgion_imbalance (const TtLexgionRow *self)
{
  double mean = tt_lexgion_mean_ns (self);

  return mean > 0 ? ((double) self->thread_max_ns / mean - 1.0) * 100.0 : 0.0;
}

/* Of TtLexgionRow, largest self time first. @selection: bound, without a time window, or NULL. @limit: what of the sampling is
 * known, with @data; NULL: nothing. */
GArray *
tt_lexgions_new (TtStore *store, const TtSelection *selection, TtSampledLimitFunc limit, gpointer data, GError **error);
/* The same without the estimates. */
GArray *tt_lexgions_new_recorded (TtStore *store, const TtSelection *selection, GError **error);

/* In which tables an event is: bit i of table i. Called for each event of the run, from the last to the first. */
typedef guint64 (*TtLexgionsMaskFunc) (const TtEvent *event, gpointer data);
/* @n tables, 64 at most, in one scan of the run: of GArray, each as tt_lexgions_new_recorded() of its events. */
GPtrArray *tt_lexgions_new_each (TtStore *store, guint n, TtLexgionsMaskFunc mask_of, gpointer data, GError **error);
