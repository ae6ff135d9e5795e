/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/decode.h"

#ifdef HAVE_BABELTRACE2

#include "formats/ctf/decode-private.h"

#include "formats/ctf/limits.h"
#include "src/base/sandbox.h"

#include <string.h>

/* NULL: it is not installed. */
static const bt_plugin *
find_plugin (void)
{
  const bt_plugin *plugin = NULL;

  if (bt_plugin_find ("ctf", BT_TRUE, BT_FALSE, BT_TRUE, BT_TRUE, BT_FALSE, &plugin) == BT_PLUGIN_FIND_STATUS_OK)
    return plugin;
  bt_current_thread_clear_error ();
  return NULL;
}

static const bt_component_source *
add_source (bt_graph *graph, const bt_plugin *plugin, const char *path)
{
  const bt_component_source *source = NULL;
  const bt_component_class_source *klass = bt_plugin_borrow_source_component_class_by_name_const (plugin, "fs");
  bt_value *params = bt_value_map_create (), *inputs = NULL;

  if (klass != NULL && params != NULL &&
      bt_value_map_insert_empty_array_entry (params, "inputs", &inputs) == BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
      bt_value_array_append_string_element (inputs, path) == BT_VALUE_ARRAY_APPEND_ELEMENT_STATUS_OK &&
      bt_graph_add_source_component (graph, klass, "trace", params, BT_LOGGING_LEVEL_ERROR, &source) !=
          BT_GRAPH_ADD_COMPONENT_STATUS_OK)
    source = NULL;
  bt_value_put_ref (params);
  return source;
}

typedef struct
{
  const bt_port_output *port;
  const char *name;
} Port;

static int
by_name (gconstpointer a, gconstpointer b)
{
  return strcmp (((const Port *) a)->name, ((const Port *) b)->name);
}

static gboolean
connect_ports (TtCtfDecoder *self,
               bt_graph *graph,
               const bt_plugin *plugin,
               const bt_component_source *source,
               const char *path)
{
  g_autoptr (GArray) ports = g_array_new (FALSE, FALSE, sizeof (Port));
  g_autofree char *view_prefix = g_strconcat (path, "/", NULL);
  bt_component_class_sink *klass = tt_ctf_sink_class_new ();
  const bt_component_sink *sink = NULL;

  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  self->n_ports = (guint) bt_component_source_get_output_port_count (source);
  for (guint i = 0; i < self->n_ports; i++)
    {
      Port port = { .port = bt_component_source_borrow_output_port_by_index_const (source, i) };
      port.name = bt_port_get_name (bt_port_output_as_port_const (port.port));
      g_array_append_val (ports, port);
    }
  g_array_sort (ports, by_name);
  gboolean is_good = bt_graph_add_sink_component_with_initialize_method_data (graph, klass, "tracetool", NULL, self,
                                                                              BT_LOGGING_LEVEL_NONE, &sink) ==
                     BT_GRAPH_ADD_COMPONENT_STATUS_OK;
  bt_component_class_sink_put_ref (klass);
  for (guint i = 0; is_good && i < self->n_ports; i++)
    {
      const Port *port = &g_array_index (ports, Port, i);
      const char *stream = strstr (port->name, view_prefix);

      const TtCtfRange unknown = { G_MAXINT64, G_MININT64 };

      g_array_append_val (self->ranges, unknown);
      g_ptr_array_add (names, (gpointer) port->name);
      g_ptr_array_add (self->port_names, g_strdup (stream == NULL ? port->name : stream + strlen (view_prefix)));
      is_good = bt_graph_connect_ports (graph, port->port, bt_component_sink_borrow_input_port_by_index_const (sink, i),
                                        NULL) == BT_GRAPH_CONNECT_PORTS_STATUS_OK;
    }
  g_ptr_array_add (names, NULL);
  if (is_good && !self->only_facts)
    tt_ctf_ranges_read (self->ranges, plugin, path, (const char *const *) names->pdata);
  return is_good;
}

/* FALSE: babeltrace2 refuses the trace; the reason is the thread's error. */
static gboolean
run_graph (TtCtfDecoder *self, const bt_plugin *plugin, const char *path)
{
  bt_graph *graph = bt_graph_create (0);
  const bt_component_source *source = add_source (graph, plugin, path);
  bt_graph_run_status status = BT_GRAPH_RUN_STATUS_ERROR;

  if (source != NULL && connect_ports (self, graph, plugin, source, path))
    do
      status = bt_graph_run (graph);
    while (status == BT_GRAPH_RUN_STATUS_AGAIN);
  bt_graph_put_ref (graph);
  return status == BT_GRAPH_RUN_STATUS_OK;
}

/* What has been loaded by now is all that is needed; a kernel without the filter has its limits only. */
static gboolean
decode_in_sandbox (TtCtfDecoder *self, const bt_plugin *plugin, const char *path)
{
  tt_sandbox_enter ();
  return run_graph (self, plugin, path);
}

static void
refuse (TtCtfDecoder *self, const char *why)
{
  tt_ctf_frame_begin (&self->out, TT_CTF_FRAME_REFUSED);
  tt_ctf_write_text (&self->out, why);
  tt_ctf_frame_end (&self->out);
}

int
tt_ctf_decode (const char *path, gboolean only_facts, int fd)
{
  g_autoptr (GPtrArray) port_names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (TtCtfRange));
  TtCtfDecoder self = {
    .out = { .fd = fd, .bytes = g_byte_array_new () },
    .encoder = tt_ctf_encoder_new (),
    .only_facts = only_facts,
    .port_names = port_names,
    .ranges = ranges,
  };

  const TtCtfLimits limits = tt_ctf_limits_of (path);

  tt_ctf_limits_set (&limits);
  /* The only way to set the level of its parser, whose log has the line of an error. */
  g_setenv ("BABELTRACE_PLUGIN_CTF_METADATA_LOG_LEVEL", "E", TRUE);
  const bt_plugin *plugin = find_plugin ();
  if (plugin == NULL)
    refuse (&self, "its plugin 'ctf' is not installed (Debian: libbabeltrace2-0); BABELTRACE_PLUGIN_PATH names other "
                   "places");
  else if (decode_in_sandbox (&self, plugin, path))
    {
      tt_ctf_frame_begin (&self.out, TT_CTF_FRAME_END);
      tt_ctf_frame_end (&self.out);
    }
  else
    {
      g_autofree char *causes = tt_ctf_take_causes ();
      refuse (&self, causes);
    }
  tt_ctf_writer_flush (&self.out);
  bt_plugin_put_ref (plugin);
  tt_ctf_encoder_free (self.encoder);
  g_byte_array_unref (self.out.bytes);
  return self.out.has_failed;
}

#else

int
tt_ctf_decode (const char *path, gboolean only_facts, int fd)
{
  return 1;
}

#endif
