#include "config.h"

#include "formats/ctf/reader.h"

#include "formats/ctf/metadata.h"
#include "src/error.h"

#ifdef HAVE_BABELTRACE2

#include "formats/ctf/reader-private.h"
#include "formats/ctf/view.h"

#include <string.h>

/* -- errors ------------------------------------------------------------------------------------------------- */

char *
tt_ctf_take_causes (const TtCtfReader *self)
{
  const bt_error *failed = bt_current_thread_take_error ();
  g_autoptr (GString) text = g_string_new (NULL);

  if (failed == NULL)
    return g_strdup ("babeltrace2 gives no reason");
  for (guint64 i = bt_error_get_cause_count (failed); i-- > 0;)
    {
      const char *message = bt_error_cause_get_message (bt_error_borrow_cause_by_index (failed, i));
      const char *detail = strstr (message, ": "); /* behind it the library tells its own objects */
      gsize len = detail != NULL && strstr (detail, "-addr=0x") != NULL ? (gsize) (detail - message) : strlen (message);
      g_autofree char *cause = g_strstrip (g_strndup (message, len));

      if (*cause != '\0' && g_str_has_suffix (cause, "."))
        cause[strlen (cause) - 1] = '\0';
      g_string_append_printf (text, "%s%s", text->len > 0 ? "; because: " : "", cause);
    }
  bt_error_release (failed);
  if (self->view != NULL)
    g_string_replace (text, self->view, self->path, 0);
  g_string_replace (text, "\n", " ", 0);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
fail (const TtCtfReader *self, const char *what, GError **error)
{
  g_autofree char *causes = tt_ctf_take_causes (self);

  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: %s: babeltrace2: %s", self->path, what, causes);
  return FALSE;
}

/* -- the graph ------------------------------------------------------------------------------------------------ */

static const bt_plugin *
find_plugin (const TtCtfReader *self, GError **error)
{
  const bt_plugin *plugin = NULL;

  if (bt_plugin_find ("ctf", BT_TRUE, BT_FALSE, BT_TRUE, BT_TRUE, BT_FALSE, &plugin) != BT_PLUGIN_FIND_STATUS_OK)
    {
      bt_current_thread_clear_error ();
      g_set_error (
          error, TT_ERROR, TT_ERROR_INPUT,
          "%s: babeltrace2's plugin 'ctf' is not installed (Debian: libbabeltrace2-0); BABELTRACE_PLUGIN_PATH names "
          "other places",
          self->path);
    }
  return plugin;
}

static const bt_component_source *
add_source (const TtCtfReader *self, bt_graph *graph, const bt_plugin *plugin, const char *path)
{
  const bt_component_source *source = NULL;
  const bt_component_class_source *klass = bt_plugin_borrow_source_component_class_by_name_const (plugin, "fs");
  bt_value *params = bt_value_map_create (), *inputs = NULL;

  if (klass != NULL && params != NULL &&
      bt_value_map_insert_empty_array_entry (params, "inputs", &inputs) == BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
      bt_value_array_append_string_element (inputs, path) == BT_VALUE_ARRAY_APPEND_ELEMENT_STATUS_OK &&
      bt_graph_add_source_component (graph, klass, "trace", params, BT_LOGGING_LEVEL_NONE, &source) !=
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
connect_ports (TtCtfReader *self, bt_graph *graph, const bt_component_source *source, GError **error)
{
  g_autoptr (GArray) ports = g_array_new (FALSE, FALSE, sizeof (Port));
  g_autofree char *view_prefix = g_strconcat (self->view, "/", NULL);
  bt_component_class_sink *klass = tt_ctf_sink_class_new ();
  const bt_component_sink *sink = NULL;

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

      g_ptr_array_add (self->port_names, g_strdup (stream == NULL ? port->name : stream + strlen (view_prefix)));
      is_good = bt_graph_connect_ports (graph, port->port, bt_component_sink_borrow_input_port_by_index_const (sink, i),
                                        NULL) == BT_GRAPH_CONNECT_PORTS_STATUS_OK;
    }
  return is_good || fail (self, "cannot connect the streams", error);
}

static gboolean
run (TtCtfReader *self, bt_graph *graph, const bt_component_source *source, GError **error)
{
  bt_graph_run_status status;

  if (!connect_ports (self, graph, source, error))
    return FALSE;
  do
    status = bt_graph_run (graph);
  while (status == BT_GRAPH_RUN_STATUS_AGAIN);
  if (self->error != NULL)
    {
      bt_current_thread_clear_error ();
      g_propagate_error (error, g_steal_pointer (&self->error));
      return FALSE;
    }
  return status == BT_GRAPH_RUN_STATUS_OK || fail (self, "the trace cannot be read", error);
}

/* -- reading ------------------------------------------------------------------------------------------------ */

/* Whether babeltrace2 takes the trace when @file is its only stream; if not, *why: free it. */
static gboolean
try_stream (TtCtfReader *self, const bt_plugin *plugin, const char *text, char *file, char **why, GError **error)
{
  char *one[] = { file };
  g_autoptr (TtCtfView) view = tt_ctf_view_new (self->path, text, one, 1, error);

  if (view == NULL)
    return FALSE;
  bt_graph *graph = bt_graph_create (0);
  self->view = tt_ctf_view_path (view);
  *why = add_source (self, graph, plugin, self->view) == NULL ? tt_ctf_take_causes (self) : NULL;
  bt_graph_put_ref (graph);
  return TRUE;
}

/* One bad stream makes babeltrace2 refuse the trace: which of @files are good? The others are told. NULL: it refuses the
 * trace for another reason. */
static GPtrArray *
good_streams (TtCtfReader *self, const bt_plugin *plugin, const char *text, GPtrArray *files, GError **error)
{
  g_autofree char *first = tt_ctf_take_causes (self);
  g_autoptr (GPtrArray) good = g_ptr_array_new ();
  g_autoptr (GPtrArray) reasons = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < files->len; i++)
    {
      char *why = NULL;

      if (!try_stream (self, plugin, text, files->pdata[i], &why, error))
        return NULL;
      g_ptr_array_add (reasons, why);
      if (why == NULL)
        g_ptr_array_add (good, files->pdata[i]);
    }
  if (good->len == 0 || good->len == files->len)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: babeltrace2: %s", self->path, first);
      return NULL;
    }
  for (guint i = 0; i < files->len; i++)
    if (reasons->pdata[i] != NULL && self->handler->broken != NULL)
      {
        g_autofree char *name = g_path_get_basename (files->pdata[i]);
        self->handler->broken (name, FALSE, reasons->pdata[i], self->data);
      }
  return g_steal_pointer (&good);
}

/* @may_drop: whether to go on without streams that babeltrace2 refuses. */
static gboolean
read_streams (TtCtfReader *self,
              const bt_plugin *plugin,
              const char *text,
              GPtrArray *files,
              gboolean may_drop,
              GError **error)
{
  g_autoptr (TtCtfView) view = tt_ctf_view_new (self->path, text, (char **) files->pdata, files->len, error);
  gboolean is_read;

  if (view == NULL)
    return FALSE;
  bt_graph *graph = bt_graph_create (0);
  self->view = tt_ctf_view_path (view);
  const bt_component_source *source = add_source (self, graph, plugin, self->view);
  if (source != NULL)
    is_read = run (self, graph, source, error);
  else if (!may_drop)
    is_read = fail (self, "the trace cannot be read", error);
  else
    {
      g_autoptr (GPtrArray) good = good_streams (self, plugin, text, files, error);
      is_read = good != NULL && read_streams (self, plugin, text, good, FALSE, error);
    }
  tt_ctf_clear_streams (self);
  bt_graph_put_ref (graph);
  return is_read;
}

static gboolean
read_files (TtCtfReader *self, const char *text, GPtrArray *files, GError **error)
{
  const bt_plugin *plugin = find_plugin (self, error);
  gboolean is_read = plugin != NULL && read_streams (self, plugin, text, files, TRUE, error);

  bt_plugin_put_ref (plugin);
  return is_read;
}

static void
tell_damaged (const TtCtfReader *self, const GPtrArray *damaged)
{
  for (guint i = 0; i < damaged->len && self->handler->broken != NULL; i++)
    {
      g_autofree char *name = g_path_get_basename (damaged->pdata[i]);
      self->handler->broken (name, FALSE, "it does not begin with the magic number of a CTF packet", self->data);
    }
}

gboolean
tt_ctf_read (const char *path, const TtCtfHandler *handler, gpointer data, GError **error)
{
  g_autoptr (GPtrArray) port_names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) classes = g_hash_table_new_full (NULL, NULL, NULL, tt_ctf_class_free);
  g_autoptr (GPtrArray) damaged = g_ptr_array_new_with_free_func (g_free);
  TtCtfReader self = {
    .path = path, .handler = handler, .data = data, .port_names = port_names, .names = names, .classes = classes
  };
  gboolean is_cut;
  g_autofree char *text = tt_ctf_metadata_read (path, &is_cut, error);
  g_autoptr (GPtrArray) files = text == NULL ? NULL : tt_ctf_trace_files (path, text, damaged, error);

  if (files == NULL)
    return FALSE;
  if (is_cut && handler->broken != NULL)
    handler->broken (TT_CTF_METADATA, TRUE, "cut within its last packet", data);
  tell_damaged (&self, damaged);
  g_ptr_array_remove_index (files, 0);
  return files->len == 0 || read_files (&self, text, files, error);
}

#else

gboolean
tt_ctf_read (const char *path, const TtCtfHandler *handler, gpointer data, GError **error)
{
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT,
               "%s: this build of tracetool cannot read CTF traces: it was configured without babeltrace2 (Debian: "
               "libbabeltrace2-dev)",
               path);
  return FALSE;
}

#endif
