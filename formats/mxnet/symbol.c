/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/mxnet/symbol.h"

#include "formats/mxnet/names.h"
#include "src/base/error.h"
#include "src/base/look.h"

#include <string.h>

#define MOST_BYTES ((gsize) 16 << 20)
#define UPDATE "UPDATE_CAL"

typedef struct
{
  TtLocalGraph *graph;
  GHashTable *variables; /* set of char * */
  char *op;              /* the one whose block is read, "_fwd" cut; NULL: none yet */
  guint n_outputs;
  guint n_ops;
} Parser;

static char *
cut_name (const char *text, gsize len)
{
  g_autofree char *raw = g_strndup (text, len);
  g_autofree char *trimmed = g_strdup (g_strstrip (raw));
  char *mark = strstr (trimmed, "_fwd");

  if (mark != NULL && mark != trimmed)
    *mark = '\0';
  return g_steal_pointer (&trimmed);
}

static void
join (Parser *self, const char *from_prefix, const char *from, const char *to_prefix, const char *to)
{
  g_autofree char *first = g_strconcat (from_prefix, from, NULL);
  g_autofree char *second = g_strconcat (to_prefix, to, NULL);
  guint32 node = tt_local_graph_node (self->graph, first);

  tt_local_graph_edge (self->graph, node, tt_local_graph_node (self->graph, second));
}

/* "output[0]=node(0)": after the "]=", up to the "(". */
static char *
value_of (const char *line, gsize len)
{
  const char *from = g_strstr_len (line, (gssize) len, "]=");

  if (from == NULL)
    return NULL;
  from += 2;
  const char *to = memchr (from, '(', len - (gsize) (from - line));
  return cut_name (from, to == NULL ? len - (gsize) (from - line) : (gsize) (to - from));
}

static void
take_output (Parser *self, const char *line, gsize len)
{
  g_autofree char *node = value_of (line, len);
  g_autofree char *output = g_strdup_printf ("OUTPUT%u", self->n_outputs);

  if (node == NULL || *node == '\0')
    return;
  self->n_outputs++;
  join (self, "FW.", node, "", output);
  join (self, "", output, "BW.", node);
}

static void
take_argument (Parser *self, const char *line, gsize len)
{
  g_autofree char *node = value_of (line, len);

  if (node == NULL || *node == '\0' || self->op == NULL)
    return;
  if (!g_hash_table_contains (self->variables, node))
    {
      join (self, "FW.", node, "FW.", self->op);
      join (self, "BW.", self->op, "BW.", node);
    }
  else if (strstr (node, "data") != NULL)
    {
      g_autofree char *io = tt_mxnet_output_name (node);
      join (self, "", io, "FW.", self->op);
    }
  else
    {
      join (self, "BW.", self->op, "Comm.", node);
      join (self, "Comm.", node, "", UPDATE);
    }
}

static void
take_op (Parser *self, const char *line, gsize len)
{
  const char *name = g_strstr_len (line, (gssize) len, "Name=");

  g_clear_pointer (&self->op, g_free);
  if (name == NULL)
    return;
  name += strlen ("Name=");
  self->op = cut_name (name, len - (gsize) (name - line));
  if (*self->op == '\0')
    {
      g_clear_pointer (&self->op, g_free);
      return;
    }
  g_autofree char *node = g_strconcat ("FW.", self->op, NULL);
  tt_local_graph_node (self->graph, node);
  self->n_ops++;
}

static gboolean
starts_with (const char *line, gsize len, const char *text)
{
  return len >= strlen (text) && memcmp (line, text, strlen (text)) == 0;
}

static void
take_line (Parser *self, const char *line, gsize len)
{
  while (len > 0 && g_ascii_isspace (*line))
    line++, len--;
  if (starts_with (line, len, "Op:"))
    take_op (self, line, len);
  else if (starts_with (line, len, "--------"))
    g_clear_pointer (&self->op, g_free);
  else if (starts_with (line, len, "Variable:"))
    g_hash_table_add (self->variables, cut_name (line + strlen ("Variable:"), len - strlen ("Variable:")));
  else if (starts_with (line, len, "arg["))
    take_argument (self, line, len);
  else if (starts_with (line, len, "output[") && self->n_ops == 0)
    take_output (self, line, len);
}

TtLocalGraph *
tt_mxnet_symbol_parse (const char *path, const char *text, gsize len, GError **error)
{
  g_autoptr (TtLocalGraph) graph = tt_local_graph_new ();
  g_autoptr (GHashTable) variables = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Parser parser = { .graph = graph, .variables = variables };
  const char *end = text + len;

  for (const char *line = text; line < end;)
    {
      const char *newline = memchr (line, '\n', (gsize) (end - line));
      const char *stop = newline != NULL ? newline : end;
      take_line (&parser, line, (gsize) (stop - line));
      line = stop + 1;
    }
  g_free (parser.op);
  if (parser.n_ops == 0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
                   "%s: no line 'Op:..., Name=...': not the symbol that MXNet prints for debugging", path);
      return NULL;
    }
  tt_local_graph_seal (graph);
  return g_steal_pointer (&graph);
}

TtLocalGraph *
tt_mxnet_symbol_load (const char *path, GError **error)
{
  g_autofree char *text = NULL;
  gsize len;
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, NULL);

  if (file != NULL && g_mapped_file_get_length (file) > MOST_BYTES)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: larger than 16 MiB, no model's symbol", path);
      return NULL;
    }
  if (!tt_look_contents (path, &text, &len, error))
    return NULL;
  return tt_mxnet_symbol_parse (path, text, len, error);
}

char *
tt_mxnet_symbol_beside (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *symbol = g_build_filename (folder, "symbol_debug_str.txt", NULL);

  if (strcmp (path, "-") == 0 || !tt_look_test (symbol, G_FILE_TEST_IS_REGULAR))
    return NULL;
  return g_steal_pointer (&symbol);
}
