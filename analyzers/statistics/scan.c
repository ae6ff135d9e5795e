/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/open-groups.h"
#include "analyzers/statistics/rows.h"
#include "analyzers/statistics/span-feed.h"

#include "src/base/progress.h"

/* Statistics after the fact: for --add and --replace, and where counting on the way gives up. */

/* Of one tally. What the import took for names is free again. The less, the more often sorted runs are merged. */
#define SCAN_BYTES ((gsize) 16 << 20)

typedef struct
{
  TtStore *store;
  guint32 *first_names; /* by name; NULL: each is the first of its text */
  guint8 *is_shared;    /* by name: another id has its text */
  gboolean any_shared;
  gboolean are_all_looked_at; /* a source may tell that a span is in one of its name, or that it is not */
} Scan;

static void
find_shared (Scan *self)
{
  guint32 max_name = tt_store_max_name (self->store);

  self->is_shared = g_new0 (guint8, (gsize) max_name + 1);
  for (guint32 name = 1; name <= max_name; name++)
    if (self->first_names[name] != name && self->first_names[name] != 0)
      {
        self->is_shared[name] = self->is_shared[self->first_names[name]] = 1;
        self->any_shared = TRUE;
      }
}

/* Archives that tracetool wrote have the depths and flags of what they were made of, and may be damaged. */
static gboolean
may_tell_nesting (TtStore *store)
{
  guint n;
  const TtSource *sources = tt_store_sources (store, &n);

  for (guint i = 0; i < n; i++)
    if (g_strcmp0 (sources[i].format, "otf2") == 0)
      return TRUE;
  return FALSE;
}

/* Feeds the spans of processes [first, first + n) to @long_names, all of them to @names if not NULL. */
static gboolean
scan_spans (Scan *self, guint32 first, guint32 n, TtSpanFeed *long_names, TtSpanFeed *names, GError **error)
{
  guint32 stride = tt_store_max_name (self->store) + 1;
  gboolean has_open = self->any_shared || self->are_all_looked_at;
  g_autoptr (TtOpenGroups) open = has_open ? tt_open_groups_new (tt_store_max_thread (self->store)) : NULL;
  TtEventScan *scan = tt_event_scan_new (self->store, has_open ? TT_SCAN_REVERSE : TT_SCAN_DEFAULT, error);
  TtEvent event;
  guint64 n_seen = 0;

  if (scan == NULL)
    return FALSE;
  while (tt_event_scan_next (scan, &event))
    {
      guint32 process = tt_store_process_of_thread (self->store, event.thread);
      guint32 name = event.name >= stride ? 0 : self->first_names == NULL ? event.name : self->first_names[event.name];

      if ((++n_seen & 0xfffff) == 0 && tt_cancelled (error))
        {
          tt_event_scan_finish (scan, NULL);
          return FALSE;
        }
      if (event.dur_ns == TT_NO_TIME || process == TT_NO_ID || name == 0)
        continue;
      gboolean inside = (event.flags & TT_FLAG_RECURSIVE) != 0;
      if (open != NULL)
        inside |= tt_open_groups_put (open, &event,
                                      self->are_all_looked_at || self->is_shared[event.name] ? name : TT_NO_GROUP);
      gint64 total_ns = inside ? 0 : event.dur_ns;
      if (process - first < n)
        tt_span_feed_add (long_names, (process - first) * stride + name, event.flags, event.dur_ns, event.self_ns,
                          total_ns);
      if (names != NULL)
        tt_span_feed_add (names, name, event.flags, event.dur_ns, event.self_ns, total_ns);
    }
  return tt_event_scan_finish (scan, error);
}

/* As scan_spans(), into tallies, each by a thread of its own. */
static gboolean
scan_processes (Scan *self, guint32 first, guint32 n, TtTally *long_names, TtTally *names, GError **error)
{
  TtSpanFeed *long_feed = tt_span_feed_new (long_names);
  TtSpanFeed *feed = names == NULL ? NULL : tt_span_feed_new (names);
  gboolean done = scan_spans (self, first, n, long_feed, feed, error);

  tt_span_feed_finish (long_feed);
  if (feed != NULL)
    tt_span_feed_finish (feed);
  return done;
}

typedef struct
{
  Scan *scan;
  TtTally *tally;
  TtStatisticRows rows;
  guint32 next_process, last_process, n_per_scan;
  TtTally *names;
} Chunks;

/* TtStatisticRows of one chunk of processes after the other: as many as fit the numbers of groups. */
static gboolean
next_of_chunks (TtStatistic *row, gpointer data, GError **error)
{
  Chunks *self = data;
  GError *failure = NULL;

  for (;;)
    {
      if (self->tally != NULL && tt_statistic_rows_next (row, &self->rows, &failure))
        return TRUE;
      g_clear_pointer (&self->tally, tt_tally_free);
      if (failure != NULL)
        g_propagate_error (error, failure);
      if (failure != NULL || self->next_process > self->last_process)
        return FALSE;

      self->tally = tt_tally_new (SCAN_BYTES);
      self->rows.tally = self->tally;
      self->rows.is_finished = FALSE;
      self->rows.first_process = self->next_process;
      if (!scan_processes (self->scan, self->next_process, self->n_per_scan, self->tally, self->names, error))
        return FALSE;
      self->names = NULL;
      if (self->n_per_scan > self->last_process - self->next_process)
        self->last_process = 0;
      self->next_process += self->n_per_scan;
    }
}

static gboolean
write_scanned (TtStoreImport *import, Scan *scan, GError **error)
{
  guint64 stride = (guint64) tt_store_max_name (scan->store) + 1;
  g_autoptr (TtTally) names = tt_tally_new (SCAN_BYTES);
  TtStatisticRows by_name = { .tally = names, .stride = stride };
  Chunks chunks = {
    .scan = scan,
    .rows = { .stride = stride },
    .next_process = 1,
    .last_process = tt_store_max_process (scan->store),
    .n_per_scan = (guint32) (((guint64) 1 << 32) / stride),
    .names = names,
  };

  gboolean done = tt_store_import_statistics (import, &(TtStatisticFeed){ next_of_chunks, &chunks },
                                              &(TtStatisticFeed){ tt_statistic_rows_next, &by_name }, error);
  tt_tally_free (chunks.tally);
  return done;
}

gboolean
tt_statistics_scan (TtStoreImport *import, TtStore *store, gboolean may_share, GError **error)
{
  Scan scan = { .store = store, .first_names = may_share ? tt_store_first_names (store, error) : NULL };

  if (may_share && scan.first_names == NULL)
    return FALSE;
  if (may_share)
    find_shared (&scan);
  scan.are_all_looked_at = may_tell_nesting (store);
  gboolean done = write_scanned (import, &scan, error);
  g_free (scan.first_names);
  g_free (scan.is_shared);
  return done;
}
