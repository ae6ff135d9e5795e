/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/limit.h"

/*
 * How many bytes the spans of each length take, so that the shortest can be left out. Lengths are
 * distinguished to 1/256; spans of about one length by their depth, so that a parent, which is at least
 * as long as its child and less deep, stays as long as the child does.
 */

#define FINE_BITS 8
#define FINE (1u << FINE_BITS)
#define N_ROWS ((64 - FINE_BITS) * FINE)
#define N_DEPTHS 64u

struct _ChromeLimit
{
  guint64 *rows[N_ROWS]; /* each N_DEPTHS long; NULL: nothing of that length */
  guint64 span_bytes, point_bytes;
  guint row, depth; /* what comes before stays */
  gboolean keeps_points;
};

ChromeLimit *
tt_chrome_limit_new (void)
{
  return g_new0 (ChromeLimit, 1);
}

void
tt_chrome_limit_free (ChromeLimit *self)
{
  for (guint i = 0; i < N_ROWS; i++)
    g_free (self->rows[i]);
  g_free (self);
}

static guint
row_of (gint64 dur_ns)
{
  guint64 dur = (guint64) MAX (dur_ns, 0);

  if (dur < FINE)
    return (guint) dur;
  guint shift = 63 - (guint) __builtin_clzll (dur) - FINE_BITS;
  return (shift + 1) * FINE + (guint) (dur >> shift) - FINE;
}

void
tt_chrome_limit_add_span (ChromeLimit *self, gint64 dur_ns, guint32 depth, guint64 bytes)
{
  guint row = row_of (dur_ns);

  if (self->rows[row] == NULL)
    self->rows[row] = g_new0 (guint64, N_DEPTHS);
  self->rows[row][MIN (depth, N_DEPTHS - 1)] += bytes;
  self->span_bytes += bytes;
}

void
tt_chrome_limit_add_point (ChromeLimit *self, guint64 bytes)
{
  self->point_bytes += bytes;
}

gboolean
tt_chrome_limit_fix (ChromeLimit *self, guint64 max_bytes, guint64 fixed_bytes)
{
  if (fixed_bytes > max_bytes)
    return FALSE;

  /* Counters and instants have no length. They stay whole if a quarter is enough for them. */
  guint64 left = max_bytes - fixed_bytes;
  self->keeps_points =
      self->point_bytes <= left / 4 || (self->point_bytes <= left && self->span_bytes <= left - self->point_bytes);
  if (self->keeps_points)
    left -= self->point_bytes;

  for (self->row = N_ROWS - 1;; self->row--)
    {
      const guint64 *row = self->rows[self->row];

      for (self->depth = 0; row != NULL && self->depth < N_DEPTHS; self->depth++)
        {
          if (row[self->depth] > left)
            return TRUE;
          left -= row[self->depth];
        }
      if (self->row == 0)
        break;
    }
  self->depth = N_DEPTHS;
  return TRUE;
}

gboolean
tt_chrome_limit_keeps_span (const ChromeLimit *self, gint64 dur_ns, guint32 depth)
{
  guint row = row_of (dur_ns);

  return row > self->row || (row == self->row && MIN (depth, N_DEPTHS - 1) < self->depth);
}

gboolean
tt_chrome_limit_keeps_points (const ChromeLimit *self)
{
  return self->keeps_points;
}
