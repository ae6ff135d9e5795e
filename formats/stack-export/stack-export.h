/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs written as call stacks.
 *
 * Folded stacks (flamegraph.pl): a line for each call path of each thread, its frames joined by ';', and the self time
 * of its spans, in the unit of the clock: ns or ticks. The first frames are process and thread. All values together are
 * the self time of the spans. Lines are in the order of their frames.
 *
 * Profiles for speedscope (https://www.speedscope.app/file-format-schema.json): one a thread, of "evented" type, with
 * times from the first of the run, in ns or, of ticks, without a unit. Only spans that nest can be in one profile:
 * those that cross another go with what is inside them to the next of their thread, and asynchronous spans to profiles
 * of their own.
 *
 * In both, a span that is not selected is treated as absent: what it calls is called by the span that contains it.
 */
#pragma once

#include "src/base/crew.h"
#include "src/base/output.h"
#include "src/select/selection.h"
#include "src/store/store.h"

/* Profiles of one thread. Spans that would need more are left out. */
#define TT_STACK_MAX_PROFILES 64u

typedef struct
{
  guint64 n_spans;
  guint64 n_paths;    /* of folded stacks */
  guint64 n_profiles; /* of speedscope */
  guint64 n_instants; /* left out */
  guint64 n_left_out; /* spans of TT_STACK_MAX_PROFILES */
  guint64 n_renamed;  /* texts that would break a line of folded stacks */
  guint64 n_crossing; /* of speedscope: times that a span was left to a further profile */
  gboolean mixed_clocks;
  gboolean is_odd;  /* of a crew, of speedscope: parts do not make a whole; one has to write all */
  gboolean is_over; /* likewise: rank 0 wants no more of it */
} TtStackReport;

typedef struct
{
  TtSelection *selection;  /* NULL: everything */
  gboolean original_names; /* frames have the names of the source */
  const TtCrew *crew;      /* NULL, or ranks that share the work */
} TtStackOptions;

/* @report: zeroed. Of a crew, ranks other than 0 write nothing: FALSE, without @error if they are done. */
gboolean
tt_folded_export (TtStore *store, const TtStackOptions *options, TtOutput *out, TtStackReport *report, GError **error);
/* Each rank of a crew writes what comes after what those before it write, and rank 0 has the report of all. FALSE, without @error: another has failed. */
gboolean tt_speedscope_export (TtStore *store,
                               const TtStackOptions *options,
                               TtOutput *out,
                               TtStackReport *report,
                               GError **error);
