/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the texts of nccl_rank_graph.json (nccl.h). */
#include "config.h"

#include "graphs/nccl/links.h"

#include "src/base/error.h"

#include <string.h>

/* Larger numbers are refused. */
#define MAX_RANK (1 << 20)
#define MAX_CHANNEL 4096

static gboolean
fail (const char *what, const char *text, GError **error)
{
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: '%.*s'", what, (int) MIN (strlen (text), 60), text);
  return FALSE;
}

/* A decimal number at *at, which moves after it. */
static gboolean
read_number (const char **at, gint64 lowest, gint64 highest, gint *number)
{
  char *end;
  gint64 value = g_ascii_strtoll (*at, &end, 10);

  if (end == *at || value < lowest || value > highest)
    return FALSE;
  *number = (gint) value;
  *at = end;
  return TRUE;
}

static gboolean
skip_word (const char **at, const char *word)
{
  gsize len = strlen (word);

  if (strncmp (*at, word, len) != 0)
    return FALSE;
  *at += len;
  return TRUE;
}

static void
add_link (TtNccl *self, GArray *links, TtNcclAlgo algo, guint channel, gint from, gint to, const char *transport)
{
  TtNcclLink link = { .algo = algo, .channel = channel, .from = from, .to = to };

  if (transport != NULL)
    link.transport = g_string_chunk_insert_const (self->transports, transport);
  g_array_append_val (links, link);
}

static void
add_links (TtNccl *self, GArray *links)
{
  for (guint i = 0; i < links->len; i++)
    {
      const TtNcclLink *link = &g_array_index (links, TtNcclLink, i);
      self->max_rank = MAX (self->max_rank, MAX (link->from, link->to));
    }
  g_array_append_vals (self->links, links->data, links->len);
}

/* "3[3000] -> 0[2000] [receive] via NET/Socket/0" */
static gboolean
read_connection (const char *text, gint *from, gint *to, gboolean *is_receive, char **transport)
{
  const char *at = text;

  at += strspn (at, " ");
  if (!read_number (&at, 0, MAX_RANK, from))
    return FALSE;
  const char *arrow = strstr (at, "->");
  if (arrow == NULL)
    return FALSE;
  at = arrow + 2 + strspn (arrow + 2, " ");
  if (!read_number (&at, 0, MAX_RANK, to))
    return FALSE;
  *is_receive = strstr (at, "[receive]") != NULL;
  const char *via = strstr (at, " via ");
  *transport = via == NULL ? NULL : g_strstrip (g_strdup (via + 5));
  return TRUE;
}

gboolean
tt_nccl_add_ring (TtNccl *self, TtNcclAlgo algo, guint channel, const char *text, gint *own, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);
  g_autoptr (GArray) links = g_array_new (FALSE, FALSE, sizeof (TtNcclLink));

  *own = TT_NCCL_NONE;
  if (channel > MAX_CHANNEL)
    return fail ("the ring's channel is too large", text, error);
  for (guint i = 0; parts[i] != NULL; i++)
    {
      g_autofree char *transport = NULL;
      gboolean is_receive;
      gint from, to;

      if (parts[i][strspn (parts[i], " ")] == '\0')
        continue;
      if (!read_connection (parts[i], &from, &to, &is_receive, &transport))
        return fail ("not a connection of a ring (RANK[bus] -> RANK[bus] via TRANSPORT)", parts[i], error);
      if (links->len == 0)
        *own = is_receive ? to : from;
      add_link (self, links, algo, channel, from, to, transport);
    }
  add_links (self, links);
  return TRUE;
}

/* "1/-1/-1": children, -1 for none. */
static gboolean
read_children (const char **at, gint children[TT_NCCL_CHILDREN])
{
  for (guint i = 0; i < TT_NCCL_CHILDREN; i++)
    if (!read_number (at, TT_NCCL_NONE, MAX_RANK, &children[i]) || (i + 1 < TT_NCCL_CHILDREN && !skip_word (at, "/")))
      return FALSE;
  return TRUE;
}

/* One channel: "[0] 1/-1/-1->0->-1|-1->0->1/-1/-1" */
static gboolean
read_tree (TtNccl *self, const char **at, GArray *links, gint *own)
{
  gint channel, me, parent, me_again, parent_again, children[TT_NCCL_CHILDREN], again[TT_NCCL_CHILDREN];

  *at += strspn (*at, " ");
  if (!skip_word (at, "[") || !read_number (at, 0, MAX_CHANNEL, &channel) || !skip_word (at, "]"))
    return FALSE;
  *at += strspn (*at, " ");
  if (!read_children (at, children) || !skip_word (at, "->") || !read_number (at, 0, MAX_RANK, &me) ||
      !skip_word (at, "->") || !read_number (at, TT_NCCL_NONE, MAX_RANK, &parent) || !skip_word (at, "|") ||
      !read_number (at, TT_NCCL_NONE, MAX_RANK, &parent_again) || !skip_word (at, "->") ||
      !read_number (at, 0, MAX_RANK, &me_again) || !skip_word (at, "->") || !read_children (at, again))
    return FALSE;
  if (me != me_again || parent != parent_again || memcmp (children, again, sizeof children) != 0)
    g_ptr_array_add (self->problems,
                     g_strdup_printf ("tree, channel %d: the way up and the way down of rank %d differ", channel, me));
  if (parent != TT_NCCL_NONE)
    add_link (self, links, TT_NCCL_TREE, (guint) channel, me, parent, NULL);
  for (guint i = 0; i < TT_NCCL_CHILDREN; i++)
    if (children[i] != TT_NCCL_NONE)
      add_link (self, links, TT_NCCL_TREE, (guint) channel, children[i], me, NULL);
  self->max_rank = MAX (self->max_rank, me);
  *own = me;
  return TRUE;
}

gboolean
tt_nccl_add_tree (TtNccl *self, const char *text, gint *own, GError **error)
{
  g_autoptr (GArray) links = g_array_new (FALSE, FALSE, sizeof (TtNcclLink));
  const char *at = text;

  *own = TT_NCCL_NONE;
  while (at[strspn (at, " ")] != '\0')
    {
      const char *begin = at;
      if (!read_tree (self, &at, links, own))
        return fail ("not a tree ([CHANNEL] CHILDREN->RANK->PARENT|PARENT->RANK->CHILDREN)", begin, error);
    }
  add_links (self, links);
  return TRUE;
}
