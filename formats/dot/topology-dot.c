/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/dot/topology-dot.h"

#include "formats/dot/dot.h"

#include <string.h>

static const char *
fill_of (const char *name)
{
  static const struct
  {
    const char *name, *fill;
  } known[] = { { "cpu", "#c6dbef" }, { "gpu", "#c7e9c0" }, { "net", "#fdd0a2" }, { "nic", "#fdd0a2" } };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (strcmp (known[i].name, name) == 0)
      return known[i].fill;
  return "#ffffff";
}

static void
write_element (const TtNcclXml *xml, guint number, TtOutput *out)
{
  static const char *const keys[] = { "busid", "numaid", "name", "dev", "id" };
  const TtNcclXmlElement *element = tt_nccl_xml_element (xml, number);
  g_autoptr (GString) label = g_string_new (element->name), text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      const char *value = tt_nccl_xml_value (xml, element, keys[i]);
      if (value == NULL)
        continue;
      g_string_append_printf (label, " %s", value);
      break;
    }
  g_string_append_printf (text, "  n%u [fillcolor=\"%s\", label=", number, fill_of (element->name));
  tt_dot_quote (text, label->str, TRUE);
  g_string_append (text, "];\n");
  tt_output_bytes (out, text->str, text->len);
}

/* Each pair of devices says so twice: drawn from the one that comes first. */
static void
write_nvlink (const TtNcclXml *xml, GHashTable *devices, guint number, guint device, TtOutput *out)
{
  const TtNcclXmlElement *element = tt_nccl_xml_element (xml, number);
  const char *target = tt_nccl_xml_value (xml, element, "target"), *count = tt_nccl_xml_value (xml, element, "count");
  guint other = target == NULL ? 0 : GPOINTER_TO_UINT (g_hash_table_lookup (devices, target));
  g_autoptr (GString) text = g_string_new (NULL);

  if (other == 0 || other - 1 <= device)
    return;
  g_string_append_printf (
      text, "  n%u -> n%u [dir=none, constraint=false, color=\"#1b9e77\", penwidth=2, label=", device, other - 1);
  tt_dot_quote (text, count == NULL ? "nvlink" : count, TRUE);
  g_string_append (text, "];\n");
  tt_output_bytes (out, text->str, text->len);
}

void
tt_topology_dot_write (const TtNcclXml *xml, TtOutput *out)
{
  g_autoptr (GHashTable) devices = g_hash_table_new (g_str_hash, g_str_equal); /* bus id -> number + 1 */
  guint open[TT_NCCL_XML_MOST_DEPTH + 1] = { 0 };

  tt_output_literal (out, "digraph topology {\n"
                          "  charset=\"UTF-8\";\n"
                          "  node [shape=box, style=\"filled,rounded\", color=\"#606060\", fontname=\"Helvetica\", "
                          "fontsize=10];\n"
                          "  edge [fontname=\"Helvetica\", fontsize=8, color=\"#555555\", arrowhead=none];\n");
  for (guint i = 0; i < xml->elements->len; i++)
    {
      const char *bus = tt_nccl_xml_value (xml, tt_nccl_xml_element (xml, i), "busid");
      if (bus != NULL && !g_hash_table_contains (devices, bus))
        g_hash_table_insert (devices, (gpointer) bus, GUINT_TO_POINTER (i + 1));
    }
  for (guint i = 0; i < xml->elements->len; i++)
    {
      const TtNcclXmlElement *element = tt_nccl_xml_element (xml, i);
      gboolean is_nvlink = strcmp (element->name, "nvlink") == 0;

      open[element->depth] = i;
      /* It is inside the GPU, which is inside the device. */
      if (is_nvlink && element->depth >= 2)
        write_nvlink (xml, devices, i, open[element->depth - 2], out);
      if (is_nvlink)
        continue;
      write_element (xml, i, out);
      if (element->depth > 0)
        tt_output_printf (out, "  n%u -> n%u;\n", open[element->depth - 1], i);
    }
  tt_output_literal (out, "}\n");
}
