/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Times of spans: their ends, and whether a time is a date.
 */
#pragma once

#include <glib.h>

/* 2001-09-09 to 2033-05-18 in nanoseconds since 1970: a clock that shows such a time counts from 1970. */
#define TT_EPOCH_MIN_NS G_GINT64_CONSTANT (1000000000000000000)
#define TT_EPOCH_MAX_NS G_GINT64_CONSTANT (2000000000000000000)

/* Times that are kept: 146 years around the zero of a clock. The difference of two of them has 64 bits. */
#define TT_TIME_MAX_NS ((G_GINT64_CONSTANT (1) << 62) - 1)

static inline gboolean
tt_time_is_kept (gint64 ns)
{
  return ns >= -TT_TIME_MAX_NS && ns <= TT_TIME_MAX_NS;
}

static inline gboolean
tt_time_is_epoch (gint64 ns)
{
  return ns >= TT_EPOCH_MIN_NS && ns <= TT_EPOCH_MAX_NS;
}

/* @dur_ns: 0 or more. An end beyond the 64 bits is their last moment. */
static inline gint64
tt_span_end (gint64 ts_ns, gint64 dur_ns)
{
  gint64 end_ns;

  return __builtin_add_overflow (ts_ns, dur_ns, &end_ns) ? G_MAXINT64 : end_ns;
}

/* Times that are not yet judged may be further apart than 64 bits say: then as far as they do. */
static inline gint64
tt_time_since (gint64 ts_ns, gint64 origin_ns)
{
  gint64 ns;

  if (__builtin_sub_overflow (ts_ns, origin_ns, &ns))
    return ts_ns < origin_ns ? G_MININT64 : G_MAXINT64;
  return ns;
}
