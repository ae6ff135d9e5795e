/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtHistogram: how often a quantity takes which size, in buckets of equal factors, ten to a decade.
 *
 * Buckets are those of log-scale.h. A bucket is a rect with data-from, data-to (not in it) and data-count, all exact.
 */
#pragma once

#include "pictures/frame.h"
#include "pictures/log-scale.h"

#define TT_HISTOGRAM_BUCKETS TT_LOG_BUCKETS
#define TT_HISTOGRAM_MARKS 3u

typedef struct
{
  const char *name; /* "median" */
  gint64 value;
} TtHistogramMark;

typedef struct
{
  TtPictureHead head;
  TtQuantity quantity;
  const char *x_title, *y_title;
  guint64 counts[TT_HISTOGRAM_BUCKETS];
  TtHistogramMark marks[TT_HISTOGRAM_MARKS]; /* ascending */
  guint n_marks;
} TtHistogram;

void tt_histogram_init (TtHistogram *self, const char *title);
void tt_histogram_clear (TtHistogram *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtHistogram, tt_histogram_clear)

/* Negative values count as 0. */
void tt_histogram_add (TtHistogram *self, gint64 value);
void tt_histogram_write (const TtHistogram *self, TtOutput *out);
/* With letters, in lines of @width: a line a bucket, as long as its count, which stands behind it. */
void tt_histogram_write_text (const TtHistogram *self, TtOutput *out, guint width);
