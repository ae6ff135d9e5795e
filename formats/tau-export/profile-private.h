/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the parts of the export of profiles share: profile.c reads the run, profile-metrics.c its metrics,
 * profile-files.c writes.
 */
#pragma once

#include "formats/tau-export/numbers.h"
#include "formats/tau-export/tau-export.h"
#include "src/base/int128.h"
#include "src/store/event-bits.h"

/* A name or series on a thread. */
typedef struct
{
  guint32 thread, id;
} TtProfileKey;

typedef struct
{
  TtProfileKey key;
  guint64 n_calls, n_children;
  tt_int128 self_ns, total_ns;
  guint n_open; /* while spans are read */
} TtProfileRow;

typedef struct
{
  TtProfileKey key;
  guint64 n;
  double min, max, sum, sum_squares;
} TtProfileValues;

/* Of a name on a thread, in units of the metric. */
typedef struct
{
  TtProfileKey key;
  tt_int128 exclusive, inclusive; /* the latter of spans that lie in none of their name */
} TtProfileMetricRow;

typedef struct
{
  guint32 series;
  char *folder;     /* the metric's, a name of a file, no other metric's */
  GHashTable *rows; /* TtProfileMetricRow, by its key */
} TtProfileMetric;

typedef struct
{
  TtStore *store;
  TtSelection *selection;
  TtTauExportReport *report;
  GHashTable *rows;     /* TtProfileRow, by its key */
  GHashTable *values;   /* TtProfileValues */
  GPtrArray *metrics;   /* TtProfileMetric; empty: the run has none */
  guint32 *first_names; /* by id: the first name that is written as it is */
  guint32 n_threads;
  /* Spans that count, and those of them that lie in none of their name. */
  TtEventBits *counted, *outermost;
  const char *time_name; /* of the time beside metrics */
} TtProfile;

guint tt_profile_key_hash (gconstpointer key);
gboolean tt_profile_key_equal (gconstpointer a, gconstpointer b);

/* -- metrics ---------------------------------------------------------------------------------------------- */

/* Those of the run, summed up over the spans that are marked. */
gboolean tt_profile_read_metrics (TtProfile *self, GError **error);

/* -- files ------------------------------------------------------------------------------------------------ */

/* Writes all, adding the paths of what was not there before to @written, folders before what is in them. */
gboolean tt_profile_write (TtProfile *self,
                           const char *folder,
                           const TtTauExportNumbers *numbers,
                           GPtrArray *written,
                           GError **error);
