/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What of a thread's native file a replay has not come to.
 */
#pragma once

#include <glib.h>

typedef struct
{
  guint64 n_calls;
  guint64 n_left;     /* calls after those that were made; releases are apart, unless none was made */
  guint64 n_releases; /* the same */
  guint64 balance;    /* of these: see TtReplayProgress */
  guint32 highest_id; /* of the runtime's functions */
  guint32 release;    /* of UR; 0: not known, or of PI */
} TtPiRecorded;

/* @done: calls that were made. @has_handles: recorded ones are sure. @has_others: calls of no known backend are left
 * out, but counted in `n_calls`. @has_waits: waits may be elsewhere, and so are none of those left. All 0 of a file that
 * is not there. */
TtPiRecorded
tt_pi_recorded_read (const char *path, guint64 done, gboolean has_handles, gboolean has_others, gboolean has_waits);
