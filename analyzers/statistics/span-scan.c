/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/span-scan.h"

#include "analyzers/spans/each-event.h"
#include "analyzers/spans/parents.h"
#include "analyzers/statistics/open-groups.h"
#include "analyzers/statistics/span-feed.h"
#include "src/base/error.h"
#include "src/trace/trust.h"

#define SORT_MEMORY ((gsize) 64 << 20)

/* A span that others may be inside of. Where the window cuts it, its self time is known when its children have passed. */
typedef struct
{
  gboolean is_cut;
  guint32 group, flags;
  gint64 dur_ns, self_ns, total_ns;
  gint64 covered_from_ns; /* begin of the first child so far */
  guint32 path;
} OpenSpan;

typedef struct
{
  TtStore *store;
  const TtEventStatsRequest *request;
  TtGrouping *grouping;
  TtOpenGroups *open;
  TtSpanFeed *feed;
  gboolean has_window, by_path;
  gboolean takes_windows;   /* spans that only name a stretch of time */
  GHashTable *marks;        /* by group: marks of its spans, of guint64 */
  const guint8 *is_damaged; /* by thread; NULL: none is */
  TtSpanParents *parents;   /* of OpenSpan; only with a window or by path */
  guint32 max_thread;
  gboolean is_around; /* what comes now is not counted */
  gboolean
      by_name; /* of all spans: as the tables count, a span is inside another of its name where the trace says so */
} Scan;

/* -- the time window ----------------------------------------------------------------------------- */

static void
flush_cut_span (gpointer payload, gpointer data)
{
  const OpenSpan *span = payload;
  Scan *self = data;

  if (span->is_cut)
    tt_span_feed_add (self->feed, span->group, span->flags, span->dur_ns, MAX (span->self_ns, 0), span->total_ns);
}

/* Children come with falling ends: of one that crosses another only what lies before the others counts. */
static void
leave_to_child (OpenSpan *parent, const TtSelection *selection, const TtEvent *event)
{
  gint64 dur_ns = event->dur_ns, before_ns;

  if (!parent->is_cut)
    return;
  if ((event->flags & TT_FLAG_OVERLAP) != 0 &&
      !__builtin_sub_overflow (parent->covered_from_ns, event->ts_ns, &before_ns))
    dur_ns = CLAMP (before_ns, 0, dur_ns);
  parent->self_ns -= tt_selection_clip (selection, event->ts_ns, dur_ns);
  parent->covered_from_ns = MIN (parent->covered_from_ns, event->ts_ns);
}

/* -- marks --------------------------------------------------------------------------------------- */

/* Few groups have any. */
static void
mark_group (GHashTable *marks, guint32 group, guint64 n, gboolean is_damaged)
{
  guint64 *mark = g_hash_table_lookup (marks, GUINT_TO_POINTER (group));

  if (mark == NULL)
    {
      mark = g_new0 (guint64, 1);
      g_hash_table_insert (marks, GUINT_TO_POINTER (group), mark);
    }
  *mark = (*mark + n) | (is_damaged ? TT_SPAN_SCAN_IS_DAMAGED : 0);
}

/* By thread: whether it is of one of @processes. NULL: there are none. Free it. */
static guint8 *
find_damaged_threads (TtStore *store, GHashTable *processes)
{
  guint n;
  const TtThread *threads = tt_store_threads (store, &n);

  if (processes == NULL || g_hash_table_size (processes) == 0)
    return NULL;
  guint8 *is_damaged = g_malloc0 ((gsize) tt_store_max_thread (store) + 1);
  for (guint i = 0; i < n; i++)
    is_damaged[threads[i].id] = g_hash_table_contains (processes, GUINT_TO_POINTER (threads[i].process));
  return is_damaged;
}

/* -- one scan ------------------------------------------------------------------------------------ */

static gboolean
is_wanted (const Scan *self, const TtEvent *event)
{
  const TtSelection *selection = self->request->selection;

  return (self->takes_windows || (event->flags & TT_FLAG_WINDOW) == 0) &&
         !(self->request->only_measured && tt_flags_are_bounded (event->flags)) &&
         (selection == NULL || tt_selection_matches (selection, event));
}

/* Puts the span among those that may be around others. *@path: its path, where groups are by path. */
static OpenSpan *
open_span (Scan *self, const TtEvent *event, guint32 *path, GError **error)
{
  gpointer payload;
  OpenSpan *span = tt_span_parents_add (self->parents, event, &payload, error), *parent = payload;

  *path = 0;
  if (span == NULL)
    return NULL;
  if (parent != NULL && self->has_window)
    leave_to_child (parent, self->request->selection, event);
  if (!self->by_path)
    return span;
  *path = parent == NULL ? 0 : parent->path;
  if ((event->flags & TT_FLAG_WINDOW) == 0)
    *path = tt_grouping_path (self->grouping, *path, event->name);
  span->path = *path;
  if (*path != 0 || (event->flags & TT_FLAG_WINDOW) != 0)
    return span;
  tt_grouping_fail_paths (error);
  return NULL;
}

static gboolean
take_span (Scan *self, const TtEvent *event, GError **error)
{
  const TtSelection *selection = self->request->selection;
  gint64 clipped_ns = self->has_window ? tt_selection_clip (selection, event->ts_ns, event->dur_ns) : event->dur_ns;
  OpenSpan *span = NULL;
  guint32 path = 0;

  /* Whose parent is not read begins after what is counted. */
  if (self->is_around && self->parents != NULL && !tt_span_parents_fits (self->parents, event))
    return TRUE;
  if (self->parents != NULL && (span = open_span (self, event, &path, error)) == NULL)
    return FALSE;
  if (!is_wanted (self, event))
    {
      tt_open_groups_put (self->open, event, TT_NO_GROUP);
      return TRUE;
    }

  guint32 group = tt_grouping_group_on (self->grouping, event->thread, path, event->name, event->step);
  gboolean is_nested =
      tt_open_groups_put (self->open, event, group) || (self->by_name && (event->flags & TT_FLAG_RECURSIVE) != 0);
  if (self->is_around)
    return TRUE;
  gboolean is_damaged = self->is_damaged != NULL && self->is_damaged[event->thread];
  if (G_UNLIKELY ((event->flags & TT_TRUST_FLAGS) != 0 || is_damaged))
    mark_group (self->marks, group, (event->flags & TT_TRUST_FLAGS) != 0, is_damaged);
  gint64 total_ns = is_nested ? 0 : clipped_ns;
  if (clipped_ns == event->dur_ns)
    tt_span_feed_add (self->feed, group, event->flags, event->own_ns, event->self_ns, is_nested ? 0 : event->own_ns);
  else
    *span = (OpenSpan){ .is_cut = TRUE,
                        .group = group,
                        .flags = event->flags,
                        .dur_ns = event->own_ns,
                        .self_ns = (event->flags & TT_FLAG_WINDOW) != 0 ? 0 : clipped_ns,
                        .total_ns = total_ns,
                        .covered_from_ns = G_MAXINT64,
                        .path = path };
  return TRUE;
}

static gboolean
take_event (const TtEvent *event, gpointer data, GError **error)
{
  return event->dur_ns == TT_NO_TIME || take_span (data, event, error);
}

static gboolean
scan_spans (Scan *self, guint64 first, guint64 last, const GArray *around, GError **error)
{
  TtEventPart part = TT_EVENT_PART_ALL;

  part.flags = TT_SCAN_REVERSE;
  self->is_around = TRUE;
  for (guint i = 0; around != NULL && i < around->len; i++)
    {
      part.first = g_array_index (around, TtEventIds, i).first;
      part.last = g_array_index (around, TtEventIds, i).last;
      if (!tt_each_event_of (self->store, &part, take_event, self, error))
        return FALSE;
    }
  self->is_around = FALSE;
  part.first = first;
  part.last = last;
  if (self->request->selection != NULL)
    tt_selection_window (self->request->selection, &part.begin_ns, &part.end_ns);
  gboolean is_ok = tt_each_event_of (self->store, &part, take_event, self, error);
  if (self->parents != NULL)
    tt_span_parents_finish (self->parents);
  return is_ok;
}

static gboolean
is_by_name (const TtEventStatsRequest *request)
{
  const TtGroupKeys *keys = &request->keys;

  return request->selection == NULL && keys->n == 1 &&
         (keys->key[0] == TT_KEY_NAME || keys->key[0] == TT_KEY_OP_LONG_NAME);
}

gboolean
tt_span_scan_run (TtSpanScan *self,
                  TtStore *store,
                  const TtEventStatsRequest *request,
                  guint64 first,
                  guint64 last,
                  const GArray *around,
                  GError **error)
{
  const guint32 max_thread = tt_store_max_thread (store);
  g_autoptr (TtOpenGroups) open = tt_open_groups_new (max_thread);
  g_autofree guint8 *is_damaged = find_damaged_threads (store, request->damaged);

  self->grouping = tt_grouping_new (store, &request->keys);
  self->tally = tt_tally_new (SORT_MEMORY);
  self->marks = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  Scan scan = {
    .store = store,
    .request = request,
    .grouping = self->grouping,
    .open = open,
    .marks = self->marks,
    .is_damaged = is_damaged,
    .takes_windows = tt_group_keys_take_windows (&request->keys),
    .has_window = request->selection != NULL && tt_selection_has_window (request->selection),
    .by_path = tt_group_keys_has (&request->keys, TT_KEY_PATH),
    .max_thread = max_thread,
    .by_name = is_by_name (request),
  };

  if (scan.has_window || scan.by_path)
    scan.parents = tt_span_parents_new (scan.max_thread, sizeof (OpenSpan), flush_cut_span, &scan);
  scan.feed = tt_span_feed_new (self->tally);
  GError *failure = NULL;
  gboolean is_ok = scan_spans (&scan, first, last, around, &failure);
  /* Perhaps for want of what is not read: a scan of all tells. */
  const gboolean is_odd = !is_ok && around != NULL && !g_error_matches (failure, TT_ERROR, TT_ERROR_CANCELLED);
  if (is_odd)
    g_clear_error (&failure);
  else if (!is_ok)
    g_propagate_error (error, failure);
  self->is_plain = !is_odd && tt_open_groups_are_plain (open);
  tt_span_feed_finish (scan.feed);
  tt_span_parents_free (scan.parents);
  return (is_ok || is_odd) && tt_tally_finish (self->tally, error);
}

void
tt_span_scan_clear (TtSpanScan *self)
{
  g_clear_pointer (&self->grouping, tt_grouping_free);
  g_clear_pointer (&self->tally, tt_tally_free);
  g_clear_pointer (&self->marks, g_hash_table_unref);
}
