/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/breakdown/busy-time.h"

#include "src/base/tape.h"

#define TAPE_BYTES ((gsize) 16 << 20)

typedef struct
{
  gint64 begin_ns, end_ns;
  gint64 before_ns; /* busy before it */
} Stretch;

struct _TtBusyTime
{
  TtTape *stretches; /* all but the last */
  guint64 first, n;  /* those that count */
  Stretch last;
  gboolean has_last;
};

TtBusyTime *
tt_busy_time_new (void)
{
  TtBusyTime *self = g_new0 (TtBusyTime, 1);

  self->stretches = tt_tape_new (TAPE_BYTES);
  return self;
}

void
tt_busy_time_free (TtBusyTime *self)
{
  if (self == NULL)
    return;
  tt_tape_free (self->stretches);
  g_free (self);
}

void
tt_busy_time_clear (TtBusyTime *self)
{
  self->first = tt_tape_size (self->stretches) / sizeof (Stretch);
  self->n = 0;
  self->has_last = FALSE;
}

void
tt_busy_time_add (TtBusyTime *self, gint64 begin_ns, gint64 end_ns)
{
  gint64 before_ns = 0;

  if (self->has_last && begin_ns <= self->last.end_ns)
    {
      self->last.end_ns = MAX (self->last.end_ns, end_ns);
      return;
    }
  if (self->has_last)
    {
      before_ns = self->last.before_ns + (self->last.end_ns - self->last.begin_ns);
      tt_tape_append (self->stretches, &self->last, sizeof self->last);
      self->n++;
    }
  self->last = (Stretch){ begin_ns, end_ns, before_ns };
  self->has_last = TRUE;
}

static gint64
busy_within (const Stretch *stretch, gint64 ns)
{
  return stretch->before_ns + (MIN (ns, stretch->end_ns) - stretch->begin_ns);
}

static gint64
busy_before (TtBusyTime *self, gint64 ns)
{
  guint64 low = 0, high = self->n; /* stretches below low begin before ns */
  Stretch found = { 0 };

  if (self->has_last && self->last.begin_ns < ns)
    return busy_within (&self->last, ns);
  while (low < high)
    {
      guint64 middle = low + (high - low) / 2;
      Stretch stretch;

      tt_tape_read (self->stretches, (self->first + middle) * sizeof stretch, &stretch, sizeof stretch);
      if (stretch.begin_ns < ns)
        {
          found = stretch;
          low = middle + 1;
        }
      else
        high = middle;
    }
  return low == 0 ? 0 : busy_within (&found, ns);
}

gint64
tt_busy_time_between (TtBusyTime *self, gint64 begin_ns, gint64 end_ns)
{
  return busy_before (self, end_ns) - busy_before (self, begin_ns);
}

gboolean
tt_busy_time_check (const TtBusyTime *self, GError **error)
{
  return tt_tape_check (self->stretches, error);
}
