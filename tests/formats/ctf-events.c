/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints the events of a CTF trace, each with all that it says, and what is lost between them:
 *
 *     ctf-events ours|theirs DIRECTORY
 *
 * "ours" reads with the importer's reader, "theirs" with libbabeltrace2, and orders streams as ours: by time, then by
 * stream. Damage is a line "broken"; a trace that is refused ends with status 1. tests/cli/ctf-events.sh compares the two.
 */
#include "config.h"

#include "formats/ctf/reader.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

static const char *const scopes[] = { "packet", "common", "specific", "payload" };

/* -- ours ------------------------------------------------------------------------------------------------------------ */

static gboolean
on_begin (const TtCtfFacts *facts, gpointer data)
{
  printf ("host %s, clock %d from %" G_GINT64_FORMAT "\n", facts->hostname == NULL ? "" : facts->hostname,
          (int) facts->clock, facts->clock_offset_ns);
  return TRUE;
}

static void
on_event (const TtCtfEvent *event, gpointer data)
{
  const GArray *members = event->klass->members;
  g_autoptr (GString) json = g_string_new (NULL);

  printf ("%" G_GINT64_FORMAT " %u %s", event->ts_ns, event->stream, event->klass->name);
  for (guint i = 0; i < members->len; i++)
    {
      const TtCtfMember *member = &g_array_index (members, TtCtfMember, i);

      g_string_truncate (json, 0);
      tt_ctf_append_json (event, member, json);
      printf (" %s.%s=%s", scopes[member->scope], member->name, json->str);
    }
  putchar ('\n');
}

static void
on_lost (const TtCtfLoss *loss, gpointer data)
{
  if (loss->kind != TT_CTF_LOST_PERHAPS)
    printf ("lost %d %" G_GINT64_FORMAT " %u\n", (int) loss->kind, loss->count, loss->stream);
}

static void
on_broken (const char *stream, TtCtfBreak how, const char *why, gpointer data)
{
  puts ("broken");
  fprintf (stderr, "%s: %s\n", stream, why);
}

static int
print_ours (const char *path)
{
  const TtCtfHandler handler = { .begin = on_begin, .event = on_event, .lost = on_lost, .broken = on_broken };
  g_autoptr (GError) error = NULL;

  if (tt_ctf_read (path, &handler, NULL, &error))
    return 0;
  fprintf (stderr, "%s\n", error->message);
  return 1;
}

/* -- theirs ---------------------------------------------------------------------------------------------------------- */

#ifdef HAVE_BABELTRACE2
#include <babeltrace2/babeltrace.h>
#include <math.h>

#define MAX_DEPTH 16u
#define MAX_ELEMENTS 4096u
#define MAX_TEXT_BYTES ((gsize) 1 << 16)

typedef struct
{
  bt_message_iterator *iterator;
  bt_message_array_const messages;
  guint64 n, at;
  const bt_event *event; /* at messages[at] */
  gint64 ts_ns;
  guint index;
} Stream;

typedef struct
{
  Stream *streams;
  guint n_streams;
  gboolean has_facts;
} Theirs;

static gboolean
is_a (bt_field_class_type type, bt_field_class_type parent)
{
  return bt_field_class_type_is (type, parent);
}

static void append_field (GString *json, const bt_field *field, guint depth);

static void
append_integer (GString *json, const bt_field *field, gboolean is_signed)
{
  gboolean in_hex = bt_field_class_integer_get_preferred_display_base (bt_field_borrow_class_const (field)) ==
                    BT_FIELD_CLASS_INTEGER_PREFERRED_DISPLAY_BASE_HEXADECIMAL;

  if (is_signed)
    g_string_append_printf (json, in_hex ? "\"0x%" G_GINT64_MODIFIER "x\"" : "%" G_GINT64_FORMAT,
                            bt_field_integer_signed_get_value (field));
  else
    g_string_append_printf (json, in_hex ? "\"0x%" G_GINT64_MODIFIER "x\"" : "%" G_GUINT64_FORMAT,
                            bt_field_integer_unsigned_get_value (field));
}

/* How many values a label stands for, up to two. */
static guint64
count_values (const bt_field_class *klass, const char *label, gboolean is_signed)
{
  guint64 n = 0;

  if (is_signed)
    {
      const bt_integer_range_set_signed *set = bt_field_class_enumeration_signed_mapping_borrow_ranges_const (
          bt_field_class_enumeration_signed_borrow_mapping_by_label_const (klass, label));
      for (guint64 i = 0;
           i < bt_integer_range_set_get_range_count (bt_integer_range_set_signed_as_range_set_const (set)); i++)
        {
          const bt_integer_range_signed *range = bt_integer_range_set_signed_borrow_range_by_index_const (set, i);
          n += bt_integer_range_signed_get_lower (range) == bt_integer_range_signed_get_upper (range) ? 1 : 2;
        }
      return n;
    }
  const bt_integer_range_set_unsigned *set = bt_field_class_enumeration_unsigned_mapping_borrow_ranges_const (
      bt_field_class_enumeration_unsigned_borrow_mapping_by_label_const (klass, label));
  for (guint64 i = 0; i < bt_integer_range_set_get_range_count (bt_integer_range_set_unsigned_as_range_set_const (set));
       i++)
    {
      const bt_integer_range_unsigned *range = bt_integer_range_set_unsigned_borrow_range_by_index_const (set, i);
      n += bt_integer_range_unsigned_get_lower (range) == bt_integer_range_unsigned_get_upper (range) ? 1 : 2;
    }
  return n;
}

/* FALSE: the value has none. */
static gboolean
append_labels (GString *json, const bt_field *field, bt_field_class_type type)
{
  gboolean is_signed = is_a (type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER), has_several = FALSE;
  const bt_field_class *klass = bt_field_borrow_class_const (field);
  bt_field_class_enumeration_mapping_label_array labels;
  g_autoptr (GString) text = g_string_new (NULL);
  guint64 n = 0;

  if (is_signed)
    bt_field_enumeration_signed_get_mapping_labels (field, &labels, &n);
  else
    bt_field_enumeration_unsigned_get_mapping_labels (field, &labels, &n);
  for (guint64 i = 0; i < n; i++)
    {
      g_string_append_printf (text, "%s%s", i > 0 ? " | " : "", labels[i]);
      has_several |= count_values (klass, labels[i], is_signed) > 1;
    }
  if (has_several && is_signed)
    g_string_append_printf (text, " (%" G_GINT64_FORMAT ")", bt_field_integer_signed_get_value (field));
  else if (has_several)
    g_string_append_printf (text, " (%" G_GUINT64_FORMAT ")", bt_field_integer_unsigned_get_value (field));
  if (n > 0)
    tt_ctf_append_quoted (json, text->str, MAX_TEXT_BYTES);
  return n > 0;
}

static void
append_real (GString *json, double value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (json, isfinite (value) ? g_ascii_dtostr (digits, sizeof digits, value) : "null");
}

static void
append_array (GString *json, const bt_field *field, guint depth)
{
  guint64 n = MIN (bt_field_array_get_length (field), MAX_ELEMENTS);

  g_string_append_c (json, '[');
  for (guint64 i = 0; i < n; i++)
    {
      g_string_append (json, i > 0 ? "," : "");
      append_field (json, bt_field_array_borrow_element_field_by_index_const (field, i), depth + 1);
    }
  g_string_append_c (json, ']');
}

static void
append_structure (GString *json, const bt_field *field, guint depth)
{
  const bt_field_class *klass = bt_field_borrow_class_const (field);

  g_string_append_c (json, '{');
  for (guint64 i = 0; i < bt_field_class_structure_get_member_count (klass); i++)
    {
      const bt_field_class_structure_member *member = bt_field_class_structure_borrow_member_by_index_const (klass, i);

      g_string_append (json, i > 0 ? "," : "");
      tt_ctf_append_quoted (json, bt_field_class_structure_member_get_name (member), MAX_TEXT_BYTES);
      g_string_append_c (json, ':');
      append_field (json, bt_field_structure_borrow_member_field_by_index_const (field, i), depth + 1);
    }
  g_string_append_c (json, '}');
}

static void
append_field (GString *json, const bt_field *field, guint depth)
{
  bt_field_class_type type = bt_field_get_class_type (field);

  if (depth > MAX_DEPTH)
    g_string_append (json, "null");
  else if (is_a (type, BT_FIELD_CLASS_TYPE_ENUMERATION) && append_labels (json, field, type))
    return;
  else if (is_a (type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER) || is_a (type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER))
    append_integer (json, field, is_a (type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER));
  else if (type == BT_FIELD_CLASS_TYPE_STRING)
    /* What was there before stands behind a text that has become empty. */
    tt_ctf_append_quoted (json, bt_field_string_get_value (field),
                          MIN (bt_field_string_get_length (field), MAX_TEXT_BYTES));
  else if (type == BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL)
    append_real (json, (double) bt_field_real_single_precision_get_value (field));
  else if (type == BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL)
    append_real (json, bt_field_real_double_precision_get_value (field));
  else if (type == BT_FIELD_CLASS_TYPE_STRUCTURE)
    append_structure (json, field, depth);
  else if (is_a (type, BT_FIELD_CLASS_TYPE_ARRAY))
    append_array (json, field, depth);
  else if (is_a (type, BT_FIELD_CLASS_TYPE_VARIANT))
    append_field (json, bt_field_variant_borrow_selected_option_field_const (field), depth + 1);
  else
    g_string_append (json, "null");
}

static void
print_scope (const char *scope, const bt_field *field)
{
  const bt_field_class *klass = field == NULL ? NULL : bt_field_borrow_class_const (field);

  for (guint64 i = 0; klass != NULL && i < bt_field_class_structure_get_member_count (klass); i++)
    {
      g_autoptr (GString) json = g_string_new (NULL);

      append_field (json, bt_field_structure_borrow_member_field_by_index_const (field, i), 0);
      printf (
          " %s.%s=%s", scope,
          bt_field_class_structure_member_get_name (bt_field_class_structure_borrow_member_by_index_const (klass, i)),
          json->str);
    }
}

static void
print_event (const Stream *stream)
{
  const bt_event *event = stream->event;
  const bt_event_class *klass = bt_event_borrow_class_const (event);
  const char *name = bt_event_class_get_name (klass);
  g_autofree char *made = name != NULL ? g_utf8_make_valid (name, -1)
                                       : g_strdup_printf ("event %" G_GUINT64_FORMAT, bt_event_class_get_id (klass));

  printf ("%" G_GINT64_FORMAT " %u %s", stream->ts_ns, stream->index, made);
  if (bt_stream_class_supports_packets (bt_event_class_borrow_stream_class_const (klass)))
    print_scope (scopes[TT_CTF_PACKET], bt_packet_borrow_context_field_const (bt_event_borrow_packet_const (event)));
  print_scope (scopes[TT_CTF_COMMON], bt_event_borrow_common_context_field_const (event));
  print_scope (scopes[TT_CTF_SPECIFIC], bt_event_borrow_specific_context_field_const (event));
  print_scope (scopes[TT_CTF_PAYLOAD], bt_event_borrow_payload_field_const (event));
  putchar ('\n');
}

static void
print_facts (Theirs *self, const bt_stream *stream)
{
  const bt_clock_class *clock =
      bt_stream_class_borrow_default_clock_class_const (bt_stream_borrow_class_const (stream));
  const bt_value *host =
      bt_trace_borrow_environment_entry_value_by_name_const (bt_stream_borrow_trace_const (stream), "hostname");
  gint64 zero_ns = 0;

  if (self->has_facts)
    return;
  self->has_facts = TRUE;
  if (clock != NULL && bt_clock_class_cycles_to_ns_from_origin (clock, 0, &zero_ns) != 0)
    bt_current_thread_clear_error ();
  printf ("host %s, clock %d from %" G_GINT64_FORMAT "\n",
          host == NULL || !bt_value_is_string (host) ? "" : bt_value_string_get (host),
          clock == NULL                                 ? TT_CTF_NO_CLOCK
          : bt_clock_class_origin_is_unix_epoch (clock) ? TT_CTF_CLOCK_EPOCH
                                                        : TT_CTF_CLOCK_RELATIVE,
          zero_ns);
}

static void
take_time (Stream *stream, const bt_message *message)
{
  const bt_stream *of = bt_event_borrow_stream_const (stream->event);

  if (bt_stream_class_borrow_default_clock_class_const (bt_stream_borrow_class_const (of)) == NULL)
    stream->ts_ns++;
  else if (bt_clock_snapshot_get_ns_from_origin (bt_message_event_borrow_default_clock_snapshot_const (message),
                                                 &stream->ts_ns) != 0)
    bt_current_thread_clear_error ();
}

/* Takes a message; what is lost is printed. */
static void
take (Theirs *self, Stream *stream, const bt_message *message)
{
  guint64 count = 0;
  gboolean is_known;

  switch (bt_message_get_type (message))
    {
    case BT_MESSAGE_TYPE_STREAM_BEGINNING:
      print_facts (self, bt_message_stream_beginning_borrow_stream_const (message));
      break;
    case BT_MESSAGE_TYPE_EVENT:
      stream->event = bt_message_event_borrow_event_const (message);
      take_time (stream, message);
      break;
    case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
      is_known = bt_message_discarded_events_get_count (message, &count) == BT_PROPERTY_AVAILABILITY_AVAILABLE;
      printf ("lost %d %" G_GINT64_FORMAT " %u\n", TT_CTF_LOST_EVENTS, is_known ? (gint64) count : -1, stream->index);
      break;
    case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
      is_known = bt_message_discarded_packets_get_count (message, &count) == BT_PROPERTY_AVAILABILITY_AVAILABLE;
      printf ("lost %d %" G_GINT64_FORMAT " %u\n", TT_CTF_LOST_PACKETS, is_known ? (gint64) count : -1, stream->index);
      break;
    default:
      break;
    }
}

/* Goes on to the next event. */
static void
go_on (Theirs *self, Stream *stream)
{
  stream->event = NULL;
  while (stream->event == NULL && stream->iterator != NULL)
    {
      if (stream->at < stream->n)
        {
          take (self, stream, stream->messages[stream->at]);
          if (stream->event == NULL)
            bt_message_put_ref (stream->messages[stream->at++]);
          continue;
        }
      bt_message_iterator_next_status status =
          bt_message_iterator_next (stream->iterator, &stream->messages, &stream->n);
      stream->at = 0;
      if (status == BT_MESSAGE_ITERATOR_NEXT_STATUS_OK)
        continue;
      if (status != BT_MESSAGE_ITERATOR_NEXT_STATUS_END)
        {
          puts ("broken");
          bt_current_thread_clear_error ();
        }
      stream->n = 0;
      g_clear_pointer (&stream->iterator, bt_message_iterator_put_ref);
    }
}

static bt_component_class_sink_consume_method_status
on_consume (bt_self_component_sink *component)
{
  Theirs *self = bt_self_component_get_data (bt_self_component_sink_as_self_component (component));

  for (guint i = 0; i < self->n_streams; i++)
    go_on (self, &self->streams[i]);
  for (;;)
    {
      Stream *first = NULL;

      for (guint i = 0; i < self->n_streams; i++)
        if (self->streams[i].event != NULL && (first == NULL || self->streams[i].ts_ns < first->ts_ns))
          first = &self->streams[i];
      if (first == NULL)
        return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_END;
      print_event (first);
      bt_message_put_ref (first->messages[first->at++]);
      go_on (self, first);
    }
}

static bt_component_class_initialize_method_status
on_initialize (bt_self_component_sink *component,
               bt_self_component_sink_configuration *configuration,
               const bt_value *params,
               void *data)
{
  Theirs *self = data;

  bt_self_component_set_data (bt_self_component_sink_as_self_component (component), self);
  for (guint i = 0; i < self->n_streams; i++)
    {
      g_autofree char *name = g_strdup_printf ("in%u", i);
      bt_self_component_sink_add_input_port (component, name, NULL, NULL);
    }
  return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

static bt_component_class_sink_graph_is_configured_method_status
on_configured (bt_self_component_sink *component)
{
  Theirs *self = bt_self_component_get_data (bt_self_component_sink_as_self_component (component));

  for (guint i = 0; i < self->n_streams; i++)
    {
      self->streams[i].index = i;
      if (bt_message_iterator_create_from_sink_component (
              component, bt_self_component_sink_borrow_input_port_by_index (component, i),
              &self->streams[i].iterator) != 0)
        self->streams[i].iterator = NULL;
    }
  return BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_OK;
}

static int
by_name (gconstpointer a, gconstpointer b)
{
  const bt_port_output *x = *(const bt_port_output *const *) a, *y = *(const bt_port_output *const *) b;

  return strcmp (bt_port_get_name (bt_port_output_as_port_const (x)),
                 bt_port_get_name (bt_port_output_as_port_const (y)));
}

static const bt_component_source *
add_source (bt_graph *graph, const bt_plugin *plugin, const char *path)
{
  const bt_component_source *source = NULL;
  bt_value *params = bt_value_map_create (), *inputs = NULL;

  bt_value_map_insert_empty_array_entry (params, "inputs", &inputs);
  bt_value_array_append_string_element (inputs, path);
  bt_graph_add_source_component (graph, bt_plugin_borrow_source_component_class_by_name_const (plugin, "fs"), "trace",
                                 params, BT_LOGGING_LEVEL_NONE, &source);
  bt_value_put_ref (params);
  return source;
}

static int
print_theirs (const char *path)
{
  bt_component_class_sink *klass = bt_component_class_sink_create ("events", on_consume);
  g_autoptr (GPtrArray) ports = g_ptr_array_new ();
  const bt_component_source *source;
  const bt_component_sink *sink = NULL;
  const bt_plugin *plugin = NULL;
  bt_graph *graph = bt_graph_create (0);
  Theirs self = { .has_facts = FALSE };

  bt_component_class_sink_set_initialize_method (klass, on_initialize);
  bt_component_class_sink_set_graph_is_configured_method (klass, on_configured);
  bt_plugin_find ("ctf", BT_TRUE, BT_FALSE, BT_TRUE, BT_TRUE, BT_FALSE, &plugin);
  source = plugin == NULL ? NULL : add_source (graph, plugin, path);
  if (source == NULL)
    return 1;
  self.n_streams = (guint) bt_component_source_get_output_port_count (source);
  self.streams = g_new0 (Stream, self.n_streams + 1);
  bt_graph_add_sink_component_with_initialize_method_data (graph, klass, "events", NULL, &self, BT_LOGGING_LEVEL_NONE,
                                                           &sink);
  for (guint i = 0; i < self.n_streams; i++)
    g_ptr_array_add (ports, (gpointer) bt_component_source_borrow_output_port_by_index_const (source, i));
  g_ptr_array_sort (ports, by_name);
  for (guint i = 0; i < self.n_streams; i++)
    bt_graph_connect_ports (graph, ports->pdata[i], bt_component_sink_borrow_input_port_by_index_const (sink, i), NULL);
  int status = bt_graph_run (graph) == BT_GRAPH_RUN_STATUS_OK ? 0 : 1;
  bt_graph_put_ref (graph);
  bt_component_class_sink_put_ref (klass);
  bt_plugin_put_ref (plugin);
  g_free (self.streams);
  return status;
}
#endif

int
main (int argc, char **argv)
{
  setlocale (LC_NUMERIC, "C");
  if (argc == 3 && strcmp (argv[1], "ours") == 0)
    return print_ours (argv[2]);
#ifdef HAVE_BABELTRACE2
  if (argc == 3 && strcmp (argv[1], "theirs") == 0)
    return print_theirs (argv[2]);
#endif
  fprintf (stderr, "usage: ctf-events ours|theirs DIRECTORY\n");
  return 2;
}
