/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/perfetto-export/perfetto-export.h"

#include "formats/perfetto-export/writer.h"

static const char *const keys[PERFETTO_N_KEYS] = {
  [PERFETTO_KEY_NAME] = "name",
  [PERFETTO_KEY_OP_LONG_NAME] = "op_long_name",
  [PERFETTO_KEY_RAW_NAME] = "raw_name",
  [PERFETTO_KEY_LOCATION] = "location",
  [PERFETTO_KEY_COMMUNICATOR] = "communicator",
  [PERFETTO_KEY_CNT] = "cnt",
  [PERFETTO_KEY_STEP] = "step",
  [PERFETTO_KEY_FLAGS] = "flags",
  [PERFETTO_KEY_CRITICAL_PATH] = "critical_path",
  [PERFETTO_KEY_WAIT_NS] = "wait_ns",
  [PERFETTO_KEY_WAIT_KIND] = "wait_kind",
  [PERFETTO_KEY_WAIT_FOR] = "wait_for",
  [PERFETTO_KEY_SENT] = "message_sent",
  [PERFETTO_KEY_RECEIVED] = "message_received",
  [PERFETTO_KEY_BYTES] = "bytes",
  [PERFETTO_KEY_TAG] = "tag",
  [PERFETTO_KEY_COMM] = "comm",
  [PERFETTO_KEY_SRC] = "src",
  [PERFETTO_KEY_SRC_TID] = "src_tid",
  [PERFETTO_KEY_DST] = "dst",
  [PERFETTO_KEY_DST_TID] = "dst_tid",
};

static void
dispose (TtChrome *chrome)
{
  PerfettoWriter *self = tt_perfetto_writer (chrome);

  if (self == NULL)
    return;
  tt_perfetto_args_clear (&self->waiting.facts);
  g_free (self->waiting.items.bytes);
  g_array_unref (self->waiting.ends);
  tt_map64_clear (&self->counters);
  tt_perfetto_packets_free (self->packets);
  g_free (self);
  chrome->language_data = NULL;
}

static void
write_attributes (TtChrome *chrome)
{
  PerfettoPackets *packets = tt_perfetto_writer (chrome)->packets;
  gboolean is_used[TT_CLOCK_TICKS + 1] = { FALSE };

  tt_perfetto_attribute_text (packets, "tool", "tracetool");
  tt_perfetto_attribute_text (packets, "version", PACKAGE_VERSION);
  for (guint i = 0; i < chrome->sources->len; i++)
    is_used[g_array_index (chrome->sources, ChromeSource, i).clock] = TRUE;
  for (TtClock clock = TT_CLOCK_EPOCH; clock <= TT_CLOCK_TICKS; clock++)
    if (is_used[clock])
      {
        const char *unit = clock == TT_CLOCK_TICKS ? "first_ticks" : "first_ns";
        g_autofree char *key = g_strdup_printf ("%s.%s", tt_clock_text (clock), unit);
        tt_perfetto_attribute_int (packets, key, chrome->clocks.shift_ns[clock]);
      }
}

static void
begin (TtChrome *chrome)
{
  PerfettoWriter *self = g_new0 (PerfettoWriter, 1);

  dispose (chrome);
  chrome->language_data = self;
  self->packets = tt_perfetto_packets_new (chrome->out);
  /* Which values repeat must not depend on what is left out for the size. */
  self->packets->interned.keeps_values = chrome->options->max_bytes == 0;
  self->waiting.ends = g_array_new (FALSE, FALSE, sizeof (PerfettoArrowEnd));
  tt_perfetto_args_init (&self->waiting.facts, &self->packets->interned);
  self->waiting.facts.field = PERFETTO_DICT_ENTRIES;
  for (guint i = 0; i < PERFETTO_N_KEYS; i++)
    self->keys[i] = tt_perfetto_intern_key (&self->packets->interned, keys[i], strlen (keys[i]));

  tt_perfetto_begin (self->packets);
  write_attributes (chrome);
  tt_perfetto_write_places (chrome);
}

static void
end (TtChrome *chrome)
{
}

const ChromeLanguage tt_perfetto_language = {
  .ties_to_spans = TRUE,
  .is_never_negative = TRUE,
  .begin = begin,
  .end = end,
  .dispose = dispose,
  .line = tt_perfetto_write_line,
  .name_head = tt_perfetto_name_head,
  .name_tail = tt_perfetto_name_tail,
  .event = tt_perfetto_write_event,
  .counter = tt_perfetto_write_counter,
  .half = tt_perfetto_half,
  .anchor = tt_perfetto_anchor,
  .arrow_end = tt_perfetto_arrow_end,
};
