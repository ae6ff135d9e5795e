/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* A build without the library still has declarations here: ISO C wants some. */
#include <glib.h>

#ifdef HAVE_BABELTRACE2

#include "formats/ctf/decode-private.h"
#include "src/base/heap.h"

static void
write_break (TtCtfDecoder *self, const TtCtfStream *stream, TtCtfBreak how, const char *why)
{
  tt_ctf_frame_begin (&self->out, TT_CTF_FRAME_BROKEN);
  tt_ctf_write_u32 (&self->out, how);
  tt_ctf_write_text (&self->out, self->port_names->pdata[stream->index]);
  tt_ctf_write_text (&self->out, why);
  tt_ctf_frame_end (&self->out);
}

static void
break_stream (TtCtfDecoder *self, const TtCtfStream *stream)
{
  g_autofree char *causes = tt_ctf_take_causes ();

  write_break (self, stream, stream->has_begun ? TT_CTF_BREAK_LATER : TT_CTF_BREAK_AT_BEGIN, causes);
}

/* -- facts -------------------------------------------------------------------------------------------------- */

static void
write_names (TtCtfDecoder *self, const bt_trace_class *trace_class)
{
  guint64 n_streams = bt_trace_class_get_stream_class_count (trace_class);

  for (guint64 i = 0; i < n_streams; i++)
    {
      const bt_stream_class *stream_class = bt_trace_class_borrow_stream_class_by_index_const (trace_class, i);
      guint64 n = bt_stream_class_get_event_class_count (stream_class);
      for (guint64 k = 0; k < n; k++)
        {
          const char *name =
              bt_event_class_get_name (bt_stream_class_borrow_event_class_by_index_const (stream_class, k));
          tt_ctf_frame_begin (&self->out, TT_CTF_FRAME_NAME);
          tt_ctf_write_text (&self->out, name == NULL ? "" : name);
          tt_ctf_frame_end (&self->out);
        }
    }
}

static void
write_facts (TtCtfDecoder *self, const bt_stream *stream, const bt_clock_class *clock)
{
  const bt_trace *trace = bt_stream_borrow_trace_const (stream);
  const bt_value *hostname = bt_trace_borrow_environment_entry_value_by_name_const (trace, "hostname");
  gboolean is_known = hostname != NULL && bt_value_is_string (hostname);
  gint64 zero_ns = 0;

  /* Fails where the clock's 0 lies outside what 64 bits hold. */
  if (clock != NULL &&
      bt_clock_class_cycles_to_ns_from_origin (clock, 0, &zero_ns) != BT_CLOCK_CLASS_CYCLES_TO_NS_FROM_ORIGIN_STATUS_OK)
    bt_current_thread_clear_error ();
  self->has_begun = TRUE;
  self->has_clock = clock != NULL;
  tt_ctf_frame_begin (&self->out, TT_CTF_FRAME_FACTS);
  tt_ctf_write_u32 (&self->out, clock == NULL                                 ? TT_CTF_NO_CLOCK
                                : bt_clock_class_origin_is_unix_epoch (clock) ? TT_CTF_CLOCK_EPOCH
                                                                              : TT_CTF_CLOCK_RELATIVE);
  tt_ctf_write_i64 (&self->out, zero_ns);
  tt_ctf_write_u32 (&self->out, self->n_ports);
  tt_ctf_write_text (&self->out, is_known ? bt_value_string_get (hostname) : "");
  tt_ctf_frame_end (&self->out);
  write_names (self, bt_trace_borrow_class_const (trace));
  self->is_stopped = self->only_facts;
}

/* -- one stream --------------------------------------------------------------------------------------------- */

static void
drop_batch (TtCtfStream *stream)
{
  while (stream->at < stream->n)
    bt_message_put_ref (stream->messages[stream->at++]);
}

static void
end_stream (TtCtfStream *stream)
{
  drop_batch (stream);
  g_clear_pointer (&stream->iterator, bt_message_iterator_put_ref);
}

static void
note_loss (TtCtfStream *stream, TtCtfLossKind kind, bt_property_availability availability, guint64 count)
{
  gboolean is_known = availability == BT_PROPERTY_AVAILABILITY_AVAILABLE && count <= G_MAXINT64;

  stream->n_lost[kind] =
      is_known && stream->n_lost[kind] >= 0 ? (gint64) MIN ((guint64) stream->n_lost[kind] + count, G_MAXINT64) : -1;
  stream->is_lossy[kind] = TRUE;
}

/* What was lost between the last event of @stream and the next one. */
static void
write_losses (TtCtfDecoder *self, TtCtfStream *stream, gint64 from_ns, gint64 until_ns)
{
  for (guint kind = 0; kind < TT_CTF_N_LOSSES; kind++)
    {
      if (!stream->is_lossy[kind])
        continue;
      tt_ctf_frame_begin (&self->out, TT_CTF_FRAME_LOST);
      tt_ctf_write_u32 (&self->out, kind);
      tt_ctf_write_i64 (&self->out, stream->n_lost[kind]);
      tt_ctf_write_u32 (&self->out, stream->index);
      tt_ctf_write_i64 (&self->out, from_ns);
      tt_ctf_write_i64 (&self->out, until_ns);
      tt_ctf_frame_end (&self->out);
      stream->is_lossy[kind] = FALSE;
      stream->n_lost[kind] = 0;
    }
}

/* FALSE: the stream cannot be read. */
static gboolean
consume_stream_beginning (TtCtfDecoder *self, TtCtfStream *stream, const bt_message *message)
{
  const bt_stream *of = bt_message_stream_beginning_borrow_stream_const (message);
  const bt_clock_class *clock = bt_stream_class_borrow_default_clock_class_const (bt_stream_borrow_class_const (of));

  stream->has_clock = clock != NULL;
  if (!self->has_begun)
    write_facts (self, of, clock);
  if (stream->has_clock == self->has_clock)
    return TRUE;
  write_break (self, stream, TT_CTF_BREAK_NO_CLOCK,
               stream->has_clock ? "its events have times, those of the streams before have none"
                                 : "its events have no times, those of the streams before do");
  return FALSE;
}

static gint64
packet_end (const bt_message *message)
{
  const bt_stream *of = bt_packet_borrow_stream_const (bt_message_packet_end_borrow_packet_const (message));
  gint64 end_ns;

  if (!bt_stream_class_packets_have_end_default_clock_snapshot (bt_stream_borrow_class_const (of)))
    return TT_CTF_ALWAYS;
  if (bt_clock_snapshot_get_ns_from_origin (bt_message_packet_end_borrow_default_clock_snapshot_const (message),
                                            &end_ns) == BT_CLOCK_SNAPSHOT_GET_NS_FROM_ORIGIN_STATUS_OK)
    return end_ns;
  bt_current_thread_clear_error ();
  return TT_CTF_ALWAYS;
}

/* FALSE: the event's time is none. */
static gboolean
read_event_time (TtCtfDecoder *self, TtCtfStream *stream, const bt_message *message)
{
  const TtCtfRange *range = &g_array_index (self->ranges, TtCtfRange, stream->index);
  gint64 before_ns = stream->has_begun ? stream->ts_ns : TT_CTF_ALWAYS;

  if (bt_clock_snapshot_get_ns_from_origin (bt_message_event_borrow_default_clock_snapshot_const (message),
                                            &stream->ts_ns) != BT_CLOCK_SNAPSHOT_GET_NS_FROM_ORIGIN_STATUS_OK)
    return FALSE;
  stream->is_moved =
      range->begin_ns <= range->end_ns && (stream->ts_ns < range->begin_ns || stream->ts_ns > range->end_ns);
  if (G_UNLIKELY (stream->is_moved))
    stream->ts_ns = tt_ctf_range_mend (range, before_ns, stream->ts_ns);
  return TRUE;
}

/* FALSE: the stream cannot be read. */
static gboolean
consume_message (TtCtfDecoder *self, TtCtfStream *stream, const bt_message *message)
{
  bt_property_availability availability;
  guint64 count = 0;

  switch (bt_message_get_type (message))
    {
    case BT_MESSAGE_TYPE_STREAM_BEGINNING:
      return consume_stream_beginning (self, stream, message);
    case BT_MESSAGE_TYPE_EVENT:
      if (!stream->has_clock)
        stream->ts_ns++;
      else if (!read_event_time (self, stream, message))
        {
          break_stream (self, stream);
          return FALSE;
        }
      stream->event = message;
      stream->has_begun = TRUE;
      return TRUE;
    case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
      availability = bt_message_discarded_events_get_count (message, &count);
      note_loss (stream, TT_CTF_LOST_EVENTS, availability, count);
      stream->has_lossy_packet = TRUE;
      return TRUE;
    case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
      availability = bt_message_discarded_packets_get_count (message, &count);
      note_loss (stream, TT_CTF_LOST_PACKETS, availability, count);
      return TRUE;
    case BT_MESSAGE_TYPE_PACKET_END:
      /* Its counter is that of its end: LTTng discards what comes when it is full. */
      if (stream->has_lossy_packet)
        {
          stream->is_lossy[TT_CTF_LOST_PERHAPS] = TRUE;
          stream->packet_end_ns = packet_end (message);
        }
      stream->has_lossy_packet = FALSE;
      return TRUE;
    default:
      return TRUE;
    }
}

/* Another batch; FALSE: the stream has ended. */
static gboolean
read_batch (TtCtfDecoder *self, TtCtfStream *stream)
{
  bt_message_iterator_next_status status;

  do
    status = bt_message_iterator_next (stream->iterator, &stream->messages, &stream->n);
  while (status == BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN);
  stream->at = 0;
  if (status == BT_MESSAGE_ITERATOR_NEXT_STATUS_OK)
    return TRUE;
  stream->n = 0;
  if (status != BT_MESSAGE_ITERATOR_NEXT_STATUS_END)
    break_stream (self, stream);
  end_stream (stream);
  return FALSE;
}

/* Goes on to the next event; FALSE: there is none. */
static gboolean
go_to_next_event (TtCtfDecoder *self, TtCtfStream *stream)
{
  gint64 from_ns = stream->has_begun ? stream->ts_ns : TT_CTF_ALWAYS;

  stream->event = NULL;
  while (stream->iterator != NULL && !self->is_stopped)
    {
      if (stream->at == stream->n && !read_batch (self, stream))
        break;
      if (stream->at == stream->n)
        continue;
      if (!consume_message (self, stream, stream->messages[stream->at]))
        {
          end_stream (stream);
          break;
        }
      if (stream->event != NULL)
        {
          write_losses (self, stream, from_ns, stream->ts_ns);
          return TRUE;
        }
      bt_message_put_ref (stream->messages[stream->at++]);
    }
  write_losses (self, stream, from_ns, stream->is_lossy[TT_CTF_LOST_PERHAPS] ? stream->packet_end_ns : TT_CTF_ALWAYS);
  return FALSE;
}

/* -- all streams -------------------------------------------------------------------------------------------- */

static gboolean
is_before (gconstpointer a, gconstpointer b, gconstpointer data)
{
  const TtCtfStream *x = *(TtCtfStream *const *) a, *y = *(TtCtfStream *const *) b;

  return x->ts_ns < y->ts_ns || (x->ts_ns == y->ts_ns && x->index < y->index);
}

static void
fill_heap (TtCtfDecoder *self)
{
  for (guint i = 0; i < self->n_streams; i++)
    if (go_to_next_event (self, &self->streams[i]))
      self->heap[self->n_heap++] = &self->streams[i];
  tt_heap_make (self->heap, sizeof *self->heap, self->n_heap, is_before, NULL);
}

/* All there is, in one call: the graph has nothing else to do. */
static bt_component_class_sink_consume_method_status
on_consume (bt_self_component_sink *component)
{
  TtCtfDecoder *self = bt_self_component_get_data (bt_self_component_sink_as_self_component (component));

  fill_heap (self);
  while (self->n_heap > 0 && !self->is_stopped)
    {
      TtCtfStream *first = self->heap[0];

      tt_ctf_encode_event (self->encoder, &self->out, bt_message_event_borrow_event_const (first->event),
                           first->index | (first->is_moved ? TT_CTF_MOVED : 0), first->ts_ns);
      bt_message_put_ref (first->messages[first->at++]);
      if (!go_to_next_event (self, first))
        self->heap[0] = self->heap[--self->n_heap];
      if (self->n_heap > 0)
        tt_heap_lower (self->heap, sizeof *self->heap, self->n_heap, 0, is_before, NULL);
      self->is_stopped |= self->out.has_failed;
    }
  for (guint i = 0; i < self->n_streams; i++)
    end_stream (&self->streams[i]);
  g_clear_pointer (&self->streams, g_free);
  g_clear_pointer (&self->heap, g_free);
  return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_END;
}

static bt_component_class_initialize_method_status
on_initialize (bt_self_component_sink *component,
               bt_self_component_sink_configuration *configuration,
               const bt_value *params,
               void *data)
{
  TtCtfDecoder *self = data;

  bt_self_component_set_data (bt_self_component_sink_as_self_component (component), self);
  for (guint i = 0; i < self->n_ports; i++)
    {
      g_autofree char *name = g_strdup_printf ("in%u", i);
      if (bt_self_component_sink_add_input_port (component, name, NULL, NULL) != BT_SELF_COMPONENT_ADD_PORT_STATUS_OK)
        return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
    }
  return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

/* A stream whose iterator cannot be made is broken; the others go on. */
static bt_component_class_sink_graph_is_configured_method_status
on_graph_configured (bt_self_component_sink *component)
{
  TtCtfDecoder *self = bt_self_component_get_data (bt_self_component_sink_as_self_component (component));

  self->n_streams = self->n_ports;
  self->streams = g_new0 (TtCtfStream, self->n_ports);
  self->heap = g_new0 (TtCtfStream *, self->n_ports);
  for (guint i = 0; i < self->n_ports; i++)
    {
      self->streams[i].index = i;
      if (bt_message_iterator_create_from_sink_component (
              component, bt_self_component_sink_borrow_input_port_by_index (component, i),
              &self->streams[i].iterator) != BT_MESSAGE_ITERATOR_CREATE_FROM_SINK_COMPONENT_STATUS_OK)
        {
          self->streams[i].iterator = NULL;
          break_stream (self, &self->streams[i]);
        }
    }
  return BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_OK;
}

bt_component_class_sink *
tt_ctf_sink_class_new (void)
{
  bt_component_class_sink *klass = bt_component_class_sink_create ("streams", on_consume);

  bt_component_class_sink_set_initialize_method (klass, on_initialize);
  bt_component_class_sink_set_graph_is_configured_method (klass, on_graph_configured);
  return klass;
}

#endif
