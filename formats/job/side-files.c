/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/job/side-files.h"

#include <string.h>

static const struct
{
  const char *name, *meaning;
} files[] = {
  { "gradient_name_list.json", "the names of a job's tensors" },
  { "gradient_name_list.txt", "the names of a job's tensors" },
  { "gradient_name2ID.json", "the names of a job's tensors" },
  { "tensor_shapes.json", "the shapes of a model's tensors" },
  { "metadata.json", "the operators or tensors of a model" },
  { "info.json", "how updates are put together" },
  { "dag.gml", "the graph of a model" },
  { "final_graph.json", "the graph of a model" },
  { "symbol_debug_str.txt", "the graph of a model" },
  { "nccl_rank_graph.json", "the connections of one rank" },
  { "key_dict.txt", "the keys of BytePS' tensors" },
  { "ip_to_rank.txt", "the ranks of BytePS' nodes" },
};

const char *
tt_side_file_meaning (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    if (g_str_equal (name, files[i].name))
      return files[i].meaning;
  return g_str_has_prefix (name, "partition_def_") && g_str_has_suffix (name, ".json") ? "the graph of a model" : NULL;
}
