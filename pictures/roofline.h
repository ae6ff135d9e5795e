/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtRoofline: bandwidth over size of transfers, both by equal factors, a colour a series, and the roof of each: no transfer
 * was faster than the flat part, the greatest bandwidth; none took less time than the slope says, the latency.
 *
 * Transfers of a series whose sizes and bandwidths are in the same buckets (log-scale.h) are one point, at their mean size
 * and their bytes by their time: a circle with data-series, data-count, data-bytes and data-ns, exact sums. A roof is a path
 * with data-series, data-count (its transfers), data-peakbytes and data-peakns (the fastest of them), data-latency (ns).
 */
#pragma once

#include "pictures/frame.h"

typedef struct
{
  TtPictureHead head;
  GPtrArray *series; /* of char * names, in the order of their first transfer */
  GHashTable *cells; /* series and buckets -> the sums of a point */
  GArray *roofs;     /* by series */
  guint64 n_empty;   /* of no bytes: they only tell of the latency */
} TtRoofline;

void tt_roofline_init (TtRoofline *self, const char *title);
void tt_roofline_clear (TtRoofline *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtRoofline, tt_roofline_clear)

/* @ns > 0. */
void tt_roofline_add (TtRoofline *self, const char *series, gint64 bytes, gint64 ns);
/* Whether the name of a series begins so. */
gboolean tt_roofline_has (const TtRoofline *self, const char *prefix);
void tt_roofline_write (TtRoofline *self, TtOutput *out);
/* With letters, in lines of @width: a series is a letter, a large one where it stands for ten transfers or more. */
void tt_roofline_write_text (TtRoofline *self, TtOutput *out, guint width);
