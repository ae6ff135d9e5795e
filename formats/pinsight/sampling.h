/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSampling: which invocations of a code region are recorded, by PInsight's rule of three counters.
 *
 * Each thread counts the invocations of each region ("site") on its own:
 *   counter        invocations so far
 *   trace_counter  recorded ones that have ended
 *   since          invocations since the last recorded one ended
 * An invocation is recorded if counter - 1 >= starts_at, trace_counter < most and since >= rate, after counting it. So
 * the first recorded one is number max (starts_at + 1, rate), then every rate-th, `most` in all: it is not
 * (n - starts_at) % rate, for `since` runs while nothing is recorded yet.
 * Invocations that a filter rejects are counted all the same. All counters have 32 bits and wrap, as PInsight's do.
 */
#pragma once

#include <glib.h>

typedef struct
{
  gint64 starts_at; /* >= 0 */
  gint64 most;      /* -1: no limit */
  gint64 rate;      /* >= 1; 0 means 1 */
} TtSamplingRule;

#define TT_SAMPLING_EVERYTHING \
  {                            \
    0, -1, 1                   \
  }

/* A site of a thread that was never invoked is zeroed. */
typedef struct
{
  guint32 counter, trace_counter, since;
} TtSamplingState;

/* Counts an invocation; whether it is recorded. @passes: nothing else speaks against it. */
static inline gboolean
tt_sampling_begin (TtSamplingState *state, const TtSamplingRule *rule, gboolean passes)
{
  state->counter++;
  state->since++;
  return passes && (gint64) (guint32) (state->counter - 1) >= rule->starts_at &&
         (rule->most < 0 || (gint64) state->trace_counter < rule->most) && (gint64) state->since >= rule->rate;
}

/* The same where the source has numbered the invocations (PInsight's record_id, from 1), of which it may hold only
 * some. A number that does not rise is a new count from there. */
gboolean
tt_sampling_begin_numbered (TtSamplingState *state, const TtSamplingRule *rule, gboolean passes, guint32 number);

/* A recorded invocation has ended; before the next one of its thread begins, unless that lies within it. */
static inline void
tt_sampling_end (TtSamplingState *state)
{
  state->trace_counter++;
  state->since = 0;
}

/* The number of the first invocation that @rule records; 0: none. */
guint64 tt_sampling_first (const TtSamplingRule *rule);
/* "6, 9, 12 and 15", "every 10th from 10", "none". Free it. */
char *tt_sampling_describe (const TtSamplingRule *rule);
