/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/arrange/private.h"

/*
 * A record whose time is out of the order in which its thread's records stand in the source, though those before and after
 * it are in order: what is written as it happens goes on where it was. Spans are written by begin or by end, so both have to
 * be out of order, or the end alone where the span also crosses the one it is in (lone.c). Farther from all others than these reach, such
 * a record would make the run more than twice as long: it is mended as one that is far by its distance alone.
 */

/* What is nearer makes no run long. */
#define NEAR_NS G_GUINT64_CONSTANT (1000000)

/* The oldest is number 0. */
static ArrangeSeen
seen_at (const ArrangeWindow *window, guint i)
{
  guint at = (window->oldest + i) % ARRANGE_WINDOW;

  return (ArrangeSeen){ window->ts_ns[at], window->end_ns[at], window->is_moment[at] };
}

static void
see (ArrangeWindow *window, const ArrangeSeen *seen)
{
  guint at = (window->oldest + window->n) % ARRANGE_WINDOW;

  if (window->n == ARRANGE_WINDOW)
    window->oldest = (guint8) ((window->oldest + 1) % ARRANGE_WINDOW);
  else
    window->n++;
  window->ts_ns[at] = seen->ts_ns;
  window->end_ns[at] = seen->end_ns;
  window->is_moment[at] = seen->is_moment != FALSE;
}

static void
widen (ArrangeSpikes *self, const ArrangeSeen *seen)
{
  arrange_spikes_widen (self, seen->ts_ns, seen->end_ns);
}

static gint64
distance_of (gint64 ns, gint64 before_ns, gint64 after_ns)
{
  gint64 from_ns = ns < before_ns ? ns : after_ns, to_ns = ns < before_ns ? before_ns : ns, distance;

  return __builtin_sub_overflow (to_ns, from_ns, &distance) ? G_MAXINT64 : distance;
}

/* How far the middle of @window is out of order; 0: it is not, or the others are not in order themselves. A moment that is
 * early may have been written late. */
static gint64
find_distance (const ArrangeWindow *window, gboolean *is_begin)
{
  const ArrangeSeen oldest = seen_at (window, 0), middle = seen_at (window, 1), latest = seen_at (window, 2);
  const ArrangeSeen *before = &oldest, *seen = &middle, *after = &latest;

  if (G_LIKELY (seen->end_ns >= before->end_ns && seen->end_ns <= after->end_ns) || before->ts_ns > after->ts_ns ||
      before->end_ns > after->end_ns)
    return 0;
  *is_begin = seen->ts_ns > after->end_ns || (seen->end_ns < before->ts_ns && !seen->is_moment);
  if (!*is_begin && (seen->ts_ns < before->ts_ns || seen->ts_ns > after->ts_ns || seen->end_ns < after->end_ns))
    return 0;
  return distance_of (seen->end_ns, before->end_ns, after->end_ns);
}

/* Keeps the farthest: the others are too near to matter, or there are too many of them. */
static void
keep (ArrangeSpikes *self, const ArrangeSpike *spike)
{
  guint nearest = 0;

  if (self->n < G_N_ELEMENTS (self->spike))
    {
      self->spike[self->n++] = *spike;
      return;
    }
  for (guint i = 1; i < self->n; i++)
    if (self->spike[i].distance_ns < self->spike[nearest].distance_ns)
      nearest = i;
  if (self->spike[nearest].distance_ns >= spike->distance_ns)
    {
      widen (self, &spike->seen);
      return;
    }
  widen (self, &self->spike[nearest].seen);
  self->spike[nearest] = *spike;
}

void
arrange_spikes_add (ArrangeSpikes *self, ArrangeWindow *window, const ArrangeSeen *seen)
{
  see (window, seen);
  if (window->n < ARRANGE_WINDOW)
    {
      /* The first has nothing before it. */
      if (window->n == 1)
        widen (self, seen);
      return;
    }
  ArrangeSpike spike = { .seen = seen_at (window, 1) };

  spike.distance_ns = find_distance (window, &spike.is_begin);
  if (G_LIKELY (spike.distance_ns == 0))
    widen (self, &spike.seen);
  else
    keep (self, &spike);
}

void
arrange_spikes_suspect (ArrangeSpikes *self, gint64 ts_ns, gint64 end_ns)
{
  ArrangeSpike spike = { .seen = { .ts_ns = ts_ns, .end_ns = ts_ns }, .is_begin = TRUE };

  if (__builtin_sub_overflow (ts_ns, end_ns, &spike.distance_ns))
    spike.distance_ns = G_MAXINT64;
  keep (self, &spike);
}

void
arrange_spikes_end_thread (ArrangeSpikes *self, ArrangeWindow *window)
{
  if (window->n < 2)
    return;
  const ArrangeSeen last = seen_at (window, window->n - 1u);
  widen (self, &last);
}

static gboolean
is_out (const ArrangeSpikes *self, const ArrangeSeen *seen)
{
  guint64 reach = MAX ((guint64) self->last_ns - (guint64) self->first_ns, NEAR_NS);

  return (seen->ts_ns < self->first_ns && (guint64) self->first_ns - (guint64) seen->ts_ns > reach) ||
         (seen->end_ns > self->last_ns && (guint64) seen->end_ns - (guint64) self->last_ns > reach);
}

gboolean
arrange_spikes_finish (ArrangeSpikes *self)
{
  guint n = 0;

  if (self->n_calm == 0)
    return FALSE;
  /* What is not out makes the others' reach larger: again until nothing changes. */
  for (gboolean is_wider = TRUE; is_wider;)
    {
      is_wider = FALSE;
      n = 0;
      for (guint i = 0; i < self->n; i++)
        if (is_out (self, &self->spike[i].seen))
          self->spike[n++] = self->spike[i];
        else
          {
            widen (self, &self->spike[i].seen);
            is_wider = TRUE;
          }
      self->n = n;
    }
  return n > 0 && n <= TT_FEW_TIMES / 2 && self->n_calm / 3 >= n;
}

gboolean
arrange_spikes_has_begin (const ArrangeSpikes *self, gint64 ts_ns)
{
  for (guint i = 0; i < self->n; i++)
    if (self->spike[i].is_begin && self->spike[i].seen.ts_ns == ts_ns)
      return TRUE;
  return FALSE;
}

gboolean
arrange_spikes_has_end (const ArrangeSpikes *self, gint64 end_ns, gboolean is_crossing)
{
  for (guint i = 0; i < self->n; i++)
    if (self->spike[i].seen.end_ns == end_ns && (self->spike[i].is_begin || is_crossing))
      return TRUE;
  return FALSE;
}
