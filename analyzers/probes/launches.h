/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtProbeLaunches: records of each launch of an operation, of which a picture shows the one that has the most.
 *
 * A launch is an operation in a source, for each result file of Neutrino is a source.
 */
#pragma once

#include "src/base/map64.h"

#define TT_PROBE_MAX_LAUNCHES 64u
#define TT_PROBE_NO_LAUNCH G_MAXUINT

/* Zeroed it is empty. */
typedef struct
{
  TtMap64 places;                      /* source and name -> place */
  guint64 keys[TT_PROBE_MAX_LAUNCHES]; /* source << 32 | name */
  guint64 n_records[TT_PROBE_MAX_LAUNCHES];
  guint n;
  guint64 n_beyond; /* records of launches that there is no place for */
} TtProbeLaunches;

typedef struct
{
  guint place;
  guint32 source, name;
  guint64 n_records, n_others; /* its own, and those of all other launches */
} TtProbeLaunch;

void tt_probe_launches_clear (TtProbeLaunches *self);
/* Counts a record; the place of its launch, TT_PROBE_NO_LAUNCH: there is none. @name: the first of its operation. */
guint tt_probe_launches_add (TtProbeLaunches *self, guint32 source, guint32 name);
/* The one with the most records, of several the first source. FALSE: there is none; then all is @launch's n_others. */
gboolean tt_probe_launches_choose (const TtProbeLaunches *self, TtProbeLaunch *launch);
