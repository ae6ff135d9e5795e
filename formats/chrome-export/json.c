/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/json.h"

#include "formats/chrome-export/args.h"
#include "formats/chrome-export/json-arrows.h"
#include "formats/chrome-export/line.h"
#include "formats/chrome-export/plain.h"
#include "formats/chrome-export/roots.h"
#include "formats/chrome-export/span-waits.h"
#include "src/base/digits.h"

#include <string.h>

/* -- the file ------------------------------------------------------------------------------------------ */

static void
prepare_text (TtChrome *self, ChromeThread *thread)
{
  const ChromeProcess *process = tt_chrome_process_at (self, thread->process);
  GString *text = self->thread_text;

  thread->text = (guint32) text->len;
  if (self->language->only_spans)
    {
      tt_chrome_append_json (self, text, ",\"pid\":", process->pid);
      tt_chrome_append_json (self, text, ",\"tid\":", thread->tid);
    }
  else
    g_string_append_printf (text, ",\"pid\":%u,\"tid\":%u", process->number, thread->track.number);
  g_string_append (text, ",\"args\":{");
  thread->text_len = (guint32) text->len - thread->text;
}

static void
prepare (TtChrome *self)
{
  for (guint32 id = 0; id < self->threads->len; id++)
    if (tt_chrome_thread_at (self, id)->tid != NULL)
      prepare_text (self, tt_chrome_thread_at (self, id));
  tt_reserve (self->thread_text, TT_PADDING);
}

static void
write_clocks (TtChrome *self)
{
  TtOutput *out = self->out;
  gboolean is_used[3] = { FALSE, FALSE, FALSE };
  const char *separator = "";

  for (guint i = 0; i < self->sources->len; i++)
    is_used[g_array_index (self->sources, ChromeSource, i).clock] = TRUE;
  tt_output_literal (out, "\"clocks\":{");
  for (TtClock clock = TT_CLOCK_EPOCH; clock <= TT_CLOCK_TICKS; clock++)
    if (is_used[clock])
      {
        tt_output_text (out, separator);
        tt_output_json_string (out, tt_clock_text (clock));
        tt_output_text (out, clock == TT_CLOCK_TICKS ? ":{\"first_ticks\":" : ":{\"first_ns\":");
        tt_output_int (out, self->clocks.shift_ns[clock]);
        tt_output_literal (out, "}");
        separator = ",";
      }
  tt_output_literal (out, "}");
}

static void
begin (TtChrome *self)
{
  if (self->language->only_spans)
    {
      tt_output_literal (self->out, "{\"traceEvents\":[");
      return;
    }
  tt_output_literal (self->out, "{\"otherData\":{\"tool\":\"tracetool\",\"version\":\"" PACKAGE_VERSION "\",");
  if (self->options->original_names)
    tt_output_literal (self->out, "\"names\":\"original\",");
  write_clocks (self);
  tt_output_literal (self->out, "},\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
  tt_chrome_json_metadata (self);
}

static void
end (TtChrome *self)
{
  TtOutput *out = self->out;

  if (self->language->only_spans)
    {
      tt_output_literal (out, "\n],\"all_prefix\":[");
      for (guint i = 0; i < self->pids_in_order->len; i++)
        {
          if (i > 0)
            tt_output_literal (out, ",");
          guint32 id = g_array_index (self->pids_in_order, guint32, i);
          tt_output_json_string (out, tt_chrome_process_at (self, id)->pid);
        }
      tt_output_literal (out, "],\"metadata\":{\"tool\":\"tracetool\"}}\n");
      return;
    }
  tt_chrome_json_overlay (self);
  tt_output_literal (out, "\n]}\n");
}

/* -- spans and instants -------------------------------------------------------------------------------- */

static void
write_duration (TtChrome *self, TtClock clock, gint64 ns)
{
  if (clock == TT_CLOCK_TICKS)
    tt_output_int (self->out, ns);
  else
    tt_output_us (self->out, ns);
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
write_wait (TtChrome *self, guint64 event)
{
  const TtExportWait *wait = tt_chrome_wait_of (self, event);

  if (wait == NULL)
    return;
  tt_output_literal (self->out, ",\"wait_ns\":");
  tt_output_int (self->out, wait->ns);
  tt_output_literal (self->out, ",\"wait_kind\":\"");
  tt_output_text (self->out, wait->kind);
  tt_output_literal (self->out, "\"");
  if (wait->cause == NULL)
    return;
  tt_output_literal (self->out, ",\"wait_for\":");
  tt_output_json_string (self->out, wait->cause);
}

static void
write_args (TtChrome *self, const ChromeRecord *record, const ChromeExtra *extra)
{
  TtOutput *out = self->out;
  guint32 flags = record->bits >> CHROME_FLAGS_SHIFT & CHROME_FLAGS_MASK;

  if (extra->step != TT_NO_STEP)
    {
      tt_output_literal (out, ",\"step\":");
      tt_output_int (out, extra->step);
    }
  if (G_UNLIKELY (flags != 0 && !self->language->only_spans))
    {
      tt_output_literal (out, ",\"flags\":\"");
      tt_output_text (out, tt_flags_text (flags));
      tt_output_literal (out, "\"");
    }
  if (G_UNLIKELY (self->roots != NULL && (flags & TT_FLAG_COLLECTIVE) != 0 &&
                  tt_chrome_roots_have (self->roots, extra->event)))
    tt_output_literal (out, ",\"is_root\":true");
  if (G_UNLIKELY ((record->bits & CHROME_HIGHLIGHT) != 0 && !self->language->only_spans))
    tt_output_literal (out, ",\"critical_path\":true");
  if (G_UNLIKELY ((record->bits & CHROME_WAITS) != 0 && !self->language->only_spans))
    write_wait (self, extra->event);
  if (extra->args != 0)
    write_source_args (self, extra->args);
  tt_output_literal (out, "}}");
}

/* Perfetto shows what has a plain id apart from all processes. */
static void
write_lane (TtChrome *self, guint64 lane)
{
  tt_output_literal (self->out, ",\"id2\":{\"local\":");
  tt_output_int (self->out, (gint64) lane);
  tt_output_literal (self->out, "},\"ts\":");
}

static void
write_phase (TtChrome *self, const ChromeShown *shown)
{
  TtOutput *out = self->out;

  if (G_LIKELY (shown->lane == 0))
    {
      if (shown->is_span)
        tt_output_literal (out, ",\"ph\":\"X\",\"ts\":");
      else
        {
          tt_output_literal (out, ",\"ph\":\"i\",\"s\":\"");
          tt_output_bytes (out, &shown->scope, 1);
          tt_output_literal (out, "\",\"ts\":");
        }
      return;
    }
  if (shown->is_span)
    tt_output_literal (out, ",\"ph\":\"b\"");
  else
    tt_output_literal (out, ",\"ph\":\"n\"");
  write_lane (self, shown->lane);
}

/* Right after its begin: viewers put the events of a file in order. */
static void
write_lane_end (TtChrome *self, const ChromeShown *shown)
{
  TtOutput *out = self->out;
  gint64 end_ns;

  if (__builtin_add_overflow (tt_sort_value (shown->record->ts), shown->extra->dur_ns, &end_ns))
    end_ns = G_MAXINT64;
  tt_chrome_line (self);
  tt_output_bytes (out, shown->fragment.head, shown->fragment.head_len);
  tt_output_literal (out, ",\"ph\":\"e\"");
  write_lane (self, shown->lane);
  tt_chrome_write_time (self, shown->clock, end_ns);
  tt_chrome_write_place (self, shown->thread, NULL);
  /* Readers find the begin by all that its name is made of. */
  tt_output_bytes (out, shown->fragment.tail, shown->fragment.tail_len);
  tt_output_literal (out, "}}");
}

/* All that nearly every line is: a span of a thread's own line. */
static inline gboolean
is_usual (const ChromeShown *shown)
{
  return shown->is_span && shown->lane == 0 && (shown->track == NULL || shown->track == &shown->thread->track) &&
         (shown->record->bits & (CHROME_HIGHLIGHT | TT_FLAG_FAILED << CHROME_FLAGS_SHIFT)) == 0;
}

/* Whether write_args() has more to write than the end. */
static inline gboolean
has_args (const ChromeShown *shown)
{
  const guint32 bits = CHROME_WAITS | CHROME_FLAGS_MASK << CHROME_FLAGS_SHIFT;

  return shown->extra->step != TT_NO_STEP || shown->extra->args != 0 || (shown->record->bits & bits) != 0;
}

static inline char *
put_time (char *at, TtClock clock, gint64 ns)
{
  return clock == TT_CLOCK_TICKS ? tt_put_signed (at, ns) : tt_put_us_padded (at, ns);
}

/* As write_event() does, in one go. */
static void
write_usual (TtChrome *self, const ChromeShown *shown)
{
  static const char between[] = ",\n"
                                ",\"ph\":\"X\",\"ts\":"
                                ",\"dur\":"
                                ",\"cnt\":"
                                "}}";
  const ChromeFragment *fragment = &shown->fragment;
  const ChromeThread *thread = shown->thread;
  TtOutput *out = self->out;
  gint64 shown_ns;

  if (__builtin_sub_overflow (tt_sort_value (shown->record->ts), self->clocks.left_ns[shown->clock], &shown_ns))
    shown_ns = G_MAXINT64;
  char *at = tt_output_reserve (out, fragment->head_len + fragment->tail_len + thread->text_len + sizeof between +
                                         3 * TT_MOST_DIGITS + TT_PADDING);
  if (G_LIKELY (self->n_lines++ > 0))
    *at++ = ',';
  *at++ = '\n';
  at = tt_put_padded (at, fragment->head, fragment->head_len);
  at = tt_put_literal (at, ",\"ph\":\"X\",\"ts\":");
  at = put_time (at, shown->clock, shown_ns);
  at = tt_put_literal (at, ",\"dur\":");
  at = put_time (at, shown->clock, shown->extra->dur_ns);
  at = tt_put_padded (at, self->thread_text->str + thread->text, thread->text_len);
  at = tt_put_padded (at, fragment->tail, fragment->tail_len);
  at = tt_put_literal (at, ",\"cnt\":");
  at = tt_put_decimal (at, shown->cnt);
  if (G_LIKELY (!has_args (shown)))
    at = tt_put_literal (at, "}}");
  out->used = (gsize) (at - out->buffer);
  if (G_UNLIKELY (has_args (shown)))
    write_args (self, shown->record, shown->extra);
}

static void
write_event (TtChrome *self, const ChromeShown *shown)
{
  const ChromeRecord *record = shown->record;
  TtOutput *out = self->out;

  if (G_LIKELY (is_usual (shown)))
    {
      write_usual (self, shown);
      return;
    }
  tt_chrome_line (self);
  tt_output_bytes (out, shown->fragment.head, shown->fragment.head_len);
  if (G_UNLIKELY ((record->bits & (CHROME_HIGHLIGHT | TT_FLAG_FAILED << CHROME_FLAGS_SHIFT)) != 0 &&
                  !self->language->only_spans))
    tt_output_literal (out, ",\"cname\":\"terrible\"");
  write_phase (self, shown);
  tt_chrome_write_time (self, shown->clock, tt_sort_value (record->ts));
  if (shown->is_span && G_LIKELY (shown->lane == 0))
    {
      tt_output_literal (out, ",\"dur\":");
      write_duration (self, shown->clock, shown->extra->dur_ns);
    }
  tt_chrome_write_place (self, shown->thread, shown->track);
  tt_output_bytes (out, shown->fragment.tail, shown->fragment.tail_len);
  if (shown->is_span)
    {
      tt_output_literal (out, ",\"cnt\":");
      tt_output_int (out, (gint64) shown->cnt);
    }
  write_args (self, record, shown->extra);
  if (G_UNLIKELY (shown->lane != 0 && shown->is_span))
    write_lane_end (self, shown);
}

/* What stands between the parts of a line. */
#define BEFORE_HEAD ",\n"
#define BEFORE_TIME ",\"ph\":\"X\",\"ts\":"
#define BEFORE_DURATION ",\"dur\":"
#define BEFORE_NUMBER ",\"cnt\":"
#define BEFORE_FLAGS ",\"flags\":\""
#define PART(name, text) .name = text, .name##_len = sizeof (text) - 1

/* For the numbers of a span and what stands around them. */
#define SPAN_ROOM (3 * TT_MOST_DIGITS + sizeof BEFORE_DURATION "}}" + TT_PADDING)

static inline char *
put_shown_time (TtChrome *self, char *at, TtClock clock, gint64 ns)
{
  return clock == TT_CLOCK_TICKS ? tt_put_signed (at, ns) : tt_put_near_us (at, &self->last_time, ns);
}

/* Most are short: these in line. */
static inline char *
put_duration (char *at, TtClock clock, gint64 ns)
{
  if (G_LIKELY ((guint64) ns < TT_SHORT_NS && clock != TT_CLOCK_TICKS))
    return tt_put_short_us (at, (guint32) ns);
  return put_time (at, clock, ns);
}

static inline char *
put_place (const TtChrome *self, char *at, const ChromeThread *thread)
{
  return tt_put_padded (at, self->thread_text->str + thread->text, thread->text_len);
}

/* Room for @len bytes after @at, up to where @out is filled. */
static G_GNUC_NO_INLINE char *
reserve_after (TtOutput *out, const char *at, gsize len)
{
  out->used = (gsize) (at - out->buffer);
  return tt_output_reserve (out, len);
}

static G_GNUC_NO_INLINE char *
write_flags (TtOutput *out, const char *at, guint32 flags)
{
  out->used = (gsize) (at - out->buffer);
  tt_output_literal (out, BEFORE_FLAGS);
  tt_output_text (out, tt_flags_text (flags));
  tt_output_literal (out, "\"}}");
  return out->buffer + out->used;
}

/* Up to its flags. */
static inline char *
put_plain_span (const ChromePlain *plain, char *start, const ChromePlainSpan *span)
{
  const ChromeLineText *text = span->text;
  char *at = start + text->begin_len;

  tt_put_blocks (start, text->begin, text->begin_blocks);
  at = put_shown_time (plain->chrome, at, plain->clock, span->shown_ns);
  at = tt_put_literal (at, BEFORE_DURATION);
  at = put_duration (at, plain->clock, span->dur_ns);
  if (G_UNLIKELY (!text->has_place))
    at = put_place (plain->chrome, at, span->thread);
  tt_put_blocks (at, text->end, text->end_blocks);
  return tt_put_decimal_padded (at + text->end_len, span->cnt);
}

static guint
write_plain_spans (TtChrome *self, const ChromeRecord *records, guint n)
{
  const ChromePlain plain = tt_chrome_plain (self);
  TtOutput *out = self->out;
  char *at = out->buffer + out->used;
  ChromePlainSpan span;
  guint i = 0;

  for (; i < n && tt_chrome_plain_span (&plain, &records[i], &span); i++)
    {
      const gsize room = span.text->room + SPAN_ROOM;

      if (G_UNLIKELY (out->size - (gsize) (at - out->buffer) < room))
        at = reserve_after (out, at, room);
      at = put_plain_span (&plain, at, &span);
      at = G_LIKELY (span.flags == 0) ? tt_put_literal (at, "}}") : write_flags (out, at, span.flags);
    }
  out->used = (gsize) (at - out->buffer);
  return i;
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
  tt_chrome_write_time (self, tt_chrome_thread_clock (self, id), tt_sort_value (record->ts));
  tt_chrome_write_place (self, thread, NULL);
  /* Viewers show the key behind the name. */
  tt_output_json_string (out, series->unit != NULL ? series->unit : "value");
  tt_output_literal (out, ":");
  if ((record->bits & CHROME_KIND_MASK) == CHROME_COUNTER_REAL)
    {
      double real;
      memcpy (&real, &record->value, sizeof real);
      write_real (out, real);
    }
  else
    tt_output_int (out, record->value);
  tt_output_literal (out, "}}");
}

/* -- the languages ------------------------------------------------------------------------------------- */

const ChromeLanguage tt_chrome_language_json = {
  .tells_roots = TRUE,
  .prepare = prepare,
  .begin = begin,
  .end = end,
  .line = tt_chrome_json_line,
  .name_head = tt_chrome_json_name_head,
  .name_tail = tt_chrome_json_name_tail,
  .event = write_event,
  .plain_spans = write_plain_spans,
  .line_parts = {
    PART (before_head, BEFORE_HEAD),
    PART (before_time, BEFORE_TIME),
    PART (before_number, BEFORE_NUMBER),
  },
  .counter = write_counter,
  .half = tt_chrome_json_half,
  .anchor = tt_chrome_json_anchor,
  .arrow_end = tt_chrome_json_arrow_end,
};

const ChromeLanguage tt_chrome_language_template = {
  .only_spans = TRUE,
  .prepare = prepare,
  .begin = begin,
  .end = end,
  .name_head = tt_chrome_json_name_head,
  .name_tail = tt_chrome_json_name_tail,
  .event = write_event,
};
