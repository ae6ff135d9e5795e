/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/arrange/spikes.h"

/*
 * A record whose time is out of the order in which its thread's records stand in the source, though those before and after
 * it are in order: what is written as it happens goes on where it was. Spans are written by begin or by end, so both have to
 * be out of order, or the end alone where the span also crosses the one it is in (lone.c). Farther from all others than these reach, such
 * a record would make the run more than twice as long: it is mended as one that is far by its distance alone. The first record
 * of a thread is judged by the two after it, if it is late, the last by the two before, if it is early: these have
 * others on one side only, and have to be ten times as far. A first that is early and a last that is late are in order: nothing
 * says that they are wrong.
 */

/* What is nearer makes no run long. */
#define NEAR_NS G_GUINT64_CONSTANT (1000000)
#define FAR_TIMES_AT_EDGE 10u

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

/* By begin or by end; of spans in each other both are not. */
static gboolean
are_in_order (const ArrangeSeen *a, const ArrangeSeen *b)
{
  return a->ts_ns <= b->ts_ns || a->end_ns <= b->end_ns;
}

static gboolean
is_late (const ArrangeSeen *seen, const ArrangeSeen *a, const ArrangeSeen *b)
{
  return seen->ts_ns > a->end_ns && seen->ts_ns > b->end_ns;
}

/* A moment that is early may have been written late. */
static gboolean
is_early (const ArrangeSeen *seen, const ArrangeSeen *a, const ArrangeSeen *b)
{
  return seen->end_ns < a->ts_ns && seen->end_ns < b->ts_ns && !seen->is_moment;
}

/* How far the middle of @window is out of order; 0: it is not, or the others are not in order themselves. */
static gint64
find_distance (const ArrangeWindow *window, gboolean *is_begin)
{
  const ArrangeSeen oldest = seen_at (window, 0), middle = seen_at (window, 1), latest = seen_at (window, 2);
  const ArrangeSeen *before = &oldest, *seen = &middle, *after = &latest;

  if (G_LIKELY (seen->end_ns >= before->end_ns && seen->end_ns <= after->end_ns) || !are_in_order (before, after))
    return 0;
  *is_begin = is_late (seen, before, after) || is_early (seen, before, after);
  if (!*is_begin && (before->ts_ns > after->ts_ns || before->end_ns > after->end_ns || seen->ts_ns < before->ts_ns ||
                     seen->ts_ns > after->ts_ns || seen->end_ns < after->end_ns))
    return 0;
  return distance_of (seen->end_ns, MIN (before->end_ns, after->end_ns), MAX (before->end_ns, after->end_ns));
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

static void
take (ArrangeSpikes *self, const ArrangeSpike *spike)
{
  if (G_LIKELY (spike->distance_ns == 0))
    widen (self, &spike->seen);
  else
    keep (self, spike);
}

/* The first or last of a thread, beside two others that are nearer to its middle. */
static void
take_edge (ArrangeSpikes *self, const ArrangeSeen *seen, const ArrangeSeen *a, const ArrangeSeen *b, gboolean is_first)
{
  ArrangeSpike spike = { .seen = *seen, .is_begin = TRUE, .is_edge = TRUE };

  if (are_in_order (a, b) && (is_first ? is_late (seen, a, b) : is_early (seen, a, b)))
    spike.distance_ns = distance_of (seen->end_ns, MIN (a->end_ns, b->end_ns), MAX (a->end_ns, b->end_ns));
  take (self, &spike);
}

static inline guint
place_after (guint place)
{
  return place + 1 == ARRANGE_WINDOW ? 0 : place + 1;
}

/* As nearly all go: the one in the middle ends between the two. FALSE: the window has moved on, and this is to be judged. */
static inline gboolean
goes_on (ArrangeSpikes *self, ArrangeWindow *window, const ArrangeSeen *seen)
{
  const guint last = window->oldest, before = place_after (last), middle = place_after (before);

  window->ts_ns[last] = seen->ts_ns;
  window->end_ns[last] = seen->end_ns;
  window->is_moment[last] = seen->is_moment != FALSE;
  window->oldest = (guint8) before;
  if (window->end_ns[middle] < window->end_ns[before] || window->end_ns[middle] > seen->end_ns)
    return FALSE;
  arrange_spikes_widen (self, window->ts_ns[middle], window->end_ns[middle]);
  return TRUE;
}

void
arrange_spikes_add (ArrangeSpikes *self, ArrangeWindow *window, const ArrangeSeen *seen)
{
  if (G_UNLIKELY (!window->has_first))
    see (window, seen);
  else if (goes_on (self, window, seen))
    return;
  if (window->n < ARRANGE_WINDOW)
    return;
  ArrangeSpike spike = { .seen = seen_at (window, 1) };

  if (!window->has_first)
    {
      const ArrangeSeen first = seen_at (window, 0);

      take_edge (self, &first, &spike.seen, seen, TRUE);
      window->has_first = TRUE;
    }
  spike.distance_ns = find_distance (window, &spike.is_begin);
  take (self, &spike);
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
  const ArrangeSeen oldest = seen_at (window, 0), middle = seen_at (window, 1), latest = seen_at (window, 2);

  if (window->n == ARRANGE_WINDOW)
    {
      take_edge (self, &latest, &oldest, &middle, FALSE);
      return;
    }
  if (window->n > 0)
    widen (self, &oldest);
  if (window->n > 1)
    widen (self, &middle);
}

void
arrange_spikes_join (ArrangeSpikes *self, const ArrangeSpikes *other)
{
  if (other->n_calm > 0)
    {
      arrange_spikes_widen (self, other->first_ns, other->last_ns);
      self->n_calm += other->n_calm - 1;
    }
  for (guint i = 0; i < other->n; i++)
    keep (self, &other->spike[i]);
}

static gboolean
is_out (const ArrangeSpikes *self, const ArrangeSpike *spike)
{
  const ArrangeSeen *seen = &spike->seen;
  guint64 reach = MAX ((guint64) self->last_ns - (guint64) self->first_ns, NEAR_NS);

  if (spike->is_edge)
    reach = reach > G_MAXUINT64 / FAR_TIMES_AT_EDGE ? G_MAXUINT64 : reach * FAR_TIMES_AT_EDGE;
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
        if (is_out (self, &self->spike[i]))
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
