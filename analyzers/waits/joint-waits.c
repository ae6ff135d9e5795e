/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/joint-waits.h"

#include "analyzers/process-order.h"

void
tt_wait_part_clear (TtWaitPart *self)
{
  tt_event_owners_clear (&self->deal.owners);
  g_clear_pointer (&self->deal.rank_of_thread, g_free);
  g_clear_pointer (&self->deal.rank_of_process, g_free);
  tt_wait_reader_clear (&self->reader);
  g_clear_pointer (&self->waits, tt_waits_free);
}

/* -- what is shared ------------------------------------------------------------------------------------------------ */

/* Of a window less than one part of the run others have nothing to read. */
static gboolean
is_short (TtStore *store, const TtWaitWindow *window, guint n, gboolean *is_short, GError **error)
{
  gint64 first_ns, last_ns;
  GError *failure = NULL;

  *is_short = FALSE;
  if (window->first_ns == G_MININT64 && window->last_ns == G_MAXINT64)
    return TRUE;
  if (tt_store_time_range (store, &first_ns, &last_ns, &failure))
    {
      const tt_int128 all = (tt_int128) last_ns - first_ns;
      const tt_int128 part = (tt_int128) MIN (last_ns, window->last_ns) - MAX (first_ns, window->first_ns);
      *is_short = part * n < all;
    }
  if (failure != NULL)
    g_propagate_error (error, failure);
  return failure == NULL;
}

gboolean
tt_wait_part_can (TtStore *store, const TtWaitWindow *window, const TtCrew *crew, gboolean *can, GError **error)
{
  gboolean is_part;

  if (!is_short (store, window, crew->n, &is_part, error))
    return FALSE;
  *can = !is_part && tt_event_shares_count (store, crew->n) > 1;
  return TRUE;
}

static gboolean
share_rows (TtWaitPart *self, TtWaitRows *rows, GError **error)
{
  const TtCrew *crew = self->deal.crew;

  return tt_store_message_share (self->store, crew->n, crew->rank, &rows->messages, error) &&
         tt_store_collective_share (self->store, crew->n, crew->rank, &rows->collectives, error);
}

/* -- whose threads are --------------------------------------------------------------------------------------------- */

typedef struct
{
  TtWaitPart *part;
  GByteArray *told; /* first whether a thread is of two */
  gboolean is_alone;
} Threads;

static gboolean
add_threads (guint rank, const GByteArray *said, gpointer data, GError **error)
{
  Threads *self = data;
  TtWaitDeal *deal = &self->part->deal;
  TtUnpack from = tt_unpack_all (said);
  guint32 thread;

  self->is_alone |= tt_unpack_below (&from, 1) != 0;
  TtUnpackPlaces threads = tt_unpack_places (&from, deal->max_thread);
  while (tt_unpack_place (&from, &threads, &thread))
    {
      self->is_alone |= deal->rank_of_thread[thread] != 0;
      deal->rank_of_thread[thread] = rank + 1;
    }
  if (from.is_bad)
    return tt_dealt_refuse (error);
  if (rank + 1 < deal->crew->n)
    return TRUE;
  tt_pack_number (self->told, self->is_alone != FALSE);
  for (guint32 i = 0; i <= deal->max_thread; i++)
    tt_pack_number (self->told, deal->rank_of_thread[i]);
  return TRUE;
}

static void
say_threads (const TtWaitPart *self, GByteArray *bytes)
{
  const guint32 max_thread = self->deal.max_thread;
  g_autofree guint8 *has = g_new0 (guint8, (gsize) max_thread + 1);

  for (guint32 i = 0; i <= max_thread; i++)
    has[i] = tt_wait_finder_has_thread (self->reader.finder, i) || (self->claimed != NULL && self->claimed[i]);
  tt_pack_number (bytes, self->is_entangled != FALSE);
  tt_pack_places (bytes, has, max_thread);
}

static gboolean
hear_threads (TtWaitDeal *deal, const GByteArray *told, gboolean *is_alone, GError **error)
{
  TtUnpack from = tt_unpack_all (told);

  *is_alone = tt_unpack_below (&from, 1) != 0;
  for (guint32 i = 0; i <= deal->max_thread; i++)
    deal->rank_of_thread[i] = (guint32) tt_unpack_below (&from, deal->crew->n);
  return !from.is_bad || tt_dealt_refuse (error);
}

/* That of the first of its threads. */
static void
find_processes (TtWaitPart *self)
{
  TtWaitDeal *deal = &self->deal;

  for (guint32 i = 0; i <= deal->max_thread; i++)
    {
      const guint32 process = tt_process_of_thread (self->store, i);

      if (process <= deal->max_process && deal->rank_of_process[process] == 0)
        deal->rank_of_process[process] = deal->rank_of_thread[i];
    }
}

static gboolean
find_owners (TtWaitPart *self, gboolean *is_alone, GError **error)
{
  g_autoptr (GByteArray) own = g_byte_array_new (), told = g_byte_array_new ();
  Threads threads = { self, told, FALSE };

  say_threads (self, own);
  if (!tt_crew_meet (self->deal.crew, own, add_threads, &threads, told, error) ||
      !hear_threads (&self->deal, told, is_alone, error))
    return FALSE;
  find_processes (self);
  return TRUE;
}

/* -- the parts ------------------------------------------------------------------------------------------------------ */

static gboolean
add_nothing (guint rank, const GByteArray *said, gpointer data, GError **error)
{
  return TRUE;
}

/* Only where none has failed somebody waits for others. */
static gboolean
exchange (const TtCrew *crew, GByteArray **bytes, GError **error)
{
  g_autoptr (GByteArray) nothing = g_byte_array_new (), told = g_byte_array_new ();

  return tt_crew_meet (crew, nothing, add_nothing, NULL, told, error) && crew->exchange (bytes, error);
}

static gboolean
take_event (const TtEvent *event, gpointer data, GError **error)
{
  TtWaitPart *self = data;

  return tt_wait_reader_take (event, &self->reader, error) &&
         (self->also == NULL || self->also (event, self->data, error));
}

static gboolean
scan (TtWaitPart *self, GError **error)
{
  TtEventPart part = TT_EVENT_PART_ALL;

  part.first = self->events.first;
  part.last = self->events.last;
  return part.first > part.last || tt_each_event_of (self->store, &part, take_event, self, error);
}

static gboolean
find (TtWaitPart *self, GByteArray **bytes, gboolean *is_alone, GError **error)
{
  const TtWaitDeal *deal = &self->deal;
  TtWaitFinder *finder = self->reader.finder;

  tt_wait_finder_deal (finder, deal, bytes);
  if (!exchange (deal->crew, bytes, error))
    return FALSE;
  if (!tt_wait_finder_take_dealt (finder, deal, bytes))
    return tt_dealt_refuse (error);
  if (!scan (self, error) || !find_owners (self, is_alone, error))
    return FALSE;
  if (*is_alone)
    return TRUE;
  tt_wait_finder_give_ends (finder, deal, bytes);
  if (!exchange (deal->crew, bytes, error))
    return FALSE;
  if (!tt_wait_finder_take_ends (finder, deal, bytes))
    return tt_dealt_refuse (error);
  if (!tt_wait_finder_find_part (finder, deal, self->waits->waits, bytes, error) ||
      !exchange (deal->crew, bytes, error))
    return FALSE;
  if (!tt_wait_finder_finish_part (finder, deal, bytes, self->waits->waits, &self->waits->counts))
    return tt_dealt_refuse (error);
  if (!self->is_raw)
    tt_wait_reader_join (self->waits, &self->reader);
  return TRUE;
}

gboolean
tt_wait_part_find (TtWaitPart *self,
                   TtStore *store,
                   const TtSelection *selection,
                   const TtWaitWindow *window,
                   const TtCrew *crew,
                   const TtWaitHearer *hearer,
                   gboolean *is_alone,
                   GError **error)
{
  TtWaitDeal *deal = &self->deal;
  TtWaitRows rows = { TT_ROWS_ALL, TT_ROWS_ALL, &self->events };

  *is_alone = FALSE;
  self->store = store;
  *deal = (TtWaitDeal){ .crew = crew,
                        .max_thread = tt_store_max_thread (store),
                        .max_process = tt_store_max_process (store) };
  tt_event_owners_init (&deal->owners, store, crew->n);
  self->events.crew = crew;
  tt_event_share (store, crew->n, crew->rank, &self->events.first, &self->events.last);
  deal->rank_of_thread = g_new0 (guint32, (gsize) deal->max_thread + 1);
  deal->rank_of_process = g_new0 (guint32, (gsize) deal->max_process + 1);
  tt_wait_reader_init (&self->reader, store, selection);
  self->reader.window = *window;
  self->waits = g_new0 (TtWaits, 1);
  self->waits->waits = g_array_new (FALSE, FALSE, sizeof (TtWait));
  if (!share_rows (self, &rows, error))
    return FALSE;
  self->reader.finder = tt_wait_finder_new_of (store, &rows, selection, window, self->of, NULL, hearer, error);
  if (self->reader.finder == NULL)
    return FALSE;
  *is_alone = tt_wait_finder_is_entangled (self->reader.finder);
  if (*is_alone)
    return TRUE;
  GByteArray **bytes = tt_crew_bytes_new (crew);
  gboolean is_found = find (self, bytes, is_alone, error);
  tt_crew_bytes_free (crew, bytes);
  g_clear_pointer (&self->reader.finder, tt_wait_finder_free);
  return is_found;
}

/* -- all of them ---------------------------------------------------------------------------------------------------- */

/* When a thread was there. */
typedef struct
{
  TtWaitRange range;
  guint32 thread;
} OneRange;

static void
pack_part (const TtWaitPart *self, GByteArray *bytes)
{
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (OneRange));
  g_autoptr (GArray) counts = g_array_new (FALSE, FALSE, sizeof (TtWaitCounts));

  for (guint32 i = 0; i <= self->reader.max_thread; i++)
    if (self->reader.ranges[i].begin_ns <= self->reader.ranges[i].end_ns)
      {
        const OneRange one = { self->reader.ranges[i], i };
        g_array_append_val (ranges, one);
      }
  g_array_append_val (counts, self->waits->counts);
  tt_dealt_pack (ranges, bytes);
  tt_dealt_pack (counts, bytes);
  tt_dealt_pack (self->waits->waits, bytes);
}

static void
add_counts (TtWaitCounts *sum, const TtWaitCounts *more)
{
  sum->n_halves += more->n_halves;
  sum->n_backward += more->n_backward;
  sum->n_alone += more->n_alone;
  sum->n_unjudged += more->n_unjudged;
  sum->n_undecided += more->n_undecided;
  sum->n_locks += more->n_locks;
  sum->n_early += more->n_early;
}

/* @waits: gets those of the part. */
static gboolean
take_part (TtWaitPart *self, const GByteArray *bytes, GArray *waits)
{
  TtUnpack from = tt_unpack_all (bytes);
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (OneRange));
  g_autoptr (GArray) counts = g_array_new (FALSE, FALSE, sizeof (TtWaitCounts));

  if (!tt_dealt_take (&from, ranges) || !tt_dealt_take (&from, counts) || !tt_dealt_take (&from, waits) ||
      counts->len != 1)
    return FALSE;
  for (guint i = 0; i < ranges->len; i++)
    {
      const OneRange *one = &g_array_index (ranges, OneRange, i);

      if (one->thread > self->reader.max_thread)
        return FALSE;
      self->reader.ranges[one->thread] = one->range;
    }
  add_counts (&self->waits->counts, &g_array_index (counts, TtWaitCounts, 0));
  return tt_waits_are_known (waits, self->store);
}

/* Of @parts, by rank. The last have the first threads, mostly. */
static void
join_parts (TtWaits *self, GPtrArray *parts)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (TtWait));

  for (guint i = parts->len; i > 0; i--)
    {
      const GArray *part = parts->pdata[i - 1];
      if (part->len > 0)
        g_array_append_vals (all, part->data, part->len);
      g_array_set_size (parts->pdata[i - 1], 0);
    }
  g_array_unref (self->waits);
  self->waits = all;
  tt_wait_reader_sort (all);
  self->waits_ns = 0;
  for (guint i = 0; i < all->len; i++)
    {
      const TtWait *wait = &g_array_index (all, TtWait, i);
      self->waits_ns += wait->end_ns - wait->begin_ns;
    }
}

TtWaits *
tt_wait_part_gather (TtWaitPart *self, GError **error)
{
  const TtCrew *crew = self->deal.crew;
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);

  if (crew->rank > 0)
    {
      g_autoptr (GByteArray) bytes = g_byte_array_new ();
      pack_part (self, bytes);
      crew->give (bytes);
      g_autoptr (GByteArray) nothing = crew->hear ();
      return NULL;
    }
  g_ptr_array_add (parts, g_array_ref (self->waits->waits));
  for (guint rank = 1; rank < crew->n; rank++)
    {
      g_autoptr (GByteArray) bytes = crew->take (rank, error);
      if (bytes == NULL)
        return NULL;
      g_ptr_array_add (parts, g_array_new (FALSE, FALSE, sizeof (TtWait)));
      if (!take_part (self, bytes, parts->pdata[rank]))
        {
          tt_dealt_refuse (error);
          return NULL;
        }
    }
  join_parts (self->waits, parts);
  tt_wait_reader_add_times (self->waits, self->store, &self->reader);
  return g_steal_pointer (&self->waits);
}

static TtWaits *
find_all (TtStore *store,
          const TtSelection *selection,
          const TtWaitWindow *window,
          const TtCrew *crew,
          gboolean *is_alone,
          GError **error)
{
  g_auto (TtWaitPart) part = { .of = TT_WAITS_ALL };

  if (!tt_wait_part_find (&part, store, selection, window, crew, NULL, is_alone, error))
    return NULL;
  if (!*is_alone)
    return tt_wait_part_gather (&part, error);
  return NULL;
}

TtWaits *
tt_joint_waits_new (TtStore *store, const TtSelection *selection, const TtCrew *crew, GError **error)
{
  TtWaitWindow window = TT_WAIT_WINDOW_ALL;
  gboolean can = TRUE, is_alone = FALSE;
  GError *own = NULL;

  if (selection != NULL)
    tt_selection_window (selection, &window.first_ns, &window.last_ns);
  if (crew->rank > 0)
    return find_all (store, selection, &window, crew, &is_alone, error);
  if (!tt_wait_part_can (store, &window, crew, &can, error))
    return NULL;
  if (can)
    {
      crew->call (crew->id);
      g_autoptr (TtWaits) waits = find_all (store, selection, &window, crew, &is_alone, &own);
      if (!tt_crew_end (crew, waits != NULL || is_alone, own, error))
        return NULL;
      if (!is_alone)
        return g_steal_pointer (&waits);
    }
  return tt_waits_new (store, selection, error);
}
