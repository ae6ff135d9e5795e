/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When a TAU trace was recorded, by its first and last record: which files of a folder are of one run.
 */
#pragma once

#include <glib.h>

typedef struct
{
  gint64 first_us, last_us; /* since 1970 */
} TtTauPeriod;

/* FALSE: not known (compressed, damaged at an end, or in another unit than microseconds since 1970). */
gboolean tt_tau_find_period (const char *path, TtTauPeriod *period);

/* Whether two periods are too far apart for one run: by over ten seconds and four times the longer of them. */
gboolean tt_tau_are_apart (const TtTauPeriod *a, const TtTauPeriod *b);

/* Whether a message among the first records of a per-rank file is to or from node @from or above. */
gboolean tt_tau_names_peer (const char *path, guint64 from);

/* "2026-11-21 00:20:28 UTC"; free it. */
char *tt_tau_date (gint64 us);
