/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/dot/nccl-dot.h"

#include <string.h>

#include "formats/dot/dot.h"

/* -- channels that are connected alike ---------------------------------------------------------------- */

/* Links [first, last) of one (algo, channel), and the other channels with the same. */
typedef struct
{
  guint first, last;
  GString *channels; /* "0, 1" */
} Part;

static const TtNcclLink *
link_at (const TtNcclPicture *self, guint i)
{
  return &g_array_index (tt_nccl_links (self->nccl), TtNcclLink, i);
}

static gboolean
is_alike (const TtNcclPicture *self, const Part *part, guint first, guint last)
{
  if (link_at (self, part->first)->algo != link_at (self, first)->algo || part->last - part->first != last - first)
    return FALSE;
  for (guint i = 0; i < last - first; i++)
    {
      const TtNcclLink *a = link_at (self, part->first + i), *b = link_at (self, first + i);
      if (a->from != b->from || a->to != b->to || g_strcmp0 (a->transport, b->transport) != 0)
        return FALSE;
    }
  return TRUE;
}

static void
clear_part (gpointer part)
{
  g_string_free (((Part *) part)->channels, TRUE);
}

static void
add_part (const TtNcclPicture *self, GArray *parts, guint first, guint last)
{
  guint channel = link_at (self, first)->channel;

  for (guint i = 0; i < parts->len; i++)
    {
      Part *part = &g_array_index (parts, Part, i);
      if (is_alike (self, part, first, last))
        {
          g_string_append_printf (part->channels, ", %u", channel);
          return;
        }
    }
  Part part = { first, last, g_string_new (NULL) };
  g_string_append_printf (part.channels, "%u", channel);
  g_array_append_val (parts, part);
}

/* Connections that are only possible are drawn where no ring is known. */
static GArray *
find_parts (const TtNcclPicture *self)
{
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (Part));
  guint n = tt_nccl_links (self->nccl)->len;
  gboolean has_ring = tt_nccl_n_channels (self->nccl, TT_NCCL_RING) > 0;

  g_array_set_clear_func (parts, clear_part);
  for (guint first = 0, last; first < n; first = last)
    {
      const TtNcclLink *link = link_at (self, first);
      for (last = first + 1; last < n; last++)
        if (link_at (self, last)->algo != link->algo || link_at (self, last)->channel != link->channel)
          break;
      if (link->algo != TT_NCCL_RING_POSSIBLE || !has_ring)
        add_part (self, parts, first, last);
    }
  return parts;
}

/* -- colours ------------------------------------------------------------------------------------------------ */

static const char *
colour_of (const char *transport)
{
  static const struct
  {
    const char *prefix, *colour;
  } known[] = {
    { "NET/IB", "#d95f02" }, { "NET", "#e6550d" }, { "P2P", "#1b9e77" }, { "direct shared memory", "#3182bd" },
    { "SHM", "#3182bd" },
  };

  for (guint i = 0; transport != NULL && i < G_N_ELEMENTS (known); i++)
    if (g_ascii_strncasecmp (transport, known[i].prefix, strlen (known[i].prefix)) == 0)
      return known[i].colour;
  return transport == NULL ? "#555555" : "#7570b3";
}

/* -- DOT ---------------------------------------------------------------------------------------------------- */

static const char *
pid_of (const TtNcclPicture *self, guint rank)
{
  return rank < self->n_ranks ? self->pids[rank] : NULL;
}

/* NULL: not known. Free it. */
static char *
host_of (const char *pid)
{
  const char *dot = pid == NULL ? NULL : strchr (pid, '.');

  return dot == NULL ? NULL : g_strndup (pid, (gsize) (dot - pid));
}

static GArray *
ranks_of (const TtNcclPicture *self, const Part *part)
{
  return tt_nccl_ranks (self->nccl, link_at (self, part->first)->algo, link_at (self, part->first)->channel);
}

static void
write_rank (const TtNcclPicture *self, guint number, guint rank, const char *indent, TtOutput *out)
{
  g_autoptr (GString) text = g_string_new (indent);
  const char *pid = pid_of (self, rank);
  g_autofree char *label = g_strdup_printf ("%u%s%s", rank, pid == NULL ? "" : "  ", pid == NULL ? "" : pid);

  g_string_append_printf (text, "n%u_%u [label=", number, rank);
  tt_dot_quote (text, label, TRUE);
  g_string_append (text, "];\n");
  tt_output_bytes (out, text->str, text->len);
}

/* One cluster a host, in the order of their lowest ranks. */
static void
write_hosts (const TtNcclPicture *self, guint number, const GArray *ranks, TtOutput *out)
{
  g_autoptr (GHashTable) lists =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_array_unref);
  g_autoptr (GPtrArray) hosts = g_ptr_array_new ();

  for (guint i = 0; i < ranks->len; i++)
    {
      guint rank = g_array_index (ranks, guint, i);
      char *host = host_of (pid_of (self, rank));
      GArray *list = host == NULL ? NULL : g_hash_table_lookup (lists, host);

      if (host == NULL)
        {
          write_rank (self, number, rank, "    ", out);
          continue;
        }
      if (list == NULL)
        {
          list = g_array_new (FALSE, FALSE, sizeof (guint));
          g_hash_table_insert (lists, host, list);
          g_ptr_array_add (hosts, host);
        }
      else
        g_free (host);
      g_array_append_val (list, rank);
    }
  for (guint i = 0; i < hosts->len; i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      const GArray *list = g_hash_table_lookup (lists, hosts->pdata[i]);

      g_string_append_printf (text, "    subgraph cluster_%u_%u {\n      label=", number, i);
      tt_dot_quote (text, hosts->pdata[i], TRUE);
      g_string_append (text, ";\n      style=\"filled,rounded\";\n      color=\"#eeeeee\";\n");
      tt_output_bytes (out, text->str, text->len);
      for (guint k = 0; k < list->len; k++)
        write_rank (self, number, g_array_index (list, guint, k), "      ", out);
      tt_output_literal (out, "    }\n");
    }
}

static void
write_link (const TtNcclLink *link, guint number, TtOutput *out)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean is_tree = link->algo == TT_NCCL_TREE;

  g_string_append_printf (text, "    n%u_%d -> n%u_%d [color=\"%s\"", number, is_tree ? link->to : link->from, number,
                          is_tree ? link->from : link->to, colour_of (link->transport));
  if (link->algo == TT_NCCL_RING_POSSIBLE)
    g_string_append (text, ", style=dashed");
  if (link->transport != NULL)
    {
      g_string_append (text, ", label=");
      tt_dot_quote (text, link->transport, TRUE);
    }
  g_string_append (text, "];\n");
  tt_output_bytes (out, text->str, text->len);
}

static void
write_part (const TtNcclPicture *self, guint number, const Part *part, TtOutput *out)
{
  g_autoptr (GArray) ranks = ranks_of (self, part);
  g_autoptr (GString) text = g_string_new (NULL);
  TtNcclAlgo algo = link_at (self, part->first)->algo;
  g_autofree char *label = g_strdup_printf ("%s, channel%s %s",
                                            algo == TT_NCCL_RING   ? "ring"
                                            : algo == TT_NCCL_TREE ? "tree"
                                                                   : "possible connections",
                                            strchr (part->channels->str, ',') == NULL ? "" : "s", part->channels->str);

  g_string_append_printf (text, "  subgraph cluster_%u {\n    label=", number);
  tt_dot_quote (text, label, TRUE);
  g_string_append (text, ";\n    color=\"#606060\";\n");
  tt_output_bytes (out, text->str, text->len);
  write_hosts (self, number, ranks, out);
  for (guint i = part->first; i < part->last; i++)
    write_link (link_at (self, i), number, out);
  tt_output_literal (out, "  }\n");
}

void
tt_nccl_dot_write (const TtNcclPicture *self, TtOutput *out)
{
  g_autoptr (GArray) parts = find_parts (self);

  tt_output_literal (out, "digraph nccl {\n"
                          "  charset=\"UTF-8\";\n"
                          "  fontname=\"Helvetica\";\n"
                          "  fontsize=11;\n"
                          "  node [shape=box, style=\"filled,rounded\", color=\"#606060\", fillcolor=\"#ffffff\", "
                          "fontname=\"Helvetica\", fontsize=10];\n"
                          "  edge [fontname=\"Helvetica\", fontsize=8, fontcolor=\"#555555\", arrowsize=0.7];\n");
  for (guint i = 0; i < parts->len; i++)
    write_part (self, i, &g_array_index (parts, Part, i), out);
  tt_output_literal (out, "}\n");
}

char *
tt_nccl_picture_size (const TtNcclPicture *self)
{
  g_autoptr (GArray) parts = find_parts (self);
  guint n_nodes = 0, n_edges = 0;

  for (guint i = 0; i < parts->len; i++)
    {
      const Part *part = &g_array_index (parts, Part, i);
      g_autoptr (GArray) ranks = ranks_of (self, part);
      n_nodes += ranks->len;
      n_edges += part->last - part->first;
    }
  return g_strdup_printf ("%u node%s and %u edge%s", n_nodes, n_nodes == 1 ? "" : "s", n_edges,
                          n_edges == 1 ? "" : "s");
}

/* -- JSON --------------------------------------------------------------------------------------------------- */

static void
write_text (TtOutput *out, const char *key, const char *text)
{
  tt_output_text (out, key);
  if (text == NULL)
    tt_output_literal (out, "null");
  else
    tt_output_json_string (out, text);
}

void
tt_nccl_json_write (const TtNcclPicture *self, const GPtrArray *problems, TtOutput *out)
{
  const GArray *links = tt_nccl_links (self->nccl);
  g_autoptr (GArray) ranks = tt_nccl_all_ranks (self->nccl);
  char number[96];

  tt_output_literal (out, "{\"ranks\":[");
  for (guint i = 0; i < ranks->len; i++)
    {
      guint rank = g_array_index (ranks, guint, i);
      g_autofree char *host = host_of (pid_of (self, rank));
      g_snprintf (number, sizeof number, "%s\n{\"rank\":%u", i == 0 ? "" : ",", rank);
      tt_output_text (out, number);
      write_text (out, ",\"pid\":", pid_of (self, rank));
      write_text (out, ",\"host\":", host);
      tt_output_literal (out, "}");
    }
  tt_output_literal (out, "],\n\"links\":[");
  for (guint i = 0; i < links->len; i++)
    {
      const TtNcclLink *link = link_at (self, i);
      g_snprintf (number, sizeof number, "%s\n{\"algo\":\"%s\",\"channel\":%u,\"from\":%d,\"to\":%d", i == 0 ? "" : ",",
                  tt_nccl_algo_text (link->algo), link->channel, link->from, link->to);
      tt_output_text (out, number);
      write_text (out, ",\"transport\":", link->transport);
      tt_output_literal (out, "}");
    }
  tt_output_literal (out, "],\n\"problems\":[");
  for (guint i = 0; i < problems->len; i++)
    write_text (out, i == 0 ? "\n" : ",\n", problems->pdata[i]);
  tt_output_literal (out, "]}\n");
}
