/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/graph-file.h"

#include "formats/dot/dot.h"
#include "formats/dot/graph-gml.h"
#include "formats/dot/graph-graphml.h"
#include "formats/dot/graph-json.h"
#include "formats/dot/render.h"
#include "src/base/error.h"
#include "src/cli/picture.h"
#include "src/cli/words.h"

#include <string.h>

#define MOST_NODES_OF_DOT 200u

static gboolean
write_dot (const TtGraphLanguage *self,
           const TtGraph *graph,
           const TtGraphHeading *heading,
           const char *path,
           TtOutput *out,
           GError **error)
{
  tt_dot_write (graph, out);
  return TRUE;
}

static gboolean
write_json (const TtGraphLanguage *self,
            const TtGraph *graph,
            const TtGraphHeading *heading,
            const char *path,
            TtOutput *out,
            GError **error)
{
  tt_graph_json_write (graph, out);
  return TRUE;
}

static gboolean
write_gml (const TtGraphLanguage *self,
           const TtGraph *graph,
           const TtGraphHeading *heading,
           const char *path,
           TtOutput *out,
           GError **error)
{
  tt_graph_gml_write (graph, out);
  return TRUE;
}

static gboolean
write_graphml (const TtGraphLanguage *self,
               const TtGraph *graph,
               const TtGraphHeading *heading,
               const char *path,
               TtOutput *out,
               GError **error)
{
  tt_graph_graphml_write (graph, out);
  return TRUE;
}

static gboolean
write_svg (const TtGraphLanguage *self,
           const TtGraph *graph,
           const TtGraphHeading *heading,
           const char *path,
           TtOutput *out,
           GError **error)
{
  if (graph->nodes->len > TT_GRAPH_SVG_MOST_NODES)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_GRAPH,
                   "a picture of %u nodes shows nothing; try --max-nodes 5000, or write .dot or .json",
                   graph->nodes->len);
      return FALSE;
    }
  tt_graph_svg_write (graph, heading, out);
  return TRUE;
}

/* Dot lays out small graphs more closely; of large ones it does not come to an end. */
static gboolean
write_picture (const TtGraphLanguage *self,
               const TtGraph *graph,
               const TtGraphHeading *heading,
               const char *path,
               TtOutput *out,
               GError **error)
{
  g_autofree char *dot_path = path == NULL ? NULL : g_strconcat (path, ".dot", NULL);

  if (graph->nodes->len <= MOST_NODES_OF_DOT)
    return tt_render (graph, self->word, dot_path, TT_RENDER_TIMEOUT_MS, out, error);
  g_autoptr (TtOutput) memory = tt_output_open_memory ();
  if (!write_svg (self, graph, heading, path, memory, error))
    return FALSE;
  g_autoptr (GBytes) picture = tt_picture_finish (memory, TRUE, error);
  if (picture == NULL)
    return FALSE;
  tt_output_bytes (out, g_bytes_get_data (picture, NULL), g_bytes_get_size (picture));
  return TRUE;
}

const TtGraphLanguage tt_graph_language_dot = { "dot", "gv", TRUE, "graph.dot", write_dot };
static const TtGraphLanguage language_gml = { "gml", NULL, FALSE, "graph.gml", write_gml };
static const TtGraphLanguage language_graphml = { "graphml", NULL, FALSE, "graph.graphml", write_graphml };
static const TtGraphLanguage language_json = { "json", NULL, FALSE, "graph.json", write_json };
const TtGraphLanguage tt_graph_language_svg = { "svg", NULL, TRUE, "graph.svg", write_svg };
static const TtGraphLanguage language_png = { "png", NULL, TRUE, "graph.png", write_picture };
const TtGraphLanguage tt_graph_language_trail = { "trail", NULL, FALSE, "trail_dag.gml", NULL };

static const TtGraphLanguage *const languages[] = {
  &tt_graph_language_dot, &language_gml, &language_graphml,        &language_json,
  &tt_graph_language_svg, &language_png, &tt_graph_language_trail,
};

static const TtGraphLanguage *
choose_by_suffix (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);
  const char *suffix;

  if (g_str_has_suffix (name, ".gz"))
    name[strlen (name) - strlen (".gz")] = '\0';
  suffix = strrchr (name, '.');
  for (guint i = 0; suffix != NULL && i < G_N_ELEMENTS (languages); i++)
    if (g_str_equal (suffix + 1, languages[i]->word) || g_strcmp0 (suffix + 1, languages[i]->suffix) == 0)
      return languages[i];
  return NULL;
}

char **
tt_graph_language_list (void)
{
  char **words = g_new0 (char *, G_N_ELEMENTS (languages) + 1);

  for (guint i = 0; i < G_N_ELEMENTS (languages); i++)
    words[i] = g_strdup (languages[i]->word);
  return words;
}

const TtGraphLanguage *
tt_graph_language_choose (const char *word, const char *path, GError **error)
{
  g_auto (GStrv) list = tt_graph_language_list ();
  const char *const *words = (const char *const *) list;
  guint choice = 0;

  if (word != NULL)
    return tt_word_choose ("format", word, words, &choice, error) ? languages[choice] : NULL;
  if (path == NULL)
    return &tt_graph_language_dot;

  const TtGraphLanguage *language = choose_by_suffix (path);
  if (language == NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                 "cannot tell from '%s' what to write; end it in .dot, .gv, .gml, .graphml, .json, .svg or .png", path);
  return language;
}
