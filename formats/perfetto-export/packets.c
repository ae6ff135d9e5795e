/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/perfetto-export/packets.h"

#define TRACE_PACKET 1

/* TracePacket */
#define TIMESTAMP 8
#define SEQUENCE_ID 10
#define TRACK_EVENT 11
#define INTERNED_DATA 12
#define SEQUENCE_FLAGS 13
#define TRACK_DESCRIPTOR 60
#define FIRST_PACKET_ON_SEQUENCE 87
#define TRACE_ATTRIBUTES 126

/* TraceAttributes, its Attribute */
#define ATTRIBUTE 1
#define ATTRIBUTE_KEY 1
#define ATTRIBUTE_INT 2
#define ATTRIBUTE_TEXT 3

#define STATE_CLEARED 1
#define NEEDS_STATE 2
#define OUR_SEQUENCE 1

/* TrackDescriptor */
#define UUID 1
#define TRACK_NAME 2
#define PROCESS 3
#define THREAD 4
#define PARENT_UUID 5
#define COUNTER 8
#define CHILD_ORDERING 11
#define SIBLING_ORDER_RANK 12
#define SIBLING_MERGE_BEHAVIOR 15
#define PROCESS_ORDERING 19
#define THREAD_ORDERING 20

#define ORDER_EXPLICIT 3
#define MERGE_NONE 2
#define PROCESS_ORDER_EXPLICIT 1
#define THREAD_ORDER_EXPLICIT 1

/* ProcessDescriptor, ThreadDescriptor, CounterDescriptor */
#define PROCESS_PID 1
#define PROCESS_NAME 6
#define PROCESS_LABELS 8
#define THREAD_PID 1
#define THREAD_TID 2
#define THREAD_NAME 5
#define UNIT_NAME 6

/* TrackEvent */
#define CATEGORY_IIDS 3
#define TYPE 9
#define NAME_IID 10
#define TRACK_UUID 11
#define CATEGORIES 22
#define EVENT_NAME 23
#define COUNTER_VALUE 30
#define DOUBLE_COUNTER_VALUE 44
#define FLOW_IDS 47
#define TERMINATING_FLOW_IDS 48

#define TYPE_SLICE_BEGIN 1
#define TYPE_SLICE_END 2
#define TYPE_INSTANT 3
#define TYPE_COUNTER 4

PerfettoPackets *
tt_perfetto_packets_new (TtOutput *out)
{
  PerfettoPackets *self = g_new0 (PerfettoPackets, 1);

  self->out = out;
  tt_perfetto_interned_init (&self->interned);
  tt_perfetto_args_init (&self->args, &self->interned);
  return self;
}

void
tt_perfetto_packets_free (PerfettoPackets *self)
{
  if (self == NULL)
    return;
  tt_perfetto_args_clear (&self->args);
  tt_perfetto_interned_clear (&self->interned);
  g_free (self->flows.bytes);
  g_free (self->scratch.bytes);
  g_free (self);
}

/* -- tracks ------------------------------------------------------------------------------------------- */

/* The message that is put together in the scratch as a packet of its own. */
static void
write_scratch (PerfettoPackets *self)
{
  WireBytes *scratch = &self->scratch;
  guint8 *to = (guint8 *) tt_output_reserve (self->out, scratch->len + 2 * WIRE_MAX_VARINT), *from = to;

  to = tt_wire_put_varint (to, WIRE_TAG (TRACE_PACKET, WIRE_LENGTH));
  to = tt_wire_put_varint (to, scratch->len);
  to = tt_wire_put_bytes (to, scratch->bytes, scratch->len);
  self->out->used += (gsize) (to - from);
  scratch->len = 0;
}

static gsize
begin_track (PerfettoPackets *self, guint64 track)
{
  tt_wire_add_varint (&self->scratch, SEQUENCE_ID, OUR_SEQUENCE);
  gsize begin = tt_wire_open (&self->scratch, TRACK_DESCRIPTOR);
  tt_wire_add_varint (&self->scratch, UUID, track);
  return begin;
}

static void
end_track (PerfettoPackets *self, gsize begin)
{
  tt_wire_close (&self->scratch, begin);
  write_scratch (self);
}

static void
add_string (PerfettoPackets *self, guint field, const char *text)
{
  tt_wire_add_text (&self->scratch, field, text, strlen (text));
}

/* int32 and int64 are varints of 64 bits, with the sign in the upper ones. */
static void
add_signed (PerfettoPackets *self, guint field, gint64 value)
{
  tt_wire_add_varint (&self->scratch, field, (guint64) value);
}

void
tt_perfetto_begin (PerfettoPackets *self)
{
  tt_wire_add_varint (&self->scratch, FIRST_PACKET_ON_SEQUENCE, 1);
  tt_wire_add_varint (&self->scratch, SEQUENCE_FLAGS, STATE_CLEARED);

  /* Track 0 is above all processes. */
  gsize begin = begin_track (self, 0);
  tt_wire_add_varint (&self->scratch, PROCESS_ORDERING, PROCESS_ORDER_EXPLICIT);
  tt_wire_add_varint (&self->scratch, THREAD_ORDERING, THREAD_ORDER_EXPLICIT);
  end_track (self, begin);
}

static gsize
begin_attribute (PerfettoPackets *self, const char *key, gsize *inner)
{
  tt_wire_add_varint (&self->scratch, SEQUENCE_ID, OUR_SEQUENCE);
  gsize begin = tt_wire_open (&self->scratch, TRACE_ATTRIBUTES);
  *inner = tt_wire_open (&self->scratch, ATTRIBUTE);
  add_string (self, ATTRIBUTE_KEY, key);
  return begin;
}

static void
end_attribute (PerfettoPackets *self, gsize begin, gsize inner)
{
  tt_wire_close (&self->scratch, inner);
  tt_wire_close (&self->scratch, begin);
  write_scratch (self);
}

void
tt_perfetto_attribute_text (PerfettoPackets *self, const char *key, const char *value)
{
  gsize inner, begin = begin_attribute (self, key, &inner);

  add_string (self, ATTRIBUTE_TEXT, value);
  end_attribute (self, begin, inner);
}

void
tt_perfetto_attribute_int (PerfettoPackets *self, const char *key, gint64 value)
{
  gsize inner, begin = begin_attribute (self, key, &inner);

  add_signed (self, ATTRIBUTE_INT, value);
  end_attribute (self, begin, inner);
}

void
tt_perfetto_process (PerfettoPackets *self, const PerfettoProcess *process)
{
  gsize begin = begin_track (self, process->track);

  gsize inner = tt_wire_open (&self->scratch, PROCESS);
  add_signed (self, PROCESS_PID, process->pid);
  add_string (self, PROCESS_NAME, process->name);
  if (process->label != NULL)
    add_string (self, PROCESS_LABELS, process->label);
  tt_wire_close (&self->scratch, inner);
  add_signed (self, SIBLING_ORDER_RANK, process->rank);
  end_track (self, begin);
}

void
tt_perfetto_thread (PerfettoPackets *self, const PerfettoThread *thread)
{
  gsize begin = begin_track (self, thread->track);

  gsize inner = tt_wire_open (&self->scratch, THREAD);
  add_signed (self, THREAD_PID, thread->pid);
  add_signed (self, THREAD_TID, thread->tid);
  add_string (self, THREAD_NAME, thread->name);
  tt_wire_close (&self->scratch, inner);
  add_signed (self, SIBLING_ORDER_RANK, thread->rank);
  end_track (self, begin);
}

void
tt_perfetto_track (PerfettoPackets *self, const PerfettoTrack *track)
{
  gsize begin = begin_track (self, track->track);

  if (track->parent != 0)
    tt_wire_add_varint (&self->scratch, PARENT_UUID, track->parent);
  add_string (self, TRACK_NAME, track->name);
  tt_wire_add_varint (&self->scratch, CHILD_ORDERING, ORDER_EXPLICIT);
  add_signed (self, SIBLING_ORDER_RANK, track->rank);
  tt_wire_add_varint (&self->scratch, SIBLING_MERGE_BEHAVIOR, MERGE_NONE);
  end_track (self, begin);
}

void
tt_perfetto_counter (PerfettoPackets *self, const PerfettoCounter *counter)
{
  gsize begin = begin_track (self, counter->track);

  tt_wire_add_varint (&self->scratch, PARENT_UUID, counter->parent);
  add_string (self, TRACK_NAME, counter->name);
  gsize inner = tt_wire_open (&self->scratch, COUNTER);
  if (counter->unit != NULL)
    add_string (self, UNIT_NAME, counter->unit);
  tt_wire_close (&self->scratch, inner);
  end_track (self, begin);
}

/* -- events ------------------------------------------------------------------------------------------- */

/* Tags of these fields are one byte. */
static inline gsize
field_len (guint64 value)
{
  return 1 + tt_wire_varint_len (value);
}

/* All but the bytes of a packet with an event of @event_len bytes, which comes next. */
static guint8 *
put_packet (guint8 *to, gint64 ts_ns, const WireBytes *interned, gboolean needs_state, gsize event_len)
{
  gsize len = field_len ((guint64) ts_ns) + 2 + (needs_state ? 2 : 0) + field_len (event_len) + event_len;

  if (interned->len > 0)
    len += field_len (interned->len) + interned->len;
  to = tt_wire_put_varint (to, WIRE_TAG (TRACE_PACKET, WIRE_LENGTH));
  to = tt_wire_put_varint (to, len);
  to = tt_wire_put_field (to, TIMESTAMP, (guint64) ts_ns);
  to = tt_wire_put_field (to, SEQUENCE_ID, OUR_SEQUENCE);
  if (interned->len > 0)
    {
      to = tt_wire_put_varint (to, WIRE_TAG (INTERNED_DATA, WIRE_LENGTH));
      to = tt_wire_put_varint (to, interned->len);
      to = tt_wire_put_bytes (to, interned->bytes, interned->len);
    }
  if (needs_state)
    to = tt_wire_put_field (to, SEQUENCE_FLAGS, NEEDS_STATE);
  to = tt_wire_put_varint (to, WIRE_TAG (TRACK_EVENT, WIRE_LENGTH));
  return tt_wire_put_varint (to, event_len);
}

/* More than all that is not counted by its length. */
#define PACKET_ROOM 128

static guint8 *
put_event (PerfettoPackets *self, guint8 *to, const PerfettoEvent *event, guint type)
{
  const WireBytes *args = &self->args.bytes, *flows = &self->flows;
  gsize len = 2 + field_len (event->track) + args->len + flows->len;

  if (event->name != 0)
    len += field_len (event->name);
  if (event->category != 0)
    len += field_len (event->category);
  to = put_packet (to, event->ts_ns, &self->interned.pending, TRUE, len);
  to = tt_wire_put_field (to, TYPE, type);
  to = tt_wire_put_field (to, TRACK_UUID, event->track);
  if (event->name != 0)
    to = tt_wire_put_field (to, NAME_IID, event->name);
  if (event->category != 0)
    to = tt_wire_put_field (to, CATEGORY_IIDS, event->category);
  to = tt_wire_put_bytes (to, args->bytes, args->len);
  to = tt_wire_put_bytes (to, flows->bytes, flows->len);
  self->interned.pending.len = 0;
  self->args.bytes.len = 0;
  self->flows.len = 0;
  return to;
}

static guint8 *
reserve_event (PerfettoPackets *self)
{
  gsize len = self->interned.pending.len + self->args.bytes.len + self->flows.len;

  return (guint8 *) tt_output_reserve (self->out, len + 2 * PACKET_ROOM);
}

static const WireBytes nothing;

static guint8 *
put_end (guint8 *to, guint64 track, gint64 ts_ns)
{
  to = put_packet (to, ts_ns, &nothing, FALSE, 2 + field_len (track));
  to = tt_wire_put_field (to, TYPE, TYPE_SLICE_END);
  return tt_wire_put_field (to, TRACK_UUID, track);
}

void
tt_perfetto_slice (PerfettoPackets *self, const PerfettoEvent *event, gint64 end_ns)
{
  guint8 *from = reserve_event (self), *to = put_event (self, from, event, TYPE_SLICE_BEGIN);

  to = put_end (to, event->track, end_ns);
  self->out->used += (gsize) (to - from);
}

void
tt_perfetto_instant (PerfettoPackets *self, const PerfettoEvent *event)
{
  guint8 *from = reserve_event (self), *to = put_event (self, from, event, TYPE_INSTANT);

  self->out->used += (gsize) (to - from);
}

void
tt_perfetto_name_next (PerfettoPackets *self, const char *name)
{
  tt_wire_add_text (&self->args.bytes, EVENT_NAME, name, strlen (name));
}

void
tt_perfetto_categorize_next (PerfettoPackets *self, const char *category)
{
  tt_wire_add_text (&self->args.bytes, CATEGORIES, category, strlen (category));
}

void
tt_perfetto_flow (PerfettoPackets *self, guint64 id, gboolean is_last)
{
  tt_wire_add_fixed64 (&self->flows, is_last ? TERMINATING_FLOW_IDS : FLOW_IDS, id);
}

static void
write_count (PerfettoPackets *self, guint64 track, gint64 ts_ns, const guint8 *value, gsize value_len)
{
  guint8 *from = (guint8 *) tt_output_reserve (self->out, 2 * PACKET_ROOM), *to = from;

  to = put_packet (to, ts_ns, &nothing, FALSE, 2 + field_len (track) + value_len);
  to = tt_wire_put_field (to, TYPE, TYPE_COUNTER);
  to = tt_wire_put_field (to, TRACK_UUID, track);
  to = tt_wire_put_bytes (to, value, value_len);
  self->out->used += (gsize) (to - from);
}

void
tt_perfetto_count (PerfettoPackets *self, guint64 track, gint64 ts_ns, gint64 value)
{
  guint8 field[2 * WIRE_MAX_VARINT];
  const guint8 *end = tt_wire_put_field (field, COUNTER_VALUE, (guint64) value);

  write_count (self, track, ts_ns, field, (gsize) (end - field));
}

void
tt_perfetto_count_real (PerfettoPackets *self, guint64 track, gint64 ts_ns, double value)
{
  guint8 field[WIRE_MAX_VARINT + sizeof value];
  guint64 bits;

  memcpy (&bits, &value, sizeof bits);
  const guint8 *end =
      tt_wire_put_fixed64 (tt_wire_put_varint (field, WIRE_TAG (DOUBLE_COUNTER_VALUE, WIRE_FIXED64)), bits);
  write_count (self, track, ts_ns, field, (gsize) (end - field));
}
