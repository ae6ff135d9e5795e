/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/perfetto-export/writer.h"

#include "formats/chrome-export/line.h"

/* -- facts of a message ---------------------------------------------------------------------------------- */

static void
add_text (TtChrome *chrome, PerfettoArgs *args, PerfettoKey key, const char *text)
{
  tt_perfetto_add_text (args, tt_perfetto_writer (chrome)->keys[key], text);
}

static void
add_int (TtChrome *chrome, PerfettoArgs *args, PerfettoKey key, gint64 value)
{
  tt_perfetto_add_int (args, tt_perfetto_writer (chrome)->keys[key], value);
}

static void
add_facts (TtChrome *chrome, PerfettoArgs *args, const ChromeMessage *message)
{
  if (message->bytes >= 0)
    add_int (chrome, args, PERFETTO_KEY_BYTES, message->bytes);
  add_int (chrome, args, PERFETTO_KEY_TAG, message->tag);
  add_int (chrome, args, PERFETTO_KEY_COMM, message->comm);
  add_text (chrome, args, PERFETTO_KEY_SRC, tt_chrome_process_at (chrome, message->src_process)->pid);
  if (message->src_thread != TT_NO_ID)
    add_text (chrome, args, PERFETTO_KEY_SRC_TID, tt_chrome_thread_at (chrome, message->src_thread)->tid);
  add_text (chrome, args, PERFETTO_KEY_DST, tt_chrome_process_at (chrome, message->dst_process)->pid);
  if (message->dst_thread != TT_NO_ID)
    add_text (chrome, args, PERFETTO_KEY_DST_TID, tt_chrome_thread_at (chrome, message->dst_thread)->tid);
}

/* -- points ------------------------------------------------------------------------------------------------ */

static const char *
name_of (const ChromeMessage *side)
{
  gboolean is_recv = (side->marks & CHROME_IS_RECV) != 0;

  if (side->flow_kind != NULL)
    return side->flow_kind;
  if (side->kind == CHROME_HALF && (side->marks & CHROME_IS_PAIR) == 0)
    return is_recv ? "unmatched recv" : "unmatched send";
  return is_recv ? "recv" : "send";
}

static void
write_point (TtChrome *chrome, const ChromeMessage *side, const ChromeTrack *line, const char *category)
{
  PerfettoPackets *packets = tt_perfetto_writer (chrome)->packets;
  guint32 thread = (guint32) side->order;
  PerfettoEvent event = {
    .track = tt_perfetto_place (chrome, thread, line),
    .ts_ns = tt_perfetto_time (chrome, tt_chrome_thread_clock (chrome, thread), tt_sort_value (side->ts)),
    .category = tt_perfetto_intern_category (&packets->interned, category),
  };

  tt_perfetto_name_next (packets, name_of (side));
  if (side->flow_kind == NULL)
    add_facts (chrome, &packets->args, side);
  tt_perfetto_count_texts (chrome);
  tt_perfetto_instant (packets, &event);
}

void
tt_perfetto_half (TtChrome *chrome, const ChromeMessage *side, const ChromeTrack *line)
{
  write_point (chrome, side, line, "message");
}

void
tt_perfetto_anchor (TtChrome *chrome, const ChromeMessage *side, const ChromeTrack *line)
{
  tt_perfetto_flow (tt_perfetto_writer (chrome)->packets, side->arrow, FALSE);
  write_point (chrome, side, line, "arrow");
}

/* -- at spans ---------------------------------------------------------------------------------------------- */

static void
forget (PerfettoWaiting *waiting)
{
  g_array_set_size (waiting->ends, 0);
  waiting->facts.bytes.len = 0;
}

void
tt_perfetto_arrow_end (TtChrome *chrome, const ChromeMessage *side, const ChromeTrack *line)
{
  PerfettoWaiting *waiting = &tt_perfetto_writer (chrome)->waiting;
  WireBytes *facts = &waiting->facts.bytes;

  /* The anchor has it. */
  if ((side->marks & CHROME_IS_ANCHORED) != 0)
    return;
  if (waiting->ts != side->ts || waiting->order != side->order)
    forget (waiting);
  waiting->ts = side->ts;
  waiting->order = side->order;

  PerfettoArrowEnd end = {
    .flow = side->arrow,
    .span_end_ns = side->end_ns,
    .facts = facts->len,
    .is_recv = (side->marks & CHROME_IS_RECV) != 0,
  };
  if (side->flow_kind == NULL)
    {
      gsize begin = tt_wire_open (facts, PERFETTO_ARRAY_VALUES);

      add_facts (chrome, &waiting->facts, side);
      tt_wire_close (facts, begin);
    }
  end.facts_len = facts->len - end.facts;
  g_array_append_val (waiting->ends, end);
}

static void
take_facts (PerfettoWriter *self, gint64 end_ns, gboolean is_recv)
{
  PerfettoWaiting *waiting = &self->waiting;
  WireBytes *items = &waiting->items;

  items->len = 0;
  for (guint i = 0; i < waiting->ends->len; i++)
    {
      const PerfettoArrowEnd *end = &g_array_index (waiting->ends, PerfettoArrowEnd, i);
      if (end->span_end_ns != end_ns || end->is_recv != is_recv || end->facts_len == 0)
        continue;
      guint8 *to = tt_wire_reserve (items, end->facts_len);
      tt_wire_end (items, tt_wire_put_bytes (to, waiting->facts.bytes.bytes + end->facts, end->facts_len));
    }
  if (items->len > 0)
    tt_perfetto_add_array (&self->packets->args, self->keys[is_recv ? PERFETTO_KEY_RECEIVED : PERFETTO_KEY_SENT], items);
}

void
tt_perfetto_take_arrows (TtChrome *chrome, const ChromeRecord *record, gint64 end_ns)
{
  PerfettoWriter *self = tt_perfetto_writer (chrome);
  PerfettoWaiting *waiting = &self->waiting;
  guint n_left = 0;

  if (G_LIKELY (waiting->ends->len == 0))
    return;
  if (waiting->ts != record->ts || waiting->order != record->order)
    {
      forget (waiting);
      return;
    }
  take_facts (self, end_ns, FALSE);
  take_facts (self, end_ns, TRUE);
  for (guint i = 0; i < waiting->ends->len; i++)
    {
      PerfettoArrowEnd *ends = (PerfettoArrowEnd *) (gpointer) waiting->ends->data;
      if (ends[i].span_end_ns == end_ns)
        tt_perfetto_flow (self->packets, ends[i].flow, FALSE);
      else
        ends[n_left++] = ends[i];
    }
  g_array_set_size (waiting->ends, n_left);
}
