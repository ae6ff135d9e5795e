/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/nccl-xml.h"

#include <string.h>

/* The numbers that NCCL gives its patterns. */
#define PATTERN_BALANCED_TREE 1
#define PATTERN_TREE 3
#define PATTERN_RING 4

static gint64
number_of (const TtNcclXml *xml, const TtNcclXmlElement *element, const char *key, gint64 otherwise)
{
  const char *text = tt_nccl_xml_value (xml, element, key);
  gint64 number;

  return text != NULL && g_ascii_string_to_signed (text, 10, G_MININT64, G_MAXINT64, &number, NULL) ? number
                                                                                                    : otherwise;
}

static gboolean
is_named (const TtNcclXmlElement *element, const char *name)
{
  return strcmp (element->name, name) == 0;
}

/* -- channels -------------------------------------------------------------------------------------------- */

/* A channel: elements (first, last) inside it, within a graph. */
typedef struct
{
  const TtNcclXmlElement *graph;
  guint number, first, last;
} Channel;

static guint
end_of (const TtNcclXml *xml, guint i)
{
  guint end = i + 1;

  while (end < xml->elements->len && tt_nccl_xml_element (xml, end)->depth > tt_nccl_xml_element (xml, i)->depth)
    end++;
  return end;
}

/* Of Channel. */
static GArray *
find_channels (const TtNcclXml *xml)
{
  GArray *channels = g_array_new (FALSE, FALSE, sizeof (Channel));
  const TtNcclXmlElement *graph = NULL;
  guint number = 0;

  for (guint i = 0; i < xml->elements->len; i++)
    {
      const TtNcclXmlElement *element = tt_nccl_xml_element (xml, i);

      if (element->depth == 0)
        {
          graph = is_named (element, "graph") ? element : NULL;
          number = 0;
        }
      if (graph == NULL || element->depth != 1 || !is_named (element, "channel"))
        continue;
      Channel channel = { graph, number++, i + 1, end_of (xml, i) };
      g_array_append_val (channels, channel);
    }
  return channels;
}

static const char *
pattern_text (gint64 pattern, char buffer[32])
{
  static const char *const texts[] = { "balanced tree", "split tree", "tree", "ring", "nvls", "collnet direct" };

  if (pattern >= 1 && pattern <= (gint64) G_N_ELEMENTS (texts))
    return texts[pattern - 1];
  g_snprintf (buffer, 32, "%" G_GINT64_FORMAT, pattern);
  return buffer;
}

/* "gpu 0 -> gpu 1"; what is twice in it is a problem. */
static char *
describe_order (const TtNcclXml *xml, const Channel *channel, GPtrArray *problems)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  GString *text = g_string_new (NULL);

  for (guint i = channel->first; i < channel->last; i++)
    {
      const TtNcclXmlElement *element = tt_nccl_xml_element (xml, i);
      const char *dev = tt_nccl_xml_value (xml, element, "dev");

      if (!is_named (element, "gpu") && !is_named (element, "net"))
        continue;
      g_string_append_printf (text, "%s%s %s", text->len > 0 ? " -> " : "", element->name, dev == NULL ? "?" : dev);
      if (dev == NULL)
        g_ptr_array_add (problems, g_strdup_printf ("line %u: <%s> without dev", element->line, element->name));
      else if (is_named (element, "gpu") && !g_hash_table_add (seen, (gpointer) dev))
        g_ptr_array_add (problems,
                         g_strdup_printf ("line %u: gpu %s is twice in channel %u of graph %s", element->line, dev,
                                          channel->number, tt_nccl_xml_value (xml, channel->graph, "id")));
    }
  return g_string_free (text, FALSE);
}

static void
check_counts (const TtNcclXml *xml, const GArray *channels, GPtrArray *problems)
{
  for (guint i = 0; i < xml->elements->len; i++)
    {
      const TtNcclXmlElement *graph = tt_nccl_xml_element (xml, i);
      gint64 wanted = is_named (graph, "graph") && graph->depth == 0 ? number_of (xml, graph, "nchannels", -1) : -1;
      gint64 n = 0;

      for (guint k = 0; k < channels->len && wanted >= 0; k++)
        n += g_array_index (channels, Channel, k).graph == graph;
      if (wanted >= 0 && n != wanted)
        g_ptr_array_add (problems, g_strdup_printf ("line %u: the graph has %" G_GINT64_FORMAT
                                                    " channels and says %" G_GINT64_FORMAT,
                                                    graph->line, n, wanted));
    }
}

typedef struct
{
  const TtNcclXml *xml;
  GPtrArray *problems; /* gets what is wrong with a row */
} ChannelContext;

typedef enum
{
  CHANNEL_GRAPH,
  CHANNEL_TYPE_INTRA,
  CHANNEL_SPEED_INTRA,
  CHANNEL_TYPE_INTER,
  CHANNEL_SPEED_INTER,
} GraphAttribute;

static TtReportCell
graph_attribute (const TtReportField *self, const void *row, const void *context)
{
  static const char *const names[] = {
    [CHANNEL_GRAPH] = "id",
    [CHANNEL_TYPE_INTRA] = "typeintra",
    [CHANNEL_SPEED_INTRA] = "speedintra",
    [CHANNEL_TYPE_INTER] = "typeinter",
    [CHANNEL_SPEED_INTER] = "speedinter",
  };

  return tt_cell_text (
      tt_nccl_xml_value (((const ChannelContext *) context)->xml, ((const Channel *) row)->graph, names[self->id]));
}

static TtReportCell
channel_pattern (const TtReportField *self, const void *row, const void *context)
{
  char buffer[32];
  gint64 pattern = number_of (((const ChannelContext *) context)->xml, ((const Channel *) row)->graph, "pattern", 0);

  return tt_cell_take (g_strdup (pattern_text (pattern, buffer)));
}

static TtReportCell
channel_number (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_int (((const Channel *) row)->number);
}

static TtReportCell
channel_order (const TtReportField *self, const void *row, const void *context)
{
  const ChannelContext *table = context;

  return tt_cell_take (describe_order (table->xml, row, table->problems));
}

static const TtReportField channel_fields[] = {
  { TT_COLUMN_WORD, "Graph", "graph", graph_attribute, CHANNEL_GRAPH },
  { TT_COLUMN_WORD, "Pattern", "pattern", channel_pattern },
  { TT_COLUMN_COUNT, "Channel", "channel", channel_number },
  { TT_COLUMN_WORD, "Intra", "type_intra", graph_attribute, CHANNEL_TYPE_INTRA },
  { TT_COLUMN_WORD, "GB/s", "speed_intra", graph_attribute, CHANNEL_SPEED_INTRA },
  { TT_COLUMN_WORD, "Inter", "type_inter", graph_attribute, CHANNEL_TYPE_INTER },
  { TT_COLUMN_WORD, "GB/s", "speed_inter", graph_attribute, CHANNEL_SPEED_INTER },
  { TT_COLUMN_TEXT, "Order", "order", channel_order },
};

TtReport *
tt_nccl_xml_channel_table (const TtNcclXml *xml, GPtrArray *problems, const TtReportView *view)
{
  const ChannelContext context = { xml, problems };
  TtReport *report = tt_report_of_fields (channel_fields, G_N_ELEMENTS (channel_fields), view, &context);
  g_autoptr (GArray) channels = find_channels (xml);

  tt_report_limit (report, view);
  for (guint i = 0; i < channels->len; i++)
    tt_report_row (report, &g_array_index (channels, Channel, i));
  check_counts (xml, channels, problems);
  return report;
}

/* The GPUs of a channel, in order, as numbers; what is no number is left out. */
static GArray *
gpus_of (const TtNcclXml *xml, const Channel *channel)
{
  GArray *gpus = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = channel->first; i < channel->last; i++)
    {
      const TtNcclXmlElement *element = tt_nccl_xml_element (xml, i);
      gint64 dev = is_named (element, "gpu") ? number_of (xml, element, "dev", -1) : -1;
      if (dev >= 0)
        g_array_append_val (gpus, dev);
    }
  return gpus;
}

/* In a ring the last sends to the first; in a tree each is the parent of the next on its machine. */
static char *
connections_text (const GArray *gpus, const Channel *channel, gboolean is_ring)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < gpus->len; i++)
    {
      gint64 own = g_array_index (gpus, gint64, i);
      gint64 before = i > 0 ? g_array_index (gpus, gint64, i - 1) : -1;
      gint64 after = i + 1 < gpus->len ? g_array_index (gpus, gint64, i + 1) : -1;

#define N G_GINT64_FORMAT
      if (is_ring)
        g_string_append_printf (text, "%s%" N " -> %" N, i > 0 ? "," : "", own,
                                after < 0 ? g_array_index (gpus, gint64, 0) : after);
      else
        g_string_append_printf (text, "[%u] %" N "/-1/-1->%" N "->%" N "|%" N "->%" N "->%" N "/-1/-1 ",
                                channel->number, after, own, before, before, own, after);
#undef N
    }
  return g_string_free (text, FALSE);
}

TtNccl *
tt_nccl_xml_connections (const TtNcclXml *xml, GPtrArray *problems)
{
  TtNccl *nccl = tt_nccl_new ();
  g_autoptr (GArray) channels = find_channels (xml);
  const TtNcclXmlElement *chosen[2] = { NULL, NULL }; /* tree, ring */

  for (guint i = 0; i < channels->len; i++)
    {
      const Channel *channel = &g_array_index (channels, Channel, i);
      gint64 pattern = number_of (xml, channel->graph, "pattern", 0);
      gboolean is_ring = pattern == PATTERN_RING;

      if (!is_ring && (pattern < PATTERN_BALANCED_TREE || pattern > PATTERN_TREE))
        continue;
      if (chosen[is_ring] == NULL)
        chosen[is_ring] = channel->graph;
      if (chosen[is_ring] != channel->graph)
        continue;
      g_autoptr (GArray) gpus = gpus_of (xml, channel);
      g_autofree char *text = connections_text (gpus, channel, is_ring);
      g_autoptr (GError) error = NULL;
      gint own;
      gboolean is_good = is_ring ? tt_nccl_add_ring (nccl, TT_NCCL_RING, channel->number, text, &own, &error)
                                 : tt_nccl_add_tree (nccl, text, &own, &error);
      if (!is_good)
        g_ptr_array_add (problems, g_strdup (error->message));
    }
  tt_nccl_join (nccl);
  for (guint i = 0; i < tt_nccl_problems (nccl)->len; i++)
    g_ptr_array_add (problems, g_strdup (tt_nccl_problems (nccl)->pdata[i]));
  return nccl;
}

/* -- topologies --------------------------------------------------------------------------------------------- */

/* What a PCI class stands for; NULL: nothing that matters here. */
static const char *
class_text (const char *class)
{
  static const struct
  {
    const char *prefix, *text;
  } known[] = {
    { "0x0302", "GPU" },     { "0x0300", "GPU" },        { "0x0207", "InfiniBand" },
    { "0x0200", "network" }, { "0x0604", "PCI bridge" }, { "0x0680", "NVSwitch" },
  };

  for (guint i = 0; class != NULL && i < G_N_ELEMENTS (known); i++)
    if (g_str_has_prefix (class, known[i].prefix))
      return known[i].text;
  return NULL;
}

/* The attribute that tells an element from its like. */
static const char *
name_of (const TtNcclXml *xml, const TtNcclXmlElement *element)
{
  static const char *const keys[] = { "busid", "numaid", "name", "dev", "target", "id" };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      const char *value = tt_nccl_xml_value (xml, element, keys[i]);
      if (value != NULL)
        return value;
    }
  return NULL;
}

/* Speed and width of a PCI device's link, the number of NVLinks, the speed of a network. Free it. */
static char *
link_text (const TtNcclXml *xml, const TtNcclXmlElement *element)
{
  const char *speed = tt_nccl_xml_value (xml, element, "link_speed"),
             *width = tt_nccl_xml_value (xml, element, "link_width");
  const char *count = tt_nccl_xml_value (xml, element, "count"), *net = tt_nccl_xml_value (xml, element, "speed");

  if (speed != NULL && *speed != '\0')
    return g_strdup_printf ("%s%s%s", speed, width == NULL ? "" : " x", width == NULL ? "" : width);
  if (is_named (element, "nvlink") && count != NULL)
    return g_strdup_printf ("%s links", count);
  return is_named (element, "net") && net != NULL ? g_strdup_printf ("%s Mbit/s", net) : NULL;
}

/* @context: the TtNcclXml. */
static TtReportCell
element_depth (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_int (((const TtNcclXmlElement *) row)->depth);
}

static TtReportCell
element_kind (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (((const TtNcclXmlElement *) row)->name);
}

static TtReportCell
element_name (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (name_of (context, row));
}

static TtReportCell
element_indented (const TtReportField *self, const void *row, const void *context)
{
  const TtNcclXmlElement *element = row;
  const char *name = name_of (context, element);

  return tt_cell_take (g_strdup_printf ("%*s%s%s%s", (int) element->depth * 2, "", element->name,
                                        name == NULL ? "" : " ", name == NULL ? "" : name));
}

static TtReportCell
element_class (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (class_text (tt_nccl_xml_value (context, row, "class")));
}

static TtReportCell
element_rank (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (tt_nccl_xml_value (context, row, "rank"));
}

static TtReportCell
element_link (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_take (link_text (context, row));
}

static const TtReportField element_fields[] = {
  { TT_COLUMN_COUNT, "Depth", "depth", element_depth, .reader = TT_READER_PROGRAMS },
  { TT_COLUMN_TEXT, "Element", "element", element_indented, .reader = TT_READER_PEOPLE },
  { TT_COLUMN_TEXT, "Element", "element", element_kind, .reader = TT_READER_PROGRAMS },
  { TT_COLUMN_TEXT, "Name", "name", element_name, .reader = TT_READER_PROGRAMS },
  { TT_COLUMN_WORD, "Is", "is", element_class },
  { TT_COLUMN_WORD, "Rank", "rank", element_rank },
  { TT_COLUMN_TEXT, "Link", "link", element_link },
};

TtReport *
tt_nccl_xml_topology_table (const TtNcclXml *xml, const TtReportView *view)
{
  TtReport *report = tt_report_of_fields (element_fields, G_N_ELEMENTS (element_fields), view, xml);

  tt_report_limit (report, view);
  for (guint i = 0; i < xml->elements->len; i++)
    tt_report_row (report, tt_nccl_xml_element (xml, i));
  return report;
}
