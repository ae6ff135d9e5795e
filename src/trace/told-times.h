/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a source tells of the times of an event that is shown with others, as members of its arguments: told_ts_ns,
 * told_dur_ns, and between what its duration lies, dur_between_ns.
 */
#pragma once

#include "src/trace/sink.h"

typedef struct
{
  gint64 ts_ns;       /* TT_NO_TIME: it is the event's */
  gint64 dur_ns;      /* TT_NO_TIME: it has none */
  gint64 longest_ns;  /* TT_NO_TIME: dur_ns may be right */
  gint64 shortest_ns; /* with longest_ns */
} TtToldTimes;

/* @args, 0: none, with them. */
guint64 tt_told_times_keep (const TtToldTimes *self, TtSink *sink, guint64 args);
