/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtOtf2Times: times of a location that cannot be, mended.
 *
 * They never go back. One that does, or goes forward and the next goes back behind it, is damaged: it becomes that in the middle
 * of its neighbours. So is one far outside of what the archive says of its clock, unless the first two of a location are.
 */
#pragma once

#include <glib.h>

typedef struct
{
  guint64 last;             /* ticks; of what was told so far */
  guint64 stride;           /* what is later by less needs no look; at least 1 */
  guint64 earliest, latest; /* that can be; 0 and G_MAXUINT64: the archive does not say */
  gboolean has_last;
} TtOtf2Times;

/* Of an archive's clock: ticks a second, its first tick, and how many there are; 0: that is not known. The location's own
 * clock is off by at least and at most so many. */
void tt_otf2_times_init (TtOtf2Times *self,
                         guint64 resolution,
                         guint64 first_tick,
                         guint64 length,
                         gint64 least_offset,
                         gint64 most_offset);
/* The next time that is told behind one, FALSE: none is near. */
typedef gboolean (*TtOtf2NextTimeFunc) (gconstpointer data, guint64 *ticks);
/* The time for @ticks; *is_mended becomes TRUE where it is another. */
guint64
tt_otf2_times_take (TtOtf2Times *self, guint64 ticks, TtOtf2NextTimeFunc next, gconstpointer data, gboolean *is_mended);
gboolean tt_otf2_times_can_be (const TtOtf2Times *self, guint64 ticks);
