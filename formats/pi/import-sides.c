/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* What lies beside the calls, as metadata of the process; parts become compact JSON. */
#include "formats/pi/import.h"

#include "formats/pi/args-json.h"
#include "formats/pi/side/side.h"
#include "formats/pi/trace-private.h"

#include <string.h>

/* Bytes of an array that are shown. */
#define MAX_DATA 256u

/* -- JSON ------------------------------------------------------------------------------------------------ */

static void
add_key (GString *json, const char *key)
{
  char last = json->len == 0 ? '{' : json->str[json->len - 1];

  if (last != '{' && last != '[')
    g_string_append_c (json, ',');
  if (key == NULL)
    return;
  tt_pi_json_append_text (json, key, strlen (key));
  g_string_append_c (json, ':');
}

static void
add_text (GString *json, const char *key, const char *value)
{
  if (value == NULL)
    return;
  add_key (json, key);
  tt_pi_json_append_text (json, value, strlen (value));
}

static void
add_uint (GString *json, const char *key, guint64 value)
{
  add_key (json, key);
  g_string_append_printf (json, "%" G_GUINT64_FORMAT, value);
}

static void
add_int (GString *json, const char *key, gint64 value)
{
  add_key (json, key);
  g_string_append_printf (json, "%" G_GINT64_FORMAT, value);
}

static void
note_error (TtSink *sink, GError **error)
{
  if (*error != NULL)
    tt_sink_note (sink, "%s; left out", (*error)->message);
  g_clear_error (error);
}

/* -- configuration, environment, files -------------------------------------------------------------------- */

static char *
join_command (const TtPiConfig *config)
{
  g_autofree char *arguments = config->arguments == NULL ? NULL : g_strjoinv (" ", config->arguments);

  return g_strstrip (g_strconcat (config->command != NULL ? config->command : "", " ", arguments, NULL));
}

char *
tt_pi_command_line (TtPiTrace *trace)
{
  g_autoptr (TtPiConfig) config = tt_pi_config_read (trace, NULL);
  g_autofree char *command = config == NULL ? NULL : join_command (config);

  return command == NULL || *command == '\0' ? NULL : g_steal_pointer (&command);
}

static void
put_config (TtPiTrace *trace, TtSink *sink, guint32 process)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TtPiConfig) config = tt_pi_config_read (trace, &error);
  g_autoptr (GString) plugins = g_string_new (NULL);

  note_error (sink, &error);
  if (config == NULL)
    return;
  const struct
  {
    gboolean has;
    const char *name;
  } known[] = {
    { config->has_opencl, "opencl" },
    { config->has_level_zero, "level_zero" },
    { config->has_cuda, "cuda" },
    { config->has_rocm, "rocm" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (known[i].has)
      g_string_append_printf (plugins, "%s%s", plugins->len > 0 ? ", " : "", known[i].name);

  g_autofree char *command = join_command (config);
  if (*command != '\0')
    tt_sink_metadata (sink, process, TT_NO_ID, "command", command);
  if (config->executable != NULL)
    tt_sink_metadata (sink, process, TT_NO_ID, "executable", config->executable);
  if (config->record_mode != NULL)
    tt_sink_metadata (sink, process, TT_NO_ID, "record_mode", config->record_mode);
  tt_sink_metadata (sink, process, TT_NO_ID, "plugins", plugins->str);
}

static void
put_environment (TtPiTrace *trace, TtSink *sink, guint32 process)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) lines = tt_pi_environment_read (trace, &error);

  note_error (sink, &error);
  for (guint i = 0; lines != NULL && lines[i] != NULL; i++)
    {
      const char *equals = strchr (lines[i], '=');
      if (equals == NULL || equals == lines[i])
        continue;
      g_autofree char *key = g_strdup_printf ("env.%.*s", (int) (equals - lines[i]), lines[i]);
      tt_sink_metadata (sink, process, TT_NO_ID, key, equals + 1);
    }
}

static void
put_files (TtPiTrace *trace, TtSink *sink, guint32 process)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) files = tt_pi_files_read (trace, &error);
  g_autoptr (GString) json = g_string_new ("[");

  note_error (sink, &error);
  if (files == NULL)
    return;
  for (guint i = 0; files[i] != NULL; i++)
    add_text (json, NULL, files[i]);
  g_string_append_c (json, ']');
  tt_sink_metadata (sink, process, TT_NO_ID, "files", json->str);
}

/* -- images --------------------------------------------------------------------------------------------------- */

static void
add_property (GString *json, const TtPiProperty *property)
{
  static const char *const types[] = { "unknown", "uint32", "byte array", "string" };
  gsize len = 0;
  const guint8 *data = property->data == NULL ? NULL : g_bytes_get_data (property->data, &len);

  add_key (json, NULL);
  g_string_append_c (json, '{');
  add_text (json, "name", property->name);
  add_text (json, "type", property->type < G_N_ELEMENTS (types) ? types[property->type] : types[0]);
  add_uint (json, property->type == 1 && property->data == NULL ? "value" : "size", property->size);
  if (data != NULL && property->type == 3)
    {
      add_key (json, "value");
      tt_pi_json_append_text (json, (const char *) data, strnlen ((const char *) data, len));
    }
  else if (len > 0)
    {
      add_key (json, "bytes");
      g_string_append_c (json, '"');
      for (gsize i = 0; i < MIN (len, MAX_DATA); i++)
        g_string_append_printf (json, "%02x", data[i]);
      g_string_append_c (json, '"');
    }
  g_string_append_c (json, '}');
}

static void
add_property_set (GString *json, const TtPiPropertySet *set)
{
  add_key (json, NULL);
  g_string_append_c (json, '{');
  add_text (json, "name", set->name);
  add_key (json, "properties");
  g_string_append_c (json, '[');
  for (guint i = 0; i < set->properties->len; i++)
    add_property (json, set->properties->pdata[i]);
  g_string_append (json, "]}");
}

static void
add_entry (GString *json, const TtPiEntry *entry)
{
  add_key (json, NULL);
  g_string_append_c (json, '{');
  add_text (json, "name", entry->name);
  add_uint (json, "address", entry->address);
  add_uint (json, "size", entry->size);
  add_int (json, "flags", entry->flags);
  g_string_append_c (json, '}');
}

static void
add_image (GString *json, const TtPiImage *image)
{
  static const char *const formats[] = { "none", "native", "SPIR-V", "LLVM bitcode" };

  g_string_append_c (json, '{');
  add_uint (json, "index", image->index);
  add_text (json, "image", image->image);
  add_text (json, "target", image->target);
  add_uint (json, "version", image->version);
  add_uint (json, "kind", image->kind);
  add_text (json, "format", image->format < G_N_ELEMENTS (formats) ? formats[image->format] : "unknown");
  add_text (json, "compile_options", image->compile_options);
  add_text (json, "link_options", image->link_options);
  add_key (json, "entries");
  g_string_append_c (json, '[');
  for (guint i = 0; i < image->entries->len; i++)
    add_entry (json, image->entries->pdata[i]);
  g_string_append_c (json, ']');
  add_key (json, "property_sets");
  g_string_append_c (json, '[');
  for (guint i = 0; i < image->property_sets->len; i++)
    add_property_set (json, image->property_sets->pdata[i]);
  g_string_append (json, "]}");
}

static void
put_images (TtPiTrace *trace, TtSink *sink, guint32 process)
{
  g_autoptr (GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) images = tt_pi_images_read (trace, warnings);

  for (guint i = 0; i < warnings->len; i++)
    tt_sink_note (sink, "%s", (const char *) warnings->pdata[i]);
  for (guint i = 0; images != NULL && i < images->len; i++)
    {
      const TtPiImage *image = images->pdata[i];
      g_autofree char *key = g_strdup_printf ("image.%u", image->index);
      g_autoptr (GString) json = g_string_new (NULL);
      add_image (json, image);
      tt_sink_metadata (sink, process, TT_NO_ID, key, json->str);
    }
}

/* -- the task graph --------------------------------------------------------------------------------------------- */

/* As graph.json has them: metadata among the members. */
static void
add_graph_item (GString *json, const TtPiGraphItem *item)
{
  static const char *const own[] = {
    "id", "kind", "name", "source", "target", "create_us", "start_us", "end_us", NULL
  };

  add_key (json, NULL);
  g_string_append_c (json, '{');
  add_int (json, "id", item->id);
  add_text (json, "kind", item->is_edge ? "edge" : "node");
  add_text (json, "name", item->name);
  if (item->has_source)
    add_int (json, "source", item->source);
  if (item->has_target)
    add_int (json, "target", item->target);
  if (item->create_us != 0)
    add_uint (json, "create_us", item->create_us);
  if (item->has_start)
    add_uint (json, "start_us", item->start_us);
  if (item->has_end)
    add_uint (json, "end_us", item->end_us);
  for (guint i = 0; item->metadata != NULL && i + 1 < item->metadata->len; i += 2)
    if (!g_strv_contains (own, item->metadata->pdata[i]))
      add_text (json, item->metadata->pdata[i], item->metadata->pdata[i + 1]);
  g_string_append_c (json, '}');
}

/* Runtimes record nodes of some kinds of work alone: a graph without an edge says nothing of what waits for what. Whether
 * its tasks are rows. */
static gboolean
put_graph (TtPiTrace *trace, TtSink *sink, guint32 process)
{
  gboolean has_edges = trace->generation != TT_PI_GENERATION_NATIVE;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) graph = tt_pi_graph_read (trace, &error);
  g_autoptr (GString) json = g_string_new ("[");

  note_error (sink, &error);
  if (graph == NULL)
    return FALSE;
  for (guint i = 0; i < graph->len; i++)
    {
      add_graph_item (json, graph->pdata[i]);
      has_edges |= ((const TtPiGraphItem *) graph->pdata[i])->is_edge;
    }
  g_string_append_c (json, ']');
  tt_sink_metadata (sink, process, TT_NO_ID, "sycl_graph", json->str);
  if (has_edges)
    tt_pi_import_tasks (graph, sink, process);
  return has_edges;
}

gboolean
tt_pi_import_sides (TtPiTrace *trace, TtSink *sink, guint32 process)
{
  tt_sink_metadata (sink, process, TT_NO_ID, "pi.recording", tt_pi_trace_description (trace));
  put_config (trace, sink, process);
  put_environment (trace, sink, process);
  put_files (trace, sink, process);
  put_images (trace, sink, process);
  return put_graph (trace, sink, process);
}
