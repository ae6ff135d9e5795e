/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau-export/profile-private.h"

#include <glib/gstdio.h>

#include "src/base/failure.h"
#include "src/base/progress.h"
#include "src/trace/lane.h"
#include "src/trace/span.h"

#define STEP 65536u

typedef struct
{
  guint32 name, depth;
  gint64 ts_ns;
} Frame;

/* Spans that may have children yet, in begin order. */
typedef struct
{
  GArray *frames;      /* of Frame */
  gboolean is_crossed; /* spans that cross have come in the lane: they are no stack */
  TtLane lane;
} Open;

/* If more spans than these cross at once, those that begin last are dropped. */
#define MAX_CROSSED 1024u

typedef struct
{
  TtProfile *profile;
  Open *open; /* by thread */
} Reading;

static TtProfileRow *
get_row (TtProfile *self, guint32 thread, guint32 name)
{
  const TtProfileKey key = { thread, name };
  TtProfileRow *row = g_hash_table_lookup (self->rows, &key);

  if (row == NULL)
    {
      row = g_new0 (TtProfileRow, 1);
      row->key = key;
      g_hash_table_add (self->rows, row);
    }
  return row;
}

/* -- spans, a parent before its children ------------------------------------------------------------- */

static Frame *
find_last (const Open *open)
{
  return open->frames->len == 0 ? NULL : &g_array_index (open->frames, Frame, open->frames->len - 1);
}

static void
drop_frames (Reading *self, guint32 thread, guint32 depth)
{
  Open *open = &self->open[thread];

  for (const Frame *last; (last = find_last (open)) != NULL && last->depth >= depth;)
    {
      get_row (self->profile, thread, last->name)->n_open--;
      g_array_set_size (open->frames, open->frames->len - 1);
    }
}

static void
begin_crossed (Reading *self, guint32 thread)
{
  Open *open = &self->open[thread];

  for (guint i = 0; i < open->frames->len; i++)
    get_row (self->profile, thread, g_array_index (open->frames, Frame, i).name)->n_open = 0;
  open->is_crossed = TRUE;
}

/* The place of @event in the frames: after the spans that contain it. */
static guint
find_place_among_crossed (Open *open, const TtEvent *event)
{
  gint64 end_ns = tt_span_end (event->ts_ns, event->dur_ns);
  guint place;

  for (const Frame *last; (last = find_last (open)) != NULL && last->ts_ns > event->ts_ns && last->ts_ns >= end_ns;)
    g_array_set_size (open->frames, open->frames->len - 1);
  for (place = open->frames->len; place > 0 && g_array_index (open->frames, Frame, place - 1).ts_ns > event->ts_ns;)
    place--;
  g_array_set_size (open->frames, MIN (open->frames->len, place + MAX_CROSSED));
  return place;
}

/* Where @event stands among the spans of its thread that are open, of which those that are not any more go. */
static guint
find_place (Reading *self, const TtEvent *event)
{
  Open *open = &self->open[event->thread];

  if (tt_lane_begins (&open->lane, event->source, tt_span_end (event->ts_ns, event->dur_ns)))
    {
      if (open->is_crossed)
        g_array_set_size (open->frames, 0);
      drop_frames (self, event->thread, 0);
      open->is_crossed = FALSE;
    }
  if ((event->flags & TT_FLAG_OVERLAP) && !open->is_crossed)
    begin_crossed (self, event->thread);
  if (open->is_crossed)
    return find_place_among_crossed (open, event);
  drop_frames (self, event->thread, event->depth);
  return open->frames->len;
}

static void
add_span (Reading *self, const TtEvent *event)
{
  TtProfile *profile = self->profile;
  Open *open = &self->open[event->thread];
  const Frame frame = { .name = profile->first_names[event->name], .depth = event->depth, .ts_ns = event->ts_ns };
  TtProfileRow *row = get_row (profile, event->thread, frame.name);
  guint place = find_place (self, event);

  if (place > 0)
    get_row (profile, event->thread, g_array_index (open->frames, Frame, place - 1).name)->n_children++;

  gboolean is_outermost = open->is_crossed ? (event->flags & TT_FLAG_RECURSIVE) == 0 : row->n_open++ == 0;
  row->n_calls++;
  row->self_ns += event->self_ns;
  if (is_outermost)
    row->total_ns += event->dur_ns;
  tt_event_bits_set (profile->counted, event->id);
  if (is_outermost)
    tt_event_bits_set (profile->outermost, event->id);
  g_array_insert_val (open->frames, place, frame);
  profile->report->run.n_spans++;
}

static void
take_event (Reading *self, const TtEvent *event)
{
  TtProfile *profile = self->profile;

  if (event->thread >= profile->n_threads ||
      (profile->selection != NULL && !tt_selection_matches (profile->selection, event)))
    return;
  if (event->dur_ns == TT_NO_TIME)
    profile->report->run.n_instants++;
  else if (event->flags & TT_FLAG_ASYNC)
    profile->report->run.n_async++;
  else
    add_span (self, event);
}

static gboolean
scan_spans (Reading *self, GError **error)
{
  TtProfile *profile = self->profile;
  g_autoptr (TtProgress) progress = NULL;
  g_autoptr (GError) failed = NULL;
  gint64 begin_ns = G_MININT64, end_ns = G_MAXINT64;
  TtEvent event;
  guint n = 0;

  if (profile->selection != NULL)
    tt_selection_window (profile->selection, &begin_ns, &end_ns);
  TtEventScan *scan = tt_event_scan_new_between (profile->store, TT_SCAN_REVERSE, begin_ns, end_ns, error);
  if (scan == NULL)
    return FALSE;
  progress = tt_progress_new ("reading", tt_store_n_events (profile->store), "events");
  while (failed == NULL && tt_event_scan_next (scan, &event))
    {
      take_event (self, &event);
      if (++n == STEP)
        {
          tt_progress_add (progress, n);
          tt_cancelled (&failed);
          n = 0;
        }
    }
  if (!tt_event_scan_finish (scan, failed == NULL ? error : NULL))
    return FALSE;
  if (failed == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failed));
  return FALSE;
}

static gboolean
read_spans (TtProfile *profile, GError **error)
{
  Reading self = { .profile = profile, .open = g_new0 (Open, profile->n_threads) };

  for (guint32 i = 0; i < profile->n_threads; i++)
    self.open[i].frames = g_array_new (FALSE, FALSE, sizeof (Frame));
  gboolean is_good = scan_spans (&self, error);
  for (guint32 i = 0; i < profile->n_threads; i++)
    g_array_unref (self.open[i].frames);
  g_free (self.open);
  return is_good;
}

static gboolean
on_counter (guint32 series, guint32 thread, gint64 ts_ns, gboolean is_real, gint64 integer, double real, gpointer data)
{
  TtProfile *self = data;
  const TtProfileKey key = { thread, series };
  double value = is_real ? real : (double) integer;

  if (thread == TT_NO_ID || thread >= self->n_threads ||
      (self->selection != NULL && !tt_selection_matches_point (self->selection, thread, ts_ns)))
    return TRUE;
  TtProfileValues *values = g_hash_table_lookup (self->values, &key);
  if (values == NULL)
    {
      values = g_new0 (TtProfileValues, 1);
      *values = (TtProfileValues){ .key = key, .min = value, .max = value };
      g_hash_table_add (self->values, values);
    }
  values->n++;
  values->min = MIN (values->min, value);
  values->max = MAX (values->max, value);
  values->sum += value;
  values->sum_squares += value * value;
  self->report->run.n_counters++;
  return TRUE;
}

/* The files and, if it is new, the folder that came before them. */
static void
remove_written (const GPtrArray *written)
{
  for (guint i = written->len; i > 0; i--)
    g_remove (written->pdata[i - 1]);
}

static void
free_metric (gpointer data)
{
  TtProfileMetric *metric = data;

  g_free (metric->folder);
  g_hash_table_unref (metric->rows);
  g_free (metric);
}

static gboolean
read_run (TtProfile *self, GError **error)
{
  self->first_names = tt_store_first_names (self->store, error);
  self->counted = self->first_names == NULL ? NULL : tt_event_bits_new (self->store, error);
  self->outermost = self->counted == NULL ? NULL : tt_event_bits_new (self->store, error);
  return self->outermost != NULL &&
         (self->selection == NULL || tt_selection_bind (self->selection, self->store, error)) &&
         tt_store_each_counter (self->store, on_counter, self, error) && read_spans (self, error) &&
         tt_profile_read_metrics (self, error) && tt_failure_check (error);
}

gboolean
tt_tau_export_profile (TtStore *store,
                       const char *folder,
                       TtSelection *selection,
                       TtTauExportReport *report,
                       GError **error)
{
  g_autoptr (TtTauExportNumbers) numbers = tt_tau_export_numbers_new (store, error);
  g_autoptr (GPtrArray) written = g_ptr_array_new_with_free_func (g_free);
  TtProfile self = {
    .store = store,
    .selection = selection,
    .report = report,
    .rows = g_hash_table_new_full (tt_profile_key_hash, tt_profile_key_equal, g_free, NULL),
    .values = g_hash_table_new_full (tt_profile_key_hash, tt_profile_key_equal, g_free, NULL),
    .metrics = g_ptr_array_new_with_free_func (free_metric),
    .n_threads = tt_store_max_thread (store) + 1,
  };
  gboolean is_good = numbers != NULL && read_run (&self, error) &&
                     tt_profile_write (&self, folder, numbers, written, error) && tt_failure_check (error);

  if (!is_good)
    remove_written (written);
  report->n_renumbered = numbers == NULL ? 0 : numbers->n_renumbered;
  g_clear_pointer (&self.counted, tt_event_bits_free);
  g_clear_pointer (&self.outermost, tt_event_bits_free);
  g_free (self.first_names);
  g_ptr_array_unref (self.metrics);
  g_hash_table_unref (self.rows);
  g_hash_table_unref (self.values);
  return is_good;
}
