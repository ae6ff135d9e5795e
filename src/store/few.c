/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/few.h"

#include <stdlib.h>
#include <string.h>

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

typedef struct
{
  guint64 first, last; /* events */
  gint64 first_ns, last_ns;
} Piece;

/* The pieces that begin first and those that end last, by ids where they are alike; one more than may be far. In them are
 * the events that begin first and end last, for in each piece one begins, and one ends, with it. */
typedef struct
{
  Piece earliest[N_KEPT], latest[N_KEPT];
  guint64 n, n_events;
} Pieces;

static void
add_piece (Pieces *self, const Piece *piece)
{
  guint n = (guint) MIN (self->n, N_KEPT), i;

  for (i = MIN (n, N_KEPT - 1); i > 0 && self->earliest[i - 1].first_ns > piece->first_ns; i--)
    self->earliest[i] = self->earliest[i - 1];
  if (n < N_KEPT || piece->first_ns < self->earliest[i].first_ns)
    self->earliest[i] = *piece;
  for (i = MIN (n, N_KEPT - 1); i > 0 && self->latest[i - 1].last_ns < piece->last_ns; i--)
    self->latest[i] = self->latest[i - 1];
  if (n < N_KEPT || piece->last_ns > self->latest[i].last_ns)
    self->latest[i] = *piece;
  self->n++;
}

static gboolean
read_pieces (Pieces *self, TtStore *store, const char *clock, GError **error)
{
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (
      store->connection, "SELECT id, last, first_ns, last_ns FROM event_block_row WHERE id BETWEEN ?1 AND ?2", error);
  GError *failure = NULL;
  guint n_sources;
  const TtSource *sources = tt_store_sources (store, &n_sources);

  if (row == NULL)
    return FALSE;
  for (guint i = 0; i < n_sources && failure == NULL; i++)
    {
      if (g_strcmp0 (sources[i].clock, clock) != 0 || sources[i].n_events == 0)
        continue;
      sqlite3_bind_int64 (row, 1, (gint64) sources[i].first_event);
      sqlite3_bind_int64 (row, 2, (gint64) sources[i].last_event);
      while (tt_connection_step (store->connection, row, &failure))
        add_piece (self, &(Piece){ tt_store_column_uint (row, 0), tt_store_column_uint (row, 1),
                                   sqlite3_column_int64 (row, 2), sqlite3_column_int64 (row, 3) });
      sqlite3_reset (row);
      self->n_events += sources[i].last_event - sources[i].first_event + 1;
    }
  return tt_store_finish (failure, error);
}

/* Whether all other pieces of the run reach too far for its length to be the work of a few. Of fewer pieces any may be
 * long for the sake of a few. */
static gboolean
are_spread (const Pieces *self)
{
  if (self->n == 0)
    return TRUE;
  guint64 run_ns = (guint64) self->latest[0].last_ns - (guint64) self->earliest[0].first_ns;
  gint64 others_first_ns = self->earliest[N_KEPT - 1].first_ns, others_last_ns = self->latest[N_KEPT - 1].last_ns;

  return self->n > 2 * TT_MAX_FEW && others_last_ns > others_first_ns &&
         ((guint64) others_last_ns - (guint64) others_first_ns) >= run_ns / MIN_TIMES_LONGER;
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
read_events (Extremes *self, TtStore *store, const char *clock, guint64 first, guint64 last, GError **error)
{
  TtEventScan *scan = tt_event_scan_new (store, TT_SCAN_DEFAULT, error);
  guint n_sources, at = 0;
  const TtSource *sources = tt_store_sources (store, &n_sources);
  TtEvent event;

  if (scan == NULL)
    return FALSE;
  tt_event_scan_limit (scan, first, last);
  while (tt_event_scan_next (scan, &event))
    {
      for (guint i = 0; i < n_sources && sources[at].id != event.source; i++)
        at = (at + 1) % n_sources;
      if (g_strcmp0 (sources[at].clock, clock) == 0)
        add (self, &event);
    }
  return tt_event_scan_finish (scan, error);
}

static int
compare_pieces (gconstpointer a, gconstpointer b)
{
  const Piece *x = a, *y = b;

  return x->first < y->first ? -1 : x->first > y->first;
}

/* From the first to the last of neighbouring sources of this clock: of other sources, which may have most of the events,
 * nothing is read. */
static gboolean
read_sources (Extremes *self, TtStore *store, const char *clock, GError **error)
{
  guint n_sources;
  const TtSource *sources = tt_store_sources (store, &n_sources);
  g_autofree Piece *all = g_new0 (Piece, n_sources);
  guint n = 0;

  for (guint i = 0; i < n_sources; i++)
    if (sources[i].n_events > 0)
      all[n++] = (Piece){ .first = sources[i].first_event,
                          .last = g_strcmp0 (sources[i].clock, clock) == 0 ? sources[i].last_event : 0 };
  qsort (all, n, sizeof *all, compare_pieces);
  for (guint i = 0, k; i < n; i = k)
    {
      for (k = i + 1; k < n && (all[i].last == 0) == (all[k].last == 0); k++)
        ;
      if (all[i].last != 0 && !read_events (self, store, clock, all[i].first, all[k - 1].last, error))
        return FALSE;
    }
  return TRUE;
}

/* Only pieces in which the first and the last events are. */
static gboolean
read_extremes (Extremes *self, TtStore *store, const char *clock, const Pieces *pieces, GError **error)
{
  Piece all[2 * N_KEPT];
  guint n = 2 * N_KEPT;

  memcpy (all, pieces->earliest, sizeof pieces->earliest);
  memcpy (all + N_KEPT, pieces->latest, sizeof pieces->latest);
  qsort (all, n, sizeof *all, compare_pieces);
  for (guint i = 0; i < n; i++)
    if ((i == 0 || all[i].first != all[i - 1].first) &&
        !read_events (self, store, clock, all[i].first, all[i].last, error))
      return FALSE;
  self->n = pieces->n_events;
  return TRUE;
}

gboolean
tt_few_find (TtFew *self, TtStore *store, GError **error)
{
  Extremes extremes = { 0 };
  Pieces pieces = { .n = 0 };
  guint n_runs;

  *self = (TtFew){ 0 };
  tt_store_runs (store, &n_runs);
  const char *clock = main_clock (store);
  if (n_runs != 1 || clock == NULL || store->ranges->len == 0)
    return TRUE;
  if (!read_pieces (&pieces, store, clock, error))
    return FALSE;
  if (are_spread (&pieces))
    return TRUE;
  /* Pieces say when events were by the clocks of their processes. */
  gboolean are_all_read = pieces.n < N_KEPT || store->clock_maps != NULL;
  if (are_all_read ? !read_sources (&extremes, store, clock, error)
                   : !read_extremes (&extremes, store, clock, &pieces, error))
    return FALSE;
  judge (&extremes, self);
  return TRUE;
}
