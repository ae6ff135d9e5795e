/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tensorflow/graph.h"

#include "formats/tensorflow/names.h"
#include "formats/json/scanner.h"
#include "src/base/error.h"

#include <string.h>

/* An input that has not found its operator yet. */
typedef struct
{
  const char *from; /* name of an operator or a tensor */
  guint32 to;
  guint64 offset;
} PendingEdge;

typedef struct
{
  TtJson *json;
  const char *path;
  TtRepairs *repairs;
  TtLocalGraph *graph;
  GStringChunk *text;
  GHashTable *producers; /* name of an operator or a tensor -> node + 1 */
  GArray *edges;         /* of PendingEdge */
  GString *name;
} Reader;

static void
reader_clear (Reader *self)
{
  g_clear_pointer (&self->json, tt_json_free);
  g_clear_pointer (&self->graph, tt_local_graph_free);
  g_clear_pointer (&self->text, g_string_chunk_free);
  g_clear_pointer (&self->producers, g_hash_table_unref);
  g_clear_pointer (&self->edges, g_array_unref);
  if (self->name != NULL)
    g_string_free (self->name, TRUE);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reader, reader_clear)

static void
reader_init (Reader *self, TtInput *input, TtRepairs *repairs)
{
  self->json = tt_json_new (input, repairs);
  self->path = tt_input_path (input);
  self->repairs = repairs;
  self->graph = tt_local_graph_new ();
  self->text = g_string_chunk_new (4096);
  self->producers = g_hash_table_new (tt_local_graph_hash, g_str_equal);
  self->edges = g_array_new (FALSE, FALSE, sizeof (PendingEdge));
  self->name = g_string_new (NULL);
}

static gboolean
fail (const Reader *self, const char *what, GError **error)
{
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: byte %" G_GUINT64_FORMAT ": %s", self->path,
               tt_json_offset (self->json), what);
  return FALSE;
}

/* The text of a string, kept; NULL: it is none, or empty. */
static const char *
keep_text (Reader *self, const TtJsonValue *value)
{
  if (value->kind != TT_JSON_STRING || value->raw.len == 0)
    return NULL;
  g_string_truncate (self->name, 0);
  tt_json_unescape (value, self->name, self->repairs);
  return g_string_chunk_insert_const (self->text, self->name->str);
}

static void
produce (Reader *self, const char *name, guint32 node)
{
  if (!g_hash_table_contains (self->producers, name))
    g_hash_table_insert (self->producers, (gpointer) name, GUINT_TO_POINTER (node + 1));
}

static void
need (Reader *self, const char *from, guint32 to, guint64 offset)
{
  const PendingEdge edge = { from, to, offset };

  g_array_append_val (self->edges, edge);
}

static gboolean
check_size (const Reader *self, GError **error)
{
  if (tt_local_graph_n_nodes (self->graph) <= TT_LOCAL_GRAPH_MOST_NODES &&
      self->edges->len <= TT_LOCAL_GRAPH_MOST_EDGES)
    return TRUE;
  return fail (self, "more operators or inputs than any model has", error);
}

/* -- GraphDef --------------------------------------------------------------------------------------------- */

/* "^a", "a:1" -> "a", in place. */
static const char *
operator_of (const char *input, GStringChunk *text)
{
  const char *from = *input == '^' ? input + 1 : input, *colon = strrchr (from, ':');
  gboolean has_port = colon != NULL && colon[1] != '\0' && colon[1 + strspn (colon + 1, "0123456789")] == '\0';

  if (!has_port)
    return from;
  g_autofree char *name = g_strndup (from, (gsize) (colon - from));
  return g_string_chunk_insert_const (text, name);
}

static void
take_node (Reader *self, const TtJsonValue *record)
{
  TtJsonValue name_value = { .kind = TT_JSON_NONE }, inputs = { .kind = TT_JSON_NONE }, input;
  const char *cursor = NULL;

  if (record->kind == TT_JSON_OBJECT)
    {
      name_value = tt_json_get (record->raw, "name");
      inputs = tt_json_get (record->raw, "input");
    }
  const char *name = keep_text (self, &name_value);
  if (name == NULL)
    {
      tt_repairs_add (self->repairs, TT_REPAIR_GRAPH_ROW, record->offset);
      return;
    }
  if (g_hash_table_contains (self->producers, name))
    tt_repairs_add (self->repairs, TT_REPAIR_GRAPH_NAME, record->offset);
  guint32 node = tt_local_graph_node (self->graph, name);
  produce (self, name, node);
  while (inputs.kind == TT_JSON_ARRAY && tt_json_item (inputs.raw, &cursor, &input))
    {
      const char *from = keep_text (self, &input);
      if (from != NULL)
        need (self, operator_of (from, self->text), node, record->offset);
    }
}

static void
join_all (Reader *self)
{
  for (guint i = 0; i < self->edges->len; i++)
    {
      const PendingEdge *edge = &g_array_index (self->edges, PendingEdge, i);
      guint from = GPOINTER_TO_UINT (g_hash_table_lookup (self->producers, edge->from));
      if (from == 0)
        tt_repairs_add (self->repairs, TT_REPAIR_GRAPH_ROW, edge->offset);
      else
        tt_local_graph_edge (self->graph, from - 1, edge->to);
    }
}

TtLocalGraph *
tt_tf_graph_read (TtInput *input, TtRepairs *repairs, GError **error)
{
  g_auto (Reader) self = { 0 };
  GError *failure = NULL;
  TtJsonValue key, record;
  gboolean has_nodes = FALSE;

  reader_init (&self, input, repairs);
  if (!tt_json_begin_object (self.json, error))
    return NULL;
  while (tt_json_next_key (self.json, &key, &failure))
    {
      if (!TT_JSON_KEY_IS (key, "node"))
        continue;
      has_nodes = TRUE;
      if (!tt_json_begin_array (self.json, error))
        return NULL;
      while (tt_json_next_record (self.json, &record, &failure))
        {
          take_node (&self, &record);
          if (!check_size (&self, error))
            return NULL;
        }
      if (failure != NULL)
        break;
    }
  if (failure != NULL)
    {
      g_propagate_error (error, failure);
      return NULL;
    }
  if (!has_nodes)
    {
      fail (&self, "no GraphDef: there is no list 'node'", error);
      return NULL;
    }
  join_all (&self);
  tt_local_graph_seal (self.graph);
  return g_steal_pointer (&self.graph);
}

/* -- metadata ----------------------------------------------------------------------------------------------- */

/* The name of an item of "input" or "output": an object with a name, or the name alone. */
static const char *
tensor_name (Reader *self, const TtJsonValue *item)
{
  TtJsonValue name = item->kind == TT_JSON_OBJECT ? tt_json_get (item->raw, "name") : *item;

  return keep_text (self, &name);
}

/* FALSE: no operator of TensorFlow. */
static gboolean
take_operator (Reader *self, const char *name, const TtJsonValue *value)
{
  TtJsonValue inputs = tt_json_get (value->raw, "input"), outputs = tt_json_get (value->raw, "output"), item;
  const char *cursor = NULL;

  if (inputs.kind != TT_JSON_ARRAY && outputs.kind != TT_JSON_ARRAY)
    return FALSE;
  guint32 node = tt_local_graph_node (self->graph, name);
  while (outputs.kind == TT_JSON_ARRAY && tt_json_item (outputs.raw, &cursor, &item))
    {
      const char *tensor = tensor_name (self, &item);
      if (tensor != NULL)
        produce (self, tensor, node);
    }
  cursor = NULL;
  while (inputs.kind == TT_JSON_ARRAY && tt_json_item (inputs.raw, &cursor, &item))
    {
      const char *tensor = tensor_name (self, &item);
      if (tensor != NULL)
        need (self, tensor, node, value->offset);
    }
  return TRUE;
}

/* Names that have lost their dot ("HorovodAllreduce_3_0") do not show which tensor is communicated. */
static gboolean
has_communication (const TtLocalGraph *graph)
{
  g_autoptr (TtTfNames) names = tt_tf_names_new (NULL);
  gboolean has_any = FALSE;

  for (guint32 node = 0; node < tt_local_graph_n_nodes (graph) && !has_any; node++)
    {
      g_auto (TtTfName) name = tt_tf_names_resolve (names, tt_local_graph_name (graph, node));
      has_any = g_str_equal (name.op_cat, "Comm");
    }
  return has_any;
}

/* A gradient as the file calls it: with its output's number, without the function that calls it. */
static char *
find_gradient (const Reader *self, const char *name)
{
  static const char wrapper[] = "StatefulPartitionedCall/";

  while (g_str_has_prefix (name, wrapper))
    name += strlen (wrapper);
  if (g_hash_table_contains (self->producers, name))
    return g_strdup (name);
  char *with_port = g_strconcat (name, ":0", NULL);
  if (g_hash_table_contains (self->producers, with_port))
    return with_port;
  g_free (with_port);
  return NULL;
}

/* Gradient i -> Comm.i -> what takes the gradient. FALSE: none of them is there. */
static gboolean
add_communication (Reader *self, const char *const *gradients)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (tt_local_graph_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; gradients[i] != NULL; i++)
    {
      g_autofree char *tensor = find_gradient (self, gradients[i]);
      g_autofree char *name = g_strdup_printf ("Comm.%u", i);
      if (tensor == NULL || !g_hash_table_add (seen, g_strdup (tensor)))
        continue;
      guint32 producer = GPOINTER_TO_UINT (g_hash_table_lookup (self->producers, tensor)) - 1;
      guint32 comm = tt_local_graph_node (self->graph, name);
      tt_local_graph_edge (self->graph, producer, comm);
      g_hash_table_insert (self->producers, g_string_chunk_insert_const (self->text, tensor),
                           GUINT_TO_POINTER (comm + 1));
    }
  return g_hash_table_size (seen) > 0;
}

/* Variables and inputs of the model are nobody's outputs. */
static void
join_known (Reader *self)
{
  for (guint i = 0; i < self->edges->len; i++)
    {
      const PendingEdge *edge = &g_array_index (self->edges, PendingEdge, i);
      guint from = GPOINTER_TO_UINT (g_hash_table_lookup (self->producers, edge->from));
      if (from != 0 && from - 1 != edge->to)
        tt_local_graph_edge (self->graph, from - 1, edge->to);
    }
}

gboolean
tt_tf_metadata_graph_read (TtInput *input,
                           const char *const *gradients,
                           TtTfMetadataGraph *result,
                           TtRepairs *repairs,
                           GError **error)
{
  g_auto (Reader) self = { 0 };
  g_autoptr (GError) failure = NULL;
  TtJsonValue key, value;

  *result = (TtTfMetadataGraph){ 0 };
  reader_init (&self, input, repairs);
  if (!tt_json_begin_object (self.json, error))
    return FALSE;
  while (tt_json_next_key (self.json, &key, &failure))
    {
      /* The key lies where the value will. */
      TtJsonValue op = key;
      op.kind = TT_JSON_STRING;
      const char *name = keep_text (&self, &op);
      if (!tt_json_value (self.json, &value, error))
        return FALSE;
      if (name != NULL && value.kind == TT_JSON_OBJECT)
        take_operator (&self, name, &value);
      if (!check_size (&self, error))
        return FALSE;
    }
  if (failure != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }
  if (tt_local_graph_n_nodes (self.graph) == 0)
    return TRUE;
  if (gradients != NULL && !has_communication (self.graph))
    result->is_comm_added = add_communication (&self, gradients);
  join_known (&self);
  tt_local_graph_seal (self.graph);
  result->graph = g_steal_pointer (&self.graph);
  return TRUE;
}
