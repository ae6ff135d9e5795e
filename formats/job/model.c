/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/job/model.h"

#include "formats/job/events.h"
#include "formats/model/gml.h"
#include "formats/model/parameters.h"
#include "formats/mxnet/symbol.h"
#include "formats/tensorflow/graph.h"
#include "src/base/error.h"
#include "src/base/input.h"
#include "src/trace/names/texts.h"

#include <string.h>

/* Longer text is not kept as metadata. */
#define MAX_METADATA ((gsize) 16 << 20)

/* -- the graph ------------------------------------------------------------------------------------------- */

void
tt_job_import_model_free (TtJobImportModel *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->names, tt_tf_names_free);
  g_clear_pointer (&self->graph, tt_local_graph_free);
  g_free (self->hash);
  g_free (self);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtJobImportModel, tt_job_import_model_free)

/* Where the graph of @rank is, the best first; NULL: nowhere. */
static const char *
find_graph (const TtJobImport *self, const TtJobRank *rank, TtJobFile *source)
{
  static const TtJobFile sources[] = { TT_JOB_FILE_DAG, TT_JOB_FILE_SYMBOLS, TT_JOB_FILE_FINAL_GRAPH,
                                       TT_JOB_FILE_METADATA };

  for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
    {
      const char *path = tt_job_layout_find (self->layout, rank, sources[i]);
      *source = sources[i];
      if (path != NULL)
        return path;
    }
  return NULL;
}

/* The job stands without @path, a side file with @fault, which is taken; FALSE: not allowed. */
static gboolean
leave_out (TtJobImport *self, const char *path, GError *fault, GError **error)
{
  if (!tt_job_import_goes_on (self, path, fault, error))
    return FALSE;
  tt_job_layout_forget (self->layout, path);
  return TRUE;
}

static TtParameters *load_parameters (TtJobImport *self, TtRepairs *repairs, GError **error);

/* The graph that TensorFlow's metadata of operators and their tensors makes. */
static gboolean
read_metadata_graph (TtJobImport *self, TtJobImportModel *model, TtInput *input, GError **error)
{
  TtRepairs repairs = { 0 }; /* counted when the parameters are put */
  g_autoptr (TtParameters) parameters = load_parameters (self, &repairs, error);
  g_autoptr (GPtrArray) gradients = g_ptr_array_new ();
  TtTfMetadataGraph result;

  if (parameters == NULL)
    return FALSE;
  for (guint i = 0; i < tt_parameters_count (parameters); i++)
    {
      TtTensor tensor = tt_parameters_get (parameters, i);
      g_ptr_array_add (gradients, (gpointer) (tensor.name == NULL ? "" : tensor.name));
    }
  g_ptr_array_add (gradients, NULL);
  if (!tt_tf_metadata_graph_read (input, (const char *const *) gradients->pdata, &result, &model->repairs, error))
    return FALSE;
  model->graph = result.graph;
  model->is_comm_added = result.is_comm_added;
  return TRUE;
}

static gboolean
read_graph (TtJobImport *self, TtJobImportModel *model, const char *path, GError **error)
{
  gboolean is_read;

  if (model->source == TT_JOB_FILE_SYMBOLS)
    {
      model->graph = tt_mxnet_symbol_load (path, error);
      return model->graph != NULL;
    }

  g_autoptr (TtInput) input = tt_input_open (path, error);
  if (input == NULL)
    return FALSE;
  if (model->source == TT_JOB_FILE_METADATA)
    is_read = read_metadata_graph (self, model, input, error);
  else
    {
      model->graph = model->source == TT_JOB_FILE_DAG ? tt_gml_read (input, &model->repairs, error)
                                                      : tt_tf_graph_read (input, &model->repairs, error);
      is_read = model->graph != NULL;
    }
  return is_read && (!self->options->strict || tt_repairs_check_none (&model->repairs, path, error));
}

static char *
hash_file (const char *path, GError **error)
{
  g_autoptr (TtInput) input = tt_input_open (path, error);

  return input == NULL ? NULL : tt_input_hash (input, error);
}

static gboolean
load_graph (TtJobImport *self, const char *path, TtJobFile source, GError **error)
{
  g_autofree char *hash = path == NULL ? NULL : hash_file (path, error);

  if (path != NULL && hash == NULL)
    return FALSE;
  if (self->model != NULL && g_strcmp0 (self->model->hash, hash) == 0)
    return TRUE;

  g_autoptr (TtJobImportModel) model = g_new0 (TtJobImportModel, 1);
  model->hash = g_steal_pointer (&hash);
  model->source = source;
  if (path != NULL && !read_graph (self, model, path, error))
    return FALSE;
  model->names = tt_tf_names_new (model->graph);
  tt_job_import_model_free (self->model);
  self->model = g_steal_pointer (&model);
  return TRUE;
}

gboolean
tt_job_import_load_model (TtJobImport *self, const TtJobRank *rank, GError **error)
{
  GError *fault = NULL;
  TtJobFile source;
  const char *path = find_graph (self, rank, &source);

  while (!load_graph (self, path, source, &fault))
    {
      if (path == NULL || !leave_out (self, path, g_steal_pointer (&fault), error))
        {
          if (fault != NULL)
            g_propagate_error (error, fault);
          return FALSE;
        }
      path = find_graph (self, rank, &source);
    }
  return TRUE;
}

/* -- the graph as JSON --------------------------------------------------------------------------------------- */

static void
append_json_string (GString *json, const char *text)
{
  g_string_append_c (json, '"');
  for (const char *p = text; *p != '\0'; p++)
    if (*p == '"' || *p == '\\')
      g_string_append_printf (json, "\\%c", *p);
    else if ((guchar) *p < ' ')
      g_string_append_printf (json, "\\u%04x", (guchar) *p);
    else
      g_string_append_c (json, *p);
  g_string_append_c (json, '"');
}

static char *
make_node_text (const TtJobImportModel *self, guint32 node)
{
  g_auto (TtTfName) name = tt_tf_names_node (self->names, node);
  GString *text = g_string_new (NULL);

  tt_name_text_make (text, name.op_cat, name.op_name, NULL);
  return g_string_free (text, FALSE);
}

char *
tt_job_import_node_json (const TtJobImportModel *self, guint32 node)
{
  g_autofree char *text = make_node_text (self, node);
  GString *json = g_string_new (NULL);

  append_json_string (json, text);
  return g_string_free (json, FALSE);
}

/* Nodes of one standard name are one node of the result. @number: of each node in it. */
static void
append_nodes (const TtJobImportModel *self, GString *json, guint32 *number)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (tt_local_graph_hash, g_str_equal, g_free, NULL);

  for (guint32 node = 0; node < tt_local_graph_n_nodes (self->graph); node++)
    {
      g_autofree char *text = make_node_text (self, node);
      guint found = GPOINTER_TO_UINT (g_hash_table_lookup (known, text));

      if (found == 0)
        {
          found = g_hash_table_size (known) + 1;
          g_string_append (json, found > 1 ? "," : "");
          append_json_string (json, text);
          g_hash_table_insert (known, g_steal_pointer (&text), GUINT_TO_POINTER (found));
        }
      number[node] = found - 1;
    }
}

/* {"nodes":["FW.a", ...],"edges":[[0,1], ...]}; NULL: too long. Free it. */
static char *
make_graph_json (const TtJobImportModel *self)
{
  guint32 n_nodes = tt_local_graph_n_nodes (self->graph);
  g_autofree guint32 *number = g_new (guint32, (gsize) n_nodes + 1);
  g_autoptr (GString) json = g_string_new ("{\"nodes\":[");
  gboolean is_first = TRUE;

  append_nodes (self, json, number);
  g_string_append (json, "],\"edges\":[");
  for (guint32 node = 0; node < n_nodes; node++)
    {
      guint n;
      const guint32 *to = tt_local_graph_successors (self->graph, node, &n);
      if (json->len > MAX_METADATA)
        return NULL;
      for (guint i = 0; i < n; i++)
        if (number[node] != number[to[i]])
          {
            g_string_append_printf (json, "%s[%u,%u]", is_first ? "" : ",", number[node], number[to[i]]);
            is_first = FALSE;
          }
    }
  g_string_append (json, "]}");
  return json->len > MAX_METADATA ? NULL : g_string_free (g_steal_pointer (&json), FALSE);
}

static void
add_graph (TtJobImport *self, const TtJobImportProcess *process)
{
  const TtJobImportModel *model = self->model;
  TtJobFile source;
  const char *path = find_graph (self, process->rank, &source);

  if (path == NULL || !g_hash_table_add (self->graphs, g_strdup (model->hash)))
    return;
  /* What is odd in metadata.json is counted with the parameters. */
  if (source != TT_JOB_FILE_METADATA)
    tt_repairs_merge (&self->sink->repairs, &model->repairs);
  if (model->graph == NULL)
    {
      tt_sink_note (self->sink, "%s: no graph of the model in it: UPDATE_ and BW operators are known by name only",
                    path);
      return;
    }
  if (source == TT_JOB_FILE_METADATA)
    tt_sink_note (self->sink, "%s: no dag.gml: the graph of the model is that of its tensors%s", path,
                  model->is_comm_added ? ", with each gradient communicated before it is used" : "");
  if (tt_tf_names_n_odd_edges (model->names) > 0)
    tt_sink_note (self->sink, "%s: %u edges lead from communication to communication; they were passed over", path,
                  tt_tf_names_n_odd_edges (model->names));
  g_autofree char *json = make_graph_json (model);
  if (json != NULL)
    tt_sink_metadata (self->sink, process->process, TT_NO_ID, "local_graph", json);
  else
    tt_sink_note (self->sink, "%s: the graph of the model is too large to be kept (16 MiB)", path);
}

/* -- connections of NCCL -------------------------------------------------------------------------------------- */

/* The number after @arrow; -1: there is none. */
static gint64
read_rank_after (const char *arrow)
{
  gint64 rank;

  if (arrow == NULL)
    return -1;
  arrow += strspn (arrow, "-> ");
  g_autofree char *digits = g_strndup (arrow, strspn (arrow, "0123456789"));
  return g_ascii_string_to_signed (digits, 10, 0, G_MAXINT32, &rank, NULL) ? rank : -1;
}

/* The first text among the connections of a kind; NULL: there is none. Free it. */
static char *
copy_first_connection (TtSlice graph, const char *kind)
{
  TtJsonValue list = tt_json_get (graph, kind), key, entries;
  const char *cursor = NULL;

  if (list.kind != TT_JSON_OBJECT || !tt_json_member (list.raw, &cursor, &key, &entries) ||
      entries.kind != TT_JSON_STRING)
    return NULL;
  return tt_json_text (&entries);
}

/* The own rank is the receiver of the first connection of the ring if that is one for receiving, else its sender:
 * "3[3000] -> 0[2000] [receive] via NET/Socket/0,..."; without a ring the one between children and parent in a tree:
 * "[0] 1/-1/-1->0->-1|...". -1: neither shows it. */
static gint64
find_own_rank (TtSlice graph)
{
  g_autofree char *ring = copy_first_connection (graph, "RealRing"), *tree = copy_first_connection (graph, "Tree");

  if (ring == NULL)
    return tree == NULL ? -1 : read_rank_after (strstr (tree, "->"));
  ring[strcspn (ring, ",")] = '\0';
  return read_rank_after (strstr (ring, "receive") == NULL ? ring : strstr (ring, "->"));
}

static gboolean
read_connections (TtJobImport *self, const TtJobImportProcess *process, const char *path, GError **error)
{
  g_autoptr (TtInput) input = tt_input_open (path, error);
  TtRepairs repairs = { 0 };
  TtJsonValue value;

  if (input == NULL)
    return FALSE;
  g_autoptr (TtJson) json = tt_json_new (input, &repairs);
  if (!tt_json_value (json, &value, error))
    return FALSE;
  if (value.kind != TT_JSON_OBJECT)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
                   "%s: byte %" G_GUINT64_FORMAT ": expected an object of connections", path, value.offset);
      return FALSE;
    }
  if (self->options->strict && !tt_repairs_check_none (&repairs, path, error))
    return FALSE;
  tt_repairs_merge (&self->sink->repairs, &repairs);
  gint64 rank = find_own_rank (value.raw);
  if (rank >= 0)
    tt_sink_label_process (self->sink, process->process, NULL, rank);
  else
    tt_sink_note (self->sink, "%s: neither RealRing nor Tree shows the rank of '%s'", path, process->rank->pid);
  if (value.raw.len > MAX_METADATA || tt_repairs_total (&repairs) > 0)
    tt_sink_note (self->sink, "%s: %s, so it is not kept", path,
                  value.raw.len > MAX_METADATA ? "more than 16 MiB" : "damaged");
  else
    {
      g_autofree char *text = g_strndup (value.raw.bytes, value.raw.len);
      tt_sink_metadata (self->sink, process->process, TT_NO_ID, "nccl_rank_graph", text);
    }
  return TRUE;
}

static gboolean
add_connections (TtJobImport *self, const TtJobImportProcess *process, GError **error)
{
  const char *path = process->rank->path[TT_JOB_FILE_RANK_GRAPH];
  GError *fault = NULL;

  return path == NULL || read_connections (self, process, path, &fault) || leave_out (self, path, fault, error);
}

/* -- parameters -------------------------------------------------------------------------------------------- */

static void
find_parameters (const TtJobImport *self, const char *paths[TT_N_PARAMETER_FILES])
{
  static const TtJobFile files[TT_N_PARAMETER_FILES] = {
    [TT_PARAMETER_NAMES] = TT_JOB_FILE_GRADIENTS,       [TT_PARAMETER_NAMES_TEXT] = TT_JOB_FILE_GRADIENTS_TEXT,
    [TT_PARAMETER_NAME_IDS] = TT_JOB_FILE_GRADIENT_IDS, [TT_PARAMETER_INFO] = TT_JOB_FILE_INFO,
    [TT_PARAMETER_SHAPES] = TT_JOB_FILE_SHAPES,         [TT_PARAMETER_METADATA] = TT_JOB_FILE_METADATA,
  };

  for (guint i = 0; i < TT_N_PARAMETER_FILES; i++)
    paths[i] = tt_job_layout_find (self->layout, NULL, files[i]);
}

/* The dictionary is that of the whole job. */
static TtParameters *
load_parameters (TtJobImport *self, TtRepairs *repairs, GError **error)
{
  const TtRepairs before = *repairs;

  while (TRUE)
    {
      const char *paths[TT_N_PARAMETER_FILES];
      TtParameterFile faulty;
      GError *fault = NULL;

      find_parameters (self, paths);
      TtParameters *parameters = tt_parameters_load (paths, repairs, &faulty, &fault);
      if (parameters != NULL)
        return parameters;
      *repairs = before;
      if (!leave_out (self, paths[faulty], fault, error))
        return NULL;
    }
}

static gboolean
add_parameters (TtJobImport *self, GError **error)
{
  TtRepairs repairs = { 0 };

  if (self->has_parameters)
    return TRUE;
  self->has_parameters = TRUE;
  g_autoptr (TtParameters) parameters = load_parameters (self, &repairs, error);
  if (parameters == NULL)
    return FALSE;
  if (self->options->strict && !tt_repairs_check_none (&repairs, self->layout->root, error))
    return FALSE;
  tt_repairs_merge (&self->sink->repairs, &repairs);
  tt_parameters_add_to (parameters, self->sink);
  return TRUE;
}

gboolean
tt_job_import_add_metadata (TtJobImport *self, const TtJobImportProcess *process, GError **error)
{
  if (process->is_aligned)
    {
      g_autofree char *shift = g_strdup_printf ("%" G_GINT64_FORMAT, process->shift_ns);
      tt_sink_metadata (self->sink, process->process, TT_NO_ID, "clock_shift_ns", shift);
    }
  if (self->layout->common[TT_JOB_COMMON_LINKS] != NULL)
    {
      g_autofree char *worker = g_strdup_printf ("%u", process->worker);
      tt_sink_metadata (self->sink, process->process, TT_NO_ID, "byteps_worker", worker);
    }
  add_graph (self, process);
  return add_connections (self, process, error) && add_parameters (self, error);
}
