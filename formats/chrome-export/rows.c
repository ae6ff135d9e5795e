/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/rows.h"

#include "formats/chrome-export/line.h"
#include "formats/chrome-export/tracks.h"

#include "src/trace/span.h"

#include <math.h>
#include <string.h>

/* As in the source. */
static gint64
source_time (const TtChrome *self, TtClock clock, guint64 key)
{
  return tt_sort_value (key) + (self->clocks.shift_ns[clock] - self->clocks.left_ns[clock]);
}

/* -- events ------------------------------------------------------------------------------------------- */

ChromeExtra
tt_chrome_extra (const TtChrome *self, const ChromeRecord *record)
{
  ChromeExtra extra = {
    .dur_ns = record->value,
    .step = TT_NO_STEP,
    .source = record->bits >> CHROME_SOURCE_SHIFT,
  };

  if (G_UNLIKELY ((record->bits & CHROME_HAS_EXTRA) != 0))
    tt_spill_read (self->extras, (guint64) record->value, &extra, sizeof extra);
  return extra;
}

static gboolean
is_selected (const TtChrome *self, const ChromeRecord *record, const ChromeExtra *extra, TtClock clock)
{
  TtEvent event = {
    .id = extra->event,
    .source = g_array_index (self->sources, ChromeSource, extra->source).id,
    .thread = (guint32) record->order,
    .name = record->name,
    .depth = (guint32) (record->order >> 32),
    .flags = record->bits >> CHROME_FLAGS_SHIFT & CHROME_FLAGS_MASK,
    .step = extra->step,
    .ts_ns = source_time (self, clock, record->ts),
    .dur_ns = extra->dur_ns,
    .self_ns = extra->self_ns,
  };

  return tt_selection_matches (self->options->selection, &event);
}

static gboolean
touches_window (const TtChrome *self, const ChromeRecord *record, const ChromeExtra *extra, TtClock clock)
{
  gint64 ts_ns = source_time (self, clock, record->ts);

  return ts_ns <= self->end_ns && tt_span_end (ts_ns, extra->dur_ns) >= self->begin_ns;
}

/* Counts a row that is shown. FALSE: too short for --max-size. */
static gboolean
count_row (TtChrome *self, const ChromeRecord *record, const ChromeExtra *extra, gboolean is_span)
{
  TtExportReport *report = self->report;

  if (self->limit != NULL && !self->is_measuring)
    {
      gboolean fits = is_span ? tt_chrome_limit_keeps_span (self->limit, extra->dur_ns, (guint32) (record->order >> 32))
                              : tt_chrome_limit_keeps_points (self->limit);
      if (!fits)
        {
          report->n_dropped++;
          return FALSE;
        }
      if (is_span)
        report->shortest_kept_ns = MIN (report->shortest_kept_ns, extra->dur_ns);
    }
  if (is_span)
    report->n_spans++;
  else
    report->n_instants++;
  return TRUE;
}

/* Where it goes: on a line of its thread, or on a lane. */
static void
place (TtChrome *self, ChromeShown *shown)
{
  const ChromeRecord *record = shown->record;
  guint32 thread = (guint32) record->order, depth = (guint32) (record->order >> 32);
  gint64 ts_ns = tt_sort_value (record->ts), end_ns = ts_ns;

  if (shown->is_span && __builtin_add_overflow (ts_ns, shown->extra->dur_ns, &end_ns))
    end_ns = G_MAXINT64;
  if (G_LIKELY ((record->bits & TT_FLAG_ASYNC << CHROME_FLAGS_SHIFT) == 0))
    shown->track = shown->is_span ? tt_chrome_track_for (self, thread, ts_ns, end_ns, depth)
                                  : tt_chrome_track_for_point (self, thread, ts_ns);
  if (G_UNLIKELY (shown->track == NULL && (record->bits & TT_FLAG_ASYNC << CHROME_FLAGS_SHIFT) == 0))
    self->report->n_unnested++;
  if (G_UNLIKELY (shown->track == NULL))
    shown->lane = tt_chrome_lane_for (self->lanes, thread, record->name, depth, ts_ns, end_ns, &shown->lane_is_new);
}

/* Viewers have one line for all such instants of a process, and one for those of everything: what does not fit there is
 * shown on its thread. */
#define MAX_WIDE_POINTS 100u

/* As its importer keeps it, see trace-event/args-keeper.h. */
static char
scope_of (TtChrome *self, const ChromeRecord *record, const ChromeExtra *extra)
{
  static const char key[] = "{\"scope\":\"";
  const GString *args = self->scratch;

  if (extra->args == 0 || tt_chrome_args_get (self->args, extra->args, self->scratch) > TT_LONG_ARGS ||
      args->len < sizeof key + 1 || memcmp (args->str, key, sizeof key - 1) != 0 || args->str[sizeof key] != '"')
    return 't';
  char scope = args->str[sizeof key - 1];
  if (scope != 'p' && scope != 'g')
    return 't';

  if (self->wide_ts != record->ts)
    self->n_wide = 0;
  self->wide_ts = record->ts;
  return self->n_wide++ < MAX_WIDE_POINTS ? scope : 't';
}

static void
list_pid (TtChrome *self, guint32 id)
{
  ChromeProcess *process = tt_chrome_process_at (self, id);

  if (process->is_listed)
    return;
  process->is_listed = TRUE;
  g_array_append_val (self->pids_in_order, id);
}

static void
write_event (TtChrome *self, const ChromeRecord *record)
{
  const ChromeThread *thread = tt_chrome_thread_at (self, (guint32) record->order);
  ChromeExtra extra = tt_chrome_extra (self, record);
  ChromeShown shown = {
    .record = record,
    .extra = &extra,
    .thread = thread,
    .is_span = (record->bits & CHROME_KIND_MASK) == CHROME_SPAN,
    .clock = tt_chrome_event_clock (self, extra.source),
    .fragment = tt_chrome_fragment (self, thread->process, (guint32) record->order, record->name),
  };

  /* Counted first: a number must not depend on what a filter chooses. */
  if (shown.is_span && touches_window (self, record, &extra, shown.clock))
    shown.cnt = (*shown.fragment.count)++;
  if ((self->language->only_spans && !shown.is_span) ||
      (self->options->selection != NULL && !is_selected (self, record, &extra, shown.clock)) ||
      !count_row (self, record, &extra, shown.is_span))
    return;
  if (self->language->only_spans)
    list_pid (self, thread->process);
  else
    {
      if (!shown.is_span)
        shown.scope = scope_of (self, record, &extra);
      if (shown.is_span || shown.scope == 't')
        place (self, &shown);
      else
        shown.track = &thread->track;
      if (self->messages != NULL && shown.is_span && shown.track != NULL)
        tt_chrome_begun_add (&self->begun, record, &extra);
    }
  self->language->event (self, &shown);
}

/* -- counters ------------------------------------------------------------------------------------------ */

static void
write_counter (TtChrome *self, const ChromeRecord *record)
{
  guint32 id = (guint32) record->order;
  TtClock clock = tt_chrome_thread_clock (self, id);
  double real = 0;

  if ((record->bits & CHROME_KIND_MASK) == CHROME_COUNTER_REAL)
    memcpy (&real, &record->value, sizeof real);
  if (self->options->selection != NULL &&
      !tt_selection_matches_point (self->options->selection, id, source_time (self, clock, record->ts)))
    return;
  /* No viewer can show infinite and undefined values. */
  if (!isfinite (real) || (self->limit != NULL && !self->is_measuring && !tt_chrome_limit_keeps_points (self->limit)))
    {
      self->report->n_dropped++;
      return;
    }
  self->report->n_counters++;
  self->language->counter (self, record);
}

void
tt_chrome_write_record (TtChrome *self, const ChromeRecord *record)
{
  guint kind = record->bits & CHROME_KIND_MASK;

  if (kind == CHROME_SPAN || kind == CHROME_INSTANT)
    write_event (self, record);
  else
    write_counter (self, record);
}
