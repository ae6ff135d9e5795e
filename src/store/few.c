/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/few.h"

#include "src/store/private.h"
#include "src/store/scan.h"
#include "src/trace/span.h"

#define MIN_TIMES_LONGER 10
#define MIN_OTHERS 16u
#define MIN_TIMES_OF_FEWER 100
#define MIN_FEWER 8u
/* Of one side; one more than may be far is the first of the others. */
#define N_KEPT (TT_MAX_FEW + 1u)

/* The events that begin first, and those that end last. */
typedef struct
{
  TtEvent first[N_KEPT], last[N_KEPT];
  guint n_first, n_last;
  guint64 n;
} Extremes;

static gint64
end_of (const TtEvent *event)
{
  return event->dur_ns == TT_NO_TIME ? event->ts_ns : event->ts_ns + event->dur_ns;
}

/* Those that are alike stay in their order. */
static void
add (Extremes *self, const TtEvent *event)
{
  guint i;

  self->n++;
  if (self->n_first < N_KEPT || event->ts_ns < self->first[N_KEPT - 1].ts_ns)
    {
      for (i = self->n_first < N_KEPT ? self->n_first++ : N_KEPT - 1; i > 0 && self->first[i - 1].ts_ns > event->ts_ns;
           i--)
        self->first[i] = self->first[i - 1];
      self->first[i] = *event;
    }
  if (self->n_last < N_KEPT || end_of (event) > end_of (&self->last[N_KEPT - 1]))
    {
      for (i = self->n_last < N_KEPT ? self->n_last++ : N_KEPT - 1;
           i > 0 && end_of (&self->last[i - 1]) < end_of (event); i--)
        self->last[i] = self->last[i - 1];
      self->last[i] = *event;
    }
}

/* -- pieces --------------------------------------------------------------------------------------------------- */

/* The earliest begins of pieces and the latest ends of them; one more than may be far. */
typedef struct
{
  gint64 first_ns[N_KEPT], last_ns[N_KEPT];
  guint64 n;
} Pieces;

static void
add_piece (Pieces *self, gint64 first_ns, gint64 last_ns)
{
  guint n = (guint) MIN (self->n, N_KEPT), i;

  for (i = MIN (n, N_KEPT - 1); i > 0 && self->first_ns[i - 1] > first_ns; i--)
    self->first_ns[i] = self->first_ns[i - 1];
  if (n < N_KEPT || first_ns < self->first_ns[i])
    self->first_ns[i] = first_ns;
  for (i = MIN (n, N_KEPT - 1); i > 0 && self->last_ns[i - 1] < last_ns; i--)
    self->last_ns[i] = self->last_ns[i - 1];
  if (n < N_KEPT || last_ns > self->last_ns[i])
    self->last_ns[i] = last_ns;
  self->n++;
}

/* Whether all other pieces of the run reach too far for its length to be the work of a few. */
static gboolean
is_spread (TtStore *store, const char *clock, gboolean *answer, GError **error)
{
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (
      store->connection, "SELECT first_ns, last_ns FROM event_block_row WHERE id BETWEEN ?1 AND ?2", error);
  GError *failure = NULL;
  Pieces pieces = { .n = 0 };
  guint n_sources;
  const TtSource *sources = tt_store_sources (store, &n_sources);

  *answer = TRUE;
  if (row == NULL)
    return FALSE;
  for (guint i = 0; i < n_sources && failure == NULL; i++)
    {
      if (g_strcmp0 (sources[i].clock, clock) != 0 || sources[i].n_events == 0)
        continue;
      sqlite3_bind_int64 (row, 1, (gint64) sources[i].first_event);
      sqlite3_bind_int64 (row, 2, (gint64) sources[i].last_event);
      while (tt_connection_step (store->connection, row, &failure))
        add_piece (&pieces, sqlite3_column_int64 (row, 0), sqlite3_column_int64 (row, 1));
      sqlite3_reset (row);
    }
  if (pieces.n > 0)
    {
      guint64 run_ns = (guint64) pieces.last_ns[0] - (guint64) pieces.first_ns[0];
      gint64 others_first_ns = pieces.first_ns[N_KEPT - 1], others_last_ns = pieces.last_ns[N_KEPT - 1];

      /* Of fewer pieces any may be long for the sake of a few. */
      *answer = pieces.n > 2 * TT_MAX_FEW && others_last_ns > others_first_ns &&
                ((guint64) others_last_ns - (guint64) others_first_ns) >= run_ns / MIN_TIMES_LONGER;
    }
  return tt_store_finish (failure, error);
}

/* -- events --------------------------------------------------------------------------------------------------- */

static gboolean
is_among (const TtEvent *events, guint n, guint64 id)
{
  for (guint i = 0; i < n; i++)
    if (events[i].id == id)
      return TRUE;
  return FALSE;
}

static void
list_event (const TtEvent *event, TtFewEvent *listed)
{
  *listed = (TtFewEvent){ event->source, event->thread, event->dur_ns == TT_NO_TIME };
}

static void
list_events (const Extremes *self, guint n_first, guint n_last, TtFew *few)
{
  guint n = 0;

  for (guint i = 0; i < n_first; i++)
    list_event (&self->first[i], &few->event[n++]);
  for (guint i = 0; i < n_last; i++)
    if (!is_among (self->first, n_first, self->last[i].id))
      list_event (&self->last[i], &few->event[n++]);
}

/* Without the first @n_first to begin and the last @n_last to end. FALSE: they are of several threads. */
static gboolean
try_without (const Extremes *self, guint n_first, guint n_last, TtFew *few)
{
  guint i = 0, k = 0, n = n_first;
  guint32 thread = n_first > 0 ? self->first[0].thread : self->last[0].thread;

  for (guint j = 0; j < n_first; j++)
    if (self->first[j].thread != thread)
      return FALSE;
  for (guint j = 0; j < n_last; j++)
    {
      if (self->last[j].thread != thread)
        return FALSE;
      n += !is_among (self->first, n_first, self->last[j].id);
    }
  while (i < self->n_first && (i < n_first || is_among (self->last, n_last, self->first[i].id)))
    i++;
  while (k < self->n_last && (k < n_last || is_among (self->first, n_first, self->last[k].id)))
    k++;
  if (n > TT_MAX_FEW || i == self->n_first || k == self->n_last)
    return FALSE;
  *few = (TtFew){ .n = n,
                  .thread = thread,
                  .n_others = self->n - n,
                  .first_ns = self->first[i].ts_ns,
                  .last_ns = end_of (&self->last[k]),
                  .run_ns = tt_time_since (end_of (&self->last[0]), self->first[0].ts_ns) };
  list_events (self, n_first, n_last, few);
  return TRUE;
}

static void
name_farthest (const Extremes *self, TtFew *few)
{
  const TtEvent *first = &self->first[0], *last = &self->last[0];
  guint64 before = (guint64) few->first_ns - (guint64) first->ts_ns;
  guint64 after = (guint64) end_of (last) - (guint64) few->last_ns;
  const TtEvent *event =
      first->ts_ns < few->first_ns && (before >= after || end_of (last) <= few->last_ns) ? first : last;

  few->name = event->name;
  few->ts_ns = event->ts_ns;
  few->end_ns = end_of (event);
}

static gboolean
is_long (const TtFew *few)
{
  gint64 others_ns = tt_time_since (few->last_ns, few->first_ns);

  if (few->n_others < MIN_OTHERS)
    return few->n_others >= MIN_FEWER && others_ns < few->run_ns / MIN_TIMES_OF_FEWER;
  return others_ns < few->run_ns / MIN_TIMES_LONGER;
}

static void
judge (const Extremes *self, TtFew *best)
{
  for (guint n = 1; n <= TT_MAX_FEW && best->n == 0; n++)
    for (guint n_first = 0; n_first <= n; n_first++)
      {
        TtFew few;

        if (!try_without (self, n_first, n - n_first, &few) || !is_long (&few) ||
            (best->n > 0 && tt_time_since (few.last_ns, few.first_ns) >= tt_time_since (best->last_ns, best->first_ns)))
          continue;
        *best = few;
      }
  if (best->n > 0)
    name_farthest (self, best);
}

/* NULL: there are only ticks. */
static const char *
main_clock (TtStore *store)
{
  for (TtClock clock = TT_CLOCK_EPOCH; clock <= TT_CLOCK_RELATIVE; clock++)
    if (tt_store_has_clock (store, clock))
      return tt_clock_text (clock);
  return NULL;
}

static gboolean
read_events (Extremes *self, TtStore *store, const char *clock, GError **error)
{
  TtEventScan *scan = tt_event_scan_new (store, TT_SCAN_DEFAULT, error);
  guint n_sources, at = 0;
  const TtSource *sources = tt_store_sources (store, &n_sources);
  TtEvent event;

  if (scan == NULL)
    return FALSE;
  while (tt_event_scan_next (scan, &event))
    {
      for (guint i = 0; i < n_sources && sources[at].id != event.source; i++)
        at = (at + 1) % n_sources;
      if (g_strcmp0 (sources[at].clock, clock) == 0)
        add (self, &event);
    }
  return tt_event_scan_finish (scan, error);
}

gboolean
tt_few_find (TtFew *self, TtStore *store, GError **error)
{
  Extremes extremes = { 0 };
  gboolean answer;
  guint n_runs;

  *self = (TtFew){ 0 };
  tt_store_runs (store, &n_runs);
  const char *clock = main_clock (store);
  if (n_runs != 1 || clock == NULL || store->ranges->len == 0)
    return TRUE;
  if (!is_spread (store, clock, &answer, error))
    return FALSE;
  if (answer)
    return TRUE;
  if (!read_events (&extremes, store, clock, error))
    return FALSE;
  judge (&extremes, self);
  return TRUE;
}
