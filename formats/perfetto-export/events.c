/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/perfetto-export/writer.h"

#include "formats/chrome-export/line.h"
#include "formats/chrome-export/span-waits.h"
#include "src/trace/span.h"

static void
add_source_args (TtChrome *chrome, guint64 id)
{
  gsize len = tt_chrome_args_get (chrome->args, id, chrome->scratch);

  if (len <= TT_LONG_ARGS)
    tt_perfetto_add_json (&tt_perfetto_writer (chrome)->packets->args, chrome->scratch->str, len);
  else
    chrome->report->n_long_args++;
}

static void
add_wait (TtChrome *chrome, guint64 event)
{
  PerfettoWriter *self = tt_perfetto_writer (chrome);
  PerfettoArgs *args = &self->packets->args;
  const TtExportWait *wait = tt_chrome_wait_of (chrome, event);

  if (wait == NULL)
    return;
  tt_perfetto_add_int (args, self->keys[PERFETTO_KEY_WAIT_NS], wait->ns);
  tt_perfetto_add_text (args, self->keys[PERFETTO_KEY_WAIT_KIND], wait->kind);
  if (wait->cause != NULL)
    tt_perfetto_add_text (args, self->keys[PERFETTO_KEY_WAIT_FOR], wait->cause);
}

static void
add_args (TtChrome *chrome, const ChromeShown *shown)
{
  PerfettoWriter *self = tt_perfetto_writer (chrome);
  PerfettoArgs *args = &self->packets->args;
  guint32 flags = shown->record->bits >> CHROME_FLAGS_SHIFT & CHROME_FLAGS_MASK;

  if (shown->is_span)
    tt_perfetto_add_int (args, self->keys[PERFETTO_KEY_CNT], (gint64) shown->cnt);
  if (shown->extra->step != TT_NO_STEP)
    tt_perfetto_add_int (args, self->keys[PERFETTO_KEY_STEP], shown->extra->step);
  if (G_UNLIKELY (flags != 0))
    tt_perfetto_add_text (args, self->keys[PERFETTO_KEY_FLAGS], tt_flags_text (flags));
  if (G_UNLIKELY ((shown->record->bits & CHROME_HIGHLIGHT) != 0))
    tt_perfetto_add_bool (args, self->keys[PERFETTO_KEY_CRITICAL_PATH], TRUE);
  if (G_UNLIKELY ((shown->record->bits & CHROME_WAITS) != 0))
    add_wait (chrome, shown->extra->event);
  if (shown->extra->args != 0)
    add_source_args (chrome, shown->extra->args);
}

void
tt_perfetto_write_event (TtChrome *chrome, const ChromeShown *shown)
{
  PerfettoPackets *packets = tt_perfetto_writer (chrome)->packets;
  const ChromeRecord *record = shown->record;
  gint64 ts_ns = tt_sort_value (record->ts), end_ns;
  PerfettoEvent event = {
    .track = tt_perfetto_place_of (chrome, shown),
    .ts_ns = tt_perfetto_time (chrome, shown->clock, ts_ns),
  };

  tt_perfetto_use_name (chrome, &shown->fragment, &event);
  add_args (chrome, shown);
  if (shown->is_span)
    tt_perfetto_take_arrows (chrome, record, tt_span_end (ts_ns, shown->extra->dur_ns));
  tt_perfetto_count_texts (chrome);
  if (!shown->is_span)
    {
      tt_perfetto_instant (packets, &event);
      return;
    }
  if (__builtin_add_overflow (event.ts_ns, shown->extra->dur_ns, &end_ns))
    end_ns = G_MAXINT64;
  tt_perfetto_slice (packets, &event, end_ns);
}

void
tt_perfetto_write_counter (TtChrome *chrome, const ChromeRecord *record)
{
  PerfettoPackets *packets = tt_perfetto_writer (chrome)->packets;
  guint32 thread = (guint32) record->order;
  guint64 track = tt_perfetto_series (chrome, record->name, thread);
  gint64 ts_ns = tt_perfetto_time (chrome, tt_chrome_thread_clock (chrome, thread), tt_sort_value (record->ts));

  if ((record->bits & CHROME_KIND_MASK) == CHROME_COUNTER_REAL)
    {
      double real;
      memcpy (&real, &record->value, sizeof real);
      tt_perfetto_count_real (packets, track, ts_ns, real);
    }
  else
    tt_perfetto_count (packets, track, ts_ns, record->value);
}
