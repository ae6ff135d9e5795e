/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCtfRegions: the parallel regions of a process whose end has not come yet, and the threads that work in each.
 *
 * A region is known by the fields that its begin and end share (code pointer and record). No more than 4096 are kept:
 * the oldest is dropped for a new one.
 */
#pragma once

#include <glib.h>

/* A run of a region by one team. PInsight numbers the regions of each thread that begins some from 1, so that the teams of
 * several threads may have the same key at a time; see teams.h. */
typedef struct
{
  gpointer master;         /* the thread that began it; borrowed */
  gint64 begin_ns, end_ns; /* G_MAXINT64: it has not ended */
  gint64 size;             /* of the team; 0: not known */
  guint64 taken;           /* numbers below 64 of the threads that are known to be in it */
  gboolean is_nested;      /* in another region */
} TtCtfTeam;

typedef struct
{
  gint64 key[2];
  guint n_open;         /* begins without their end: several teams may run the region at a time */
  GPtrArray *threads;   /* that have had implicit tasks in it; borrowed */
  gpointer begun_by;    /* the thread that began it last; NULL: not known */
  gint64 alive_ns;      /* an event was in it then; G_MININT64: none yet */
  GArray *teams;        /* of TtCtfTeam, in the order of their begins, with those that ended while others had not */
  gboolean lacks_teams; /* some are not known: records were lost, or there were too many */
  gboolean is_held, is_removed; /* see below */
} TtCtfRegion;

/* All zero: empty. */
typedef struct
{
  GHashTable *by_key;
  GQueue oldest_first;
} TtCtfRegions;

void tt_ctf_regions_clear (TtCtfRegions *self);
/* NULL: not known. */
TtCtfRegion *tt_ctf_regions_find (const TtCtfRegions *self, const gint64 *key);
/* The region, added if it is not known. */
TtCtfRegion *tt_ctf_regions_get (TtCtfRegions *self, const gint64 *key);
/* One that is held stays until it is let go of. */
void tt_ctf_regions_remove (TtCtfRegions *self, TtCtfRegion *region);
void tt_ctf_region_hold (TtCtfRegion *region);
/* TRUE: it was removed meanwhile, and is gone. */
gboolean tt_ctf_region_let_go (TtCtfRegion *region);
