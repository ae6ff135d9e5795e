/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtDurationLog: durations of many groups, as they come, to be read any number of times from the start.
 *
 * A duration is a key of 64 bits. Keys of one group that come together are a run: they take the bytes that their
 * differences need. What goes beyond the memory given lies on a temporary file.
 */
#pragma once

#include "src/base/tape.h"

/* Keys of a run at most. */
#define TT_DURATION_RUN 4096u

typedef struct
{
  guint32 group, n;
  guint64 min, max;
  guint width;         /* bytes a key */
  const guint8 *bytes; /* valid until the next run is read */
} TtDurationRun;

typedef struct
{
  TtTape *tape;
  guint64 next, size; /* of the tape */
  guint8 *window;
  gsize at, end; /* of what is left in the window */
} TtDurationReader;

/* Any number of @keys, @min and @max among them. */
void tt_duration_log_add (TtTape *tape, guint32 group, const guint64 *keys, gsize n, guint64 min, guint64 max);

/* @tape: borrowed, with nothing else on it; nothing more is added while it is read. */
void tt_duration_reader_init (TtDurationReader *self, TtTape *tape);
void tt_duration_reader_clear (TtDurationReader *self);
/* FALSE: there are no more, or the temporary file failed, which tt_tape_check() tells. */
gboolean tt_duration_reader_next (TtDurationReader *self, TtDurationRun *run);

/* Room for TT_DURATION_RUN. */
void tt_duration_run_keys (const TtDurationRun *run, guint64 *keys);
