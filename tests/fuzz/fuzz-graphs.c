/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/dot/nccl-dot.h"
#include "formats/dot/topology-dot.h"
#include "formats/dot/trail-gml.h"
#include "src/cli/tables/nccl-xml.h"
#include "tests/fuzz/memory-file.h"

#include <string.h>

/* The first byte says what the rest is: a file of NCCL, the graph of a step as GML, or what a rank says of its ring or tree. */

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);

static void
draw (const TtNccl *nccl, const GPtrArray *problems)
{
  g_autoptr (TtOutput) out = tt_output_open_memory ();
  const TtNcclPicture picture = { .nccl = nccl };

  g_free (tt_nccl_picture_size (&picture));
  tt_nccl_dot_write (&picture, out);
  tt_nccl_json_write (&picture, problems, out);
}

static void
use_xml (const char *path)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  g_autoptr (TtNcclXml) xml = tt_nccl_xml_read (path, &error);
  g_autoptr (GString) text = g_string_new (NULL);

  g_assert ((xml != NULL) == (error == NULL));
  if (xml == NULL)
    return;
  const TtReportView for_people = { .unit = TT_UNIT_NS }, for_programs = { .unit = TT_UNIT_NS, .format = TT_FORMAT_JSON };
  g_autoptr (TtReport) topology = tt_nccl_xml_topology_table (xml, &for_people);
  g_autoptr (TtReport) channels = tt_nccl_xml_channel_table (xml, problems, &for_programs);
  g_autoptr (TtNccl) nccl = tt_nccl_xml_connections (xml, problems);
  g_autoptr (TtOutput) out = tt_output_open_memory ();
  tt_report_append (topology, TT_FORMAT_TABLE, 0, text);
  tt_report_append (channels, TT_FORMAT_JSON, 0, text);
  tt_topology_dot_write (xml, out);
  draw (nccl, problems);
}

/* Free it; NULL: it is no graph. */
static GString *
rewrite (const char *path, TtGraph **graph)
{
  TtRepairs repairs = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (TtInput) input = tt_input_open (path, &error);
  g_autoptr (TtTrail) trail = input == NULL ? NULL : tt_trail_gml_read (input, &repairs, &error);
  g_autoptr (TtOutput) out = tt_output_open_memory ();

  g_assert ((trail != NULL) == (error == NULL));
  if (trail == NULL)
    return NULL;
  *graph = tt_trail_to_graph (trail);
  tt_graph_finish (*graph);
  tt_trail_gml_write (trail, out);
  return tt_output_steal_text (out);
}

static void
use_trail (const char *path)
{
  g_autoptr (TtGraph) graph = NULL, again = NULL;
  GString *text = rewrite (path, &graph);

  if (text == NULL || text->len > 1 << 20)
    {
      if (text != NULL)
        g_string_free (text, TRUE);
      return;
    }
  /* Written once, it stays as it is. */
  GString *same = rewrite (fuzz_memory_file (1, text->str, text->len), &again);
  g_assert (same != NULL && g_string_equal (text, same));
  g_assert (graph->nodes->len == again->nodes->len && graph->edges->len == again->edges->len);
  g_string_free (text, TRUE);
  g_string_free (same, TRUE);
}

static void
use_texts (const char *bytes, gsize len)
{
  g_autofree char *text = g_strndup (bytes, len);
  g_auto (GStrv) lines = g_strsplit (text, "\n", 64);
  g_autoptr (TtNccl) nccl = tt_nccl_new ();
  gint own;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (i % 3 == 2)
        tt_nccl_add_tree (nccl, lines[i], &own, NULL);
      else
        tt_nccl_add_ring (nccl, i % 3 == 0 ? TT_NCCL_RING : TT_NCCL_RING_POSSIBLE, i / 3, lines[i], &own, NULL);
    }
  tt_nccl_join (nccl);
  draw (nccl, tt_nccl_problems (nccl));
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  if (len < 1)
    return 0;
  guint8 choice = bytes[0] % 4;
  const char *text = (const char *) bytes + 1;
  const char *path = fuzz_memory_file (0, text, --len);

  if (choice == 0)
    use_xml (path);
  else if (choice == 1)
    use_trail (path);
  else
    use_texts (text, len);
  return 0;
}
