/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/rows.h"

#include "formats/chrome-export/args.h"
#include "formats/chrome-export/line.h"
#include "formats/chrome-export/tracks.h"
#include "src/trace/span.h"

#include <math.h>
#include <string.h>

static void
write_duration (TtChrome *self, TtClock clock, gint64 ns)
{
  if (clock == TT_CLOCK_TICKS)
    tt_output_int (self->out, ns);
  else
    tt_output_us (self->out, ns);
}

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

static void
write_lane (TtChrome *self, const ChromeThread *thread, const ChromeTrack *track)
{
  if (G_LIKELY (track == &thread->track))
    {
      tt_output_bytes (self->out, self->thread_text->str + thread->text, thread->text_len);
      return;
    }
  tt_output_literal (self->out, ",\"pid\":");
  tt_output_int (self->out, tt_chrome_process_at (self, thread->process)->number);
  tt_output_literal (self->out, ",\"tid\":");
  tt_output_int (self->out, track->number);
  tt_output_literal (self->out, ",\"args\":{");
}

static void
write_source_args (TtChrome *self, guint64 id)
{
  gsize len = tt_chrome_args_get (self->args, id, self->scratch);

  if (len <= TT_LONG_ARGS)
    tt_chrome_args (self->out, self->scratch->str, len);
  else
    self->report->n_long_args++;
}

static void
write_args (TtChrome *self, const ChromeRecord *record, const ChromeExtra *extra, gboolean is_span)
{
  TtOutput *out = self->out;
  guint32 flags = record->bits >> CHROME_FLAGS_SHIFT & CHROME_FLAGS_MASK;

  if (extra->step != TT_NO_STEP)
    {
      tt_output_literal (out, ",\"step\":");
      tt_output_int (out, extra->step);
    }
  if (G_UNLIKELY (flags != 0 && !self->is_template))
    {
      tt_output_literal (out, ",\"flags\":\"");
      tt_output_text (out, tt_flags_text (flags));
      tt_output_literal (out, "\"");
    }
  if (G_UNLIKELY ((record->bits & CHROME_HIGHLIGHT) != 0 && !self->is_template))
    tt_output_literal (out, ",\"critical_path\":true");
  if (extra->args != 0)
    write_source_args (self, extra->args);
  tt_output_literal (out, "}}");
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
  TtOutput *out = self->out;
  gboolean is_span = (record->bits & CHROME_KIND_MASK) == CHROME_SPAN;
  guint32 id = (guint32) record->order;
  const ChromeThread *thread = tt_chrome_thread_at (self, id);
  ChromeExtra extra = tt_chrome_extra (self, record);
  TtClock clock = tt_chrome_event_clock (self, extra.source);
  ChromeFragment fragment = tt_chrome_fragment (self, thread->process, record->name);
  guint64 cnt = is_span ? (*fragment.count)++ : 0;

  /* Counted first: a number must not depend on what else is shown. */
  if ((self->is_template && !is_span) ||
      (self->options->selection != NULL && !is_selected (self, record, &extra, clock)) ||
      !count_row (self, record, &extra, is_span))
    return;

  const ChromeTrack *track = &thread->track;
  if (self->is_template)
    list_pid (self, thread->process);
  else if (is_span)
    {
      gint64 ts_ns = tt_sort_value (record->ts), end_ns;
      if (__builtin_add_overflow (ts_ns, extra.dur_ns, &end_ns))
        end_ns = G_MAXINT64;
      track = tt_chrome_track_for (self, id, ts_ns, end_ns);
    }

  tt_chrome_line (self);
  tt_output_bytes (out, fragment.head, fragment.head_len);
  if (G_UNLIKELY ((record->bits & (CHROME_HIGHLIGHT | TT_FLAG_FAILED << CHROME_FLAGS_SHIFT)) != 0 &&
                  !self->is_template))
    tt_output_literal (out, ",\"cname\":\"terrible\"");
  if (is_span)
    tt_output_literal (out, ",\"ph\":\"X\",\"ts\":");
  else
    tt_output_literal (out, ",\"ph\":\"i\",\"s\":\"t\",\"ts\":");
  tt_chrome_write_time (self, clock, tt_sort_value (record->ts));
  if (is_span)
    {
      tt_output_literal (out, ",\"dur\":");
      write_duration (self, clock, extra.dur_ns);
    }
  write_lane (self, thread, track);
  tt_output_bytes (out, fragment.tail, is_span ? fragment.tail_len : fragment.plain_tail_len);
  if (is_span)
    tt_output_int (out, (gint64) cnt);
  write_args (self, record, &extra, is_span);
}

/* -- counters ------------------------------------------------------------------------------------------ */

/* The shortest decimal text that reads back as @value. */
static void
write_real (TtOutput *out, double value)
{
  static const char *const formats[] = { "%.15g", "%.16g", "%.17g" };
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_ascii_formatd (text, sizeof text, formats[i], value);
      if (g_ascii_strtod (text, NULL) == value)
        break;
    }
  tt_output_text (out, text);
}

static void
write_counter (TtChrome *self, const ChromeRecord *record)
{
  TtOutput *out = self->out;
  guint32 id = (guint32) record->order;
  const ChromeThread *thread = tt_chrome_thread_at (self, id);
  const ChromeSeries *series = &g_array_index (self->series, ChromeSeries, record->name);
  TtClock clock = tt_chrome_thread_clock (self, id);
  gboolean is_real = (record->bits & CHROME_KIND_MASK) == CHROME_COUNTER_REAL;
  double real = 0;

  if (is_real)
    memcpy (&real, &record->value, sizeof real);
  if (self->options->selection != NULL &&
      !tt_selection_matches_point (self->options->selection, id, source_time (self, clock, record->ts)))
    return;
  /* JSON has no word for infinite and undefined values. */
  if (!isfinite (real) || (self->limit != NULL && !self->is_measuring && !tt_chrome_limit_keeps_points (self->limit)))
    {
      self->report->n_dropped++;
      return;
    }

  self->report->n_counters++;
  tt_chrome_line (self);
  tt_output_literal (out, "{\"name\":");
  tt_output_json_string (out, series->name);
  tt_output_literal (out, ",\"ph\":\"C\",");
  if (series->has_several_threads)
    {
      tt_output_literal (out, "\"id\":");
      tt_output_json_string (out, thread->tid);
      tt_output_literal (out, ",");
    }
  tt_output_literal (out, "\"ts\":");
  tt_chrome_write_time (self, clock, tt_sort_value (record->ts));
  tt_output_bytes (out, self->thread_text->str + thread->text, thread->text_len);
  tt_output_literal (out, "\"value\":");
  if (is_real)
    write_real (out, real);
  else
    tt_output_int (out, record->value);
  tt_output_literal (out, "}}");
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
