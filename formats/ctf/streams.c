#include "config.h"

#ifdef HAVE_BABELTRACE2

#include "formats/ctf/reader-private.h"

#define EVENTS_PER_CHECK 16384u

static void
break_stream (TtCtfReader *self, TtCtfStream *stream, const char *why)
{
  g_autofree char *causes = why == NULL ? tt_ctf_take_causes (self) : g_strdup (why);

  if (self->handler->broken != NULL)
    self->handler->broken (self->port_names->pdata[stream->index], stream->has_begun, causes, self->data);
}

/* -- facts and classes -------------------------------------------------------------------------------------- */

static void
list_names (TtCtfReader *self, const bt_trace_class *trace_class)
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
          if (name != NULL)
            g_hash_table_add (self->names, g_strdup (name));
        }
    }
}

static GPtrArray *
list_environment (const bt_trace *trace)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (g_free);
  guint64 n = bt_trace_get_environment_entry_count (trace);

  for (guint64 i = 0; i < n; i++)
    {
      const char *key;
      const bt_value *value;

      bt_trace_borrow_environment_entry_by_index_const (trace, i, &key, &value);
      if (bt_value_is_string (value))
        {
          g_ptr_array_add (list, g_strdup (key));
          g_ptr_array_add (list, g_utf8_make_valid (bt_value_string_get (value), -1));
        }
      else if (bt_value_is_signed_integer (value))
        {
          g_ptr_array_add (list, g_strdup (key));
          g_ptr_array_add (list, g_strdup_printf ("%" G_GINT64_FORMAT, bt_value_integer_signed_get (value)));
        }
    }
  g_ptr_array_add (list, NULL);
  return list;
}

static const char *
find_hostname (const GPtrArray *environment)
{
  for (guint i = 0; i + 1 < environment->len; i += 2)
    if (g_str_equal (environment->pdata[i], "hostname"))
      return environment->pdata[i + 1];
  return NULL;
}

static void
begin (TtCtfReader *self, const bt_stream *stream, const bt_clock_class *clock)
{
  const bt_trace *trace = bt_stream_borrow_trace_const (stream);
  g_autoptr (GPtrArray) environment = list_environment (trace);
  gint64 zero_ns = 0;

  /* Fails where the clock's 0 lies outside what 64 bits hold. */
  if (bt_clock_class_cycles_to_ns_from_origin (clock, 0, &zero_ns) != BT_CLOCK_CLASS_CYCLES_TO_NS_FROM_ORIGIN_STATUS_OK)
    bt_current_thread_clear_error ();
  const TtCtfFacts facts = {
    .hostname = find_hostname (environment),
    .environment = (const char *const *) environment->pdata,
    .is_epoch = bt_clock_class_origin_is_unix_epoch (clock),
    .clock_offset_ns = zero_ns,
  };
  self->has_begun = TRUE;
  list_names (self, bt_trace_borrow_class_const (trace));
  self->is_stopped = !self->handler->begin (&facts, self->data);
}

static TtCtfClass *
find_class (TtCtfReader *self, const bt_event_class *event_class)
{
  if (event_class == self->last_class)
    return self->last;

  TtCtfClass *klass = g_hash_table_lookup (self->classes, event_class);
  if (klass == NULL)
    {
      klass = tt_ctf_class_new (event_class, self->names);
      g_hash_table_insert (self->classes, (gpointer) event_class, klass);
    }
  self->last_class = event_class;
  self->last = klass;
  return klass;
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
tell_lost (TtCtfReader *self, gboolean is_packets, bt_property_availability availability, guint64 count)
{
  gboolean is_known = availability == BT_PROPERTY_AVAILABILITY_AVAILABLE && count <= G_MAXINT64;

  if (self->handler->lost != NULL)
    self->handler->lost (is_packets, is_known ? (gint64) count : -1, self->data);
}

/* FALSE: the stream cannot be read. */
static gboolean
take_stream_beginning (TtCtfReader *self, TtCtfStream *stream, const bt_message *message)
{
  const bt_stream *of = bt_message_stream_beginning_borrow_stream_const (message);
  const bt_clock_class *clock = bt_stream_class_borrow_default_clock_class_const (bt_stream_borrow_class_const (of));

  if (clock == NULL)
    {
      break_stream (self, stream, "its events have no times: the metadata maps no clock");
      return FALSE;
    }
  if (!self->has_begun)
    begin (self, of, clock);
  return TRUE;
}

/* FALSE: the stream cannot be read. */
static gboolean
take_message (TtCtfReader *self, TtCtfStream *stream, const bt_message *message)
{
  bt_property_availability availability;
  guint64 count = 0;

  switch (bt_message_get_type (message))
    {
    case BT_MESSAGE_TYPE_STREAM_BEGINNING:
      return take_stream_beginning (self, stream, message);
    case BT_MESSAGE_TYPE_EVENT:
      if (bt_clock_snapshot_get_ns_from_origin (bt_message_event_borrow_default_clock_snapshot_const (message),
                                                &stream->ts_ns) != BT_CLOCK_SNAPSHOT_GET_NS_FROM_ORIGIN_STATUS_OK)
        {
          break_stream (self, stream, NULL);
          return FALSE;
        }
      stream->event = message;
      stream->has_begun = TRUE;
      return TRUE;
    case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
      availability = bt_message_discarded_events_get_count (message, &count);
      tell_lost (self, FALSE, availability, count);
      return TRUE;
    case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
      availability = bt_message_discarded_packets_get_count (message, &count);
      tell_lost (self, TRUE, availability, count);
      return TRUE;
    default:
      return TRUE;
    }
}

/* Another batch; FALSE: the stream has ended. */
static gboolean
refill (TtCtfReader *self, TtCtfStream *stream)
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
    break_stream (self, stream, NULL);
  end_stream (stream);
  return FALSE;
}

/* Goes on to the next event; FALSE: there is none. */
static gboolean
advance (TtCtfReader *self, TtCtfStream *stream)
{
  stream->event = NULL;
  while (stream->iterator != NULL && !self->is_stopped)
    {
      if (stream->at == stream->n && !refill (self, stream))
        return FALSE;
      if (stream->at == stream->n)
        continue;
      if (!take_message (self, stream, stream->messages[stream->at]))
        {
          end_stream (stream);
          return FALSE;
        }
      if (stream->event != NULL)
        return TRUE;
      bt_message_put_ref (stream->messages[stream->at++]);
    }
  return FALSE;
}

/* -- all streams -------------------------------------------------------------------------------------------- */

static inline gboolean
is_before (const TtCtfStream *a, const TtCtfStream *b)
{
  return a->ts_ns < b->ts_ns || (a->ts_ns == b->ts_ns && a->index < b->index);
}

static void
sift_down (TtCtfReader *self, guint i)
{
  TtCtfStream *stream = self->heap[i];
  guint child;

  while ((child = 2 * i + 1) < self->n_heap)
    {
      if (child + 1 < self->n_heap && is_before (self->heap[child + 1], self->heap[child]))
        child++;
      if (!is_before (self->heap[child], stream))
        break;
      self->heap[i] = self->heap[child];
      i = child;
    }
  self->heap[i] = stream;
}

static void
fill_heap (TtCtfReader *self)
{
  for (guint i = 0; i < self->n_streams; i++)
    if (advance (self, &self->streams[i]))
      self->heap[self->n_heap++] = &self->streams[i];
  for (guint i = self->n_heap / 2; i-- > 0;)
    sift_down (self, i);
}

static void
tell_event (TtCtfReader *self, const TtCtfStream *stream)
{
  const bt_event *event = bt_message_event_borrow_event_const (stream->event);
  const bt_packet *packet = NULL;
  TtCtfEvent told = { .ts_ns = stream->ts_ns, .number = ++self->n_events, .stream = stream->index };

  told.klass = find_class (self, bt_event_borrow_class_const (event));
  if (bt_stream_class_supports_packets (bt_stream_borrow_class_const (bt_event_borrow_stream_const (event))))
    packet = bt_event_borrow_packet_const (event);
  told.scopes[TT_CTF_PACKET] = packet == NULL ? NULL : bt_packet_borrow_context_field_const (packet);
  told.scopes[TT_CTF_COMMON] = bt_event_borrow_common_context_field_const (event);
  told.scopes[TT_CTF_SPECIFIC] = bt_event_borrow_specific_context_field_const (event);
  told.scopes[TT_CTF_PAYLOAD] = bt_event_borrow_payload_field_const (event);
  self->handler->event (&told, self->data);
}

/* All there is, in one call: the graph has nothing else to do. */
static bt_component_class_sink_consume_method_status
consume (bt_self_component_sink *component)
{
  TtCtfReader *self = bt_self_component_get_data (bt_self_component_sink_as_self_component (component));

  fill_heap (self);
  while (self->n_heap > 0 && !self->is_stopped)
    {
      TtCtfStream *first = self->heap[0];

      tell_event (self, first);
      bt_message_put_ref (first->messages[first->at++]);
      if (!advance (self, first))
        self->heap[0] = self->heap[--self->n_heap];
      if (self->n_heap > 0)
        sift_down (self, 0);
      if (self->n_events % EVENTS_PER_CHECK == 0 && self->handler->check != NULL &&
          !self->handler->check (self->data, &self->error))
        self->is_stopped = TRUE;
    }
  for (guint i = 0; i < self->n_streams; i++)
    end_stream (&self->streams[i]);
  return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_END;
}

static bt_component_class_initialize_method_status
initialize (bt_self_component_sink *component,
            bt_self_component_sink_configuration *configuration,
            const bt_value *params,
            void *data)
{
  TtCtfReader *self = data;

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
configured (bt_self_component_sink *component)
{
  TtCtfReader *self = bt_self_component_get_data (bt_self_component_sink_as_self_component (component));

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
          break_stream (self, &self->streams[i], NULL);
        }
    }
  return BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_OK;
}

bt_component_class_sink *
tt_ctf_sink_class_new (void)
{
  bt_component_class_sink *klass = bt_component_class_sink_create ("streams", consume);

  bt_component_class_sink_set_initialize_method (klass, initialize);
  bt_component_class_sink_set_graph_is_configured_method (klass, configured);
  return klass;
}

void
tt_ctf_clear_streams (TtCtfReader *self)
{
  for (guint i = 0; i < self->n_streams; i++)
    end_stream (&self->streams[i]);
  g_clear_pointer (&self->streams, g_free);
  g_clear_pointer (&self->heap, g_free);
  self->n_streams = self->n_heap = 0;
}

#endif
