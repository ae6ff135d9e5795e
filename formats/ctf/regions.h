/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCtfRegions: the parallel regions of a process whose end has not come yet, and the threads that work in each.
 *
 * A region is known by the fields that its begin and end share (code pointer and record). No more than 4096 are kept:
 * the oldest is dropped for a new one.
 */
#pragma once

#include <glib.h>

typedef struct
{
  gint64 key[2];
  guint n_open;       /* begins without their end: several teams may run the region at a time */
  GPtrArray *threads; /* that have had implicit tasks in it; borrowed */
  gpointer begun_by;  /* the thread that began it last; NULL: not known */
  gint64 alive_ns;    /* an event was in it then; G_MININT64: none yet */
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
void tt_ctf_regions_remove (TtCtfRegions *self, TtCtfRegion *region);
