/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/model/gml.h"

#include "src/base/error.h"

#include <string.h>

#define BUFFER ((gsize) 1 << 16)
/* A name longer than this is none. */
#define LONGEST_TOKEN ((gsize) 1 << 20)
/* More attributes of one node are passed over. */
#define MOST_ATTRIBUTES 64

typedef enum
{
  TOKEN_END,
  TOKEN_WORD, /* a key or a number */
  TOKEN_STRING,
  TOKEN_OPEN,
  TOKEN_CLOSE,
  TOKEN_FAILED,
} Token;

typedef struct
{
  gint64 from, to;
  guint64 offset;
} PendingEdge;

typedef enum
{
  ROW_NONE,
  ROW_NODE,
  ROW_EDGE,
} RowKind;

/* The node or edge that is being read. */
typedef struct
{
  RowKind kind;
  guint64 offset;
  gint64 number[2]; /* id; or source and target */
  gboolean has[2];
  gboolean has_label;
} Row;

typedef struct
{
  TtInput *input;
  TtRepairs *repairs;
  GError **error;
  TtLocalGraph *graph;
  GHashTable *nodes; /* id of the file (gint64 *) -> node + 1 */
  GArray *edges;     /* of PendingEdge: nodes may come after them */
  GString *text, *key, *label;
  guint64 offset; /* of the next byte */
  guint64 token_offset;
  guint64 depth; /* of open lists */
  Row row;
  TtGmlAttributeFunc func; /* NULL: nobody wants attributes */
  gpointer data;
  GPtrArray *attributes; /* of the node that is being read: key, value, key ...; owned */
  gsize at, len;
  guint8 buffer[BUFFER];
} Reader;

/* With a factor that nobody can know who writes the file. */
static guint
hash_id (gconstpointer id)
{
  static guint64 factor;

  if (g_once_init_enter (&factor))
    g_once_init_leave (&factor, (guint64) g_random_int () << 32 | g_random_int () | 1);
  return (guint) (*(const guint64 *) id * factor >> 32);
}

static gboolean
fail (Reader *self, guint64 offset, const char *text)
{
  g_set_error (self->error, TT_ERROR, TT_ERROR_FORMAT, "%s: byte %" G_GUINT64_FORMAT ": %s",
               tt_input_path (self->input), offset, text);
  return FALSE;
}

/* -- tokens ------------------------------------------------------------------------------------------ */

/* -1: the end; -2: *error. */
static int
peek_byte (Reader *self)
{
  if (self->at == self->len)
    {
      gssize n = tt_input_read (self->input, self->buffer, BUFFER, self->error);
      if (n <= 0)
        return n == 0 ? -1 : -2;
      self->at = 0;
      self->len = (gsize) n;
    }
  return self->buffer[self->at];
}

static void
pass_byte (Reader *self)
{
  self->at++;
  self->offset++;
}

static int
skip_blanks (Reader *self)
{
  gboolean is_comment = FALSE;
  int c;

  while ((c = peek_byte (self)) >= 0)
    {
      if (c == '#')
        is_comment = TRUE;
      else if (c == '\n' || c == '\r')
        is_comment = FALSE;
      else if (!is_comment && c != '\0' && !g_ascii_isspace (c))
        break;
      pass_byte (self);
    }
  return c;
}

static Token
take_string (Reader *self)
{
  int c;

  pass_byte (self);
  while ((c = peek_byte (self)) >= 0 && c != '"')
    {
      if (self->text->len >= LONGEST_TOKEN)
        {
          fail (self, self->token_offset, "a text of more than 1 MiB");
          return TOKEN_FAILED;
        }
      g_string_append_c (self->text, (char) c);
      pass_byte (self);
    }
  if (c == -2)
    return TOKEN_FAILED;
  if (c == '"')
    pass_byte (self);
  else
    tt_repairs_add (self->repairs, TT_REPAIR_GRAPH_CUT, self->offset);
  return TOKEN_STRING;
}

static Token
take_word (Reader *self)
{
  int c;

  while ((c = peek_byte (self)) >= 0 && !g_ascii_isspace (c) && strchr ("[]\"#", c) == NULL)
    {
      if (self->text->len >= 256)
        {
          fail (self, self->token_offset, "not GML: a word of more than 256 bytes");
          return TOKEN_FAILED;
        }
      g_string_append_c (self->text, (char) c);
      pass_byte (self);
      if (c == '\0')
        {
          fail (self, self->token_offset, "not GML: a NUL byte");
          return TOKEN_FAILED;
        }
    }
  return c == -2 ? TOKEN_FAILED : TOKEN_WORD;
}

static Token
next_token (Reader *self)
{
  int c = skip_blanks (self);

  g_string_truncate (self->text, 0);
  self->token_offset = self->offset;
  if (c < 0)
    return c == -1 ? TOKEN_END : TOKEN_FAILED;
  if (c == '[' || c == ']')
    {
      pass_byte (self);
      return c == '[' ? TOKEN_OPEN : TOKEN_CLOSE;
    }
  return c == '"' ? take_string (self) : take_word (self);
}

/* -- texts ----------------------------------------------------------------------------------------------- */

/* The character of "&quot;" or "&#34;" at @text; 0: it is none. *len: bytes of it. */
static gunichar
entity (const char *text, gsize *len)
{
  static const struct
  {
    const char *name;
    gunichar c;
  } known[] = { { "&quot;", '"' }, { "&amp;", '&' }, { "&lt;", '<' }, { "&gt;", '>' }, { "&apos;", '\'' } };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_str_has_prefix (text, known[i].name))
      {
        *len = strlen (known[i].name);
        return known[i].c;
      }
  if (text[1] != '#')
    return 0;
  gboolean is_hex = text[2] == 'x';
  char *end;
  guint64 c = g_ascii_strtoull (text + (is_hex ? 3 : 2), &end, is_hex ? 16 : 10);
  *len = (gsize) (end - text) + 1;
  return *end == ';' && c > 0 && c <= 0x10ffff && g_unichar_validate ((gunichar) c) ? (gunichar) c : 0;
}

static void
set_label (Reader *self)
{
  const char *p = self->text->str;

  g_string_truncate (self->label, 0);
  while (*p != '\0')
    {
      gsize len = 1;
      gunichar c = *p == '&' ? entity (p, &len) : 0;
      if (c != 0)
        g_string_append_unichar (self->label, c);
      else
        g_string_append_c (self->label, *p);
      p += c != 0 ? len : 1;
    }
  if (!g_utf8_validate_len (self->text->str, self->text->len, NULL))
    {
      g_autofree char *valid = g_utf8_make_valid (self->label->str, -1);
      g_string_assign (self->label, valid);
      tt_repairs_add (self->repairs, TT_REPAIR_BAD_UTF8, self->token_offset);
    }
  self->row.has_label = TRUE;
}

static gboolean
read_number (const char *text, gint64 *number)
{
  if (g_ascii_string_to_signed (text, 10, G_MININT64, G_MAXINT64, number, NULL))
    return TRUE;
  /* Some writers have "3.0". */
  const char *dot = strchr (text, '.');
  if (dot == NULL || dot[strspn (dot + 1, "0") + 1] != '\0')
    return FALSE;
  g_autofree char *whole = g_strndup (text, (gsize) (dot - text));
  return g_ascii_string_to_signed (whole, 10, G_MININT64, G_MAXINT64, number, NULL);
}

/* -- rows --------------------------------------------------------------------------------------------- */

static void
set_number (Reader *self, guint which)
{
  self->row.has[which] = read_number (self->text->str, &self->row.number[which]);
}

/* A value of the innermost node or edge. */
static void
take_value (Reader *self, Token token)
{
  const char *key = self->key->str;

  if (self->row.kind == ROW_NODE && g_str_equal (key, "id"))
    set_number (self, 0);
  else if (self->row.kind == ROW_NODE && g_str_equal (key, "label") && (token == TOKEN_STRING || !self->row.has_label))
    set_label (self);
  else if (self->row.kind == ROW_NODE && self->func != NULL && self->attributes->len < 2 * MOST_ATTRIBUTES)
    {
      g_ptr_array_add (self->attributes, g_strdup (key));
      g_ptr_array_add (self->attributes, g_strdup (self->text->str));
    }
  else if (self->row.kind == ROW_EDGE && g_str_equal (key, "source"))
    set_number (self, 0);
  else if (self->row.kind == ROW_EDGE && g_str_equal (key, "target"))
    set_number (self, 1);
}

static gboolean
add_node (Reader *self)
{
  const Row *row = &self->row;

  if (!row->has[0] || !row->has_label || self->label->len == 0 || g_hash_table_contains (self->nodes, &row->number[0]))
    {
      tt_repairs_add (self->repairs, TT_REPAIR_GRAPH_ROW, row->offset);
      return TRUE;
    }
  guint n = tt_local_graph_n_nodes (self->graph);
  guint32 node = tt_local_graph_node (self->graph, self->label->str);
  if (node < n)
    tt_repairs_add (self->repairs, TT_REPAIR_GRAPH_NAME, row->offset);
  if (g_hash_table_size (self->nodes) >= TT_LOCAL_GRAPH_MOST_NODES)
    return fail (self, row->offset, "a graph of more than 2 million nodes");
  g_hash_table_insert (self->nodes, g_memdup2 (&row->number[0], sizeof (gint64)), GUINT_TO_POINTER (node + 1));
  for (guint i = 0; i + 1 < self->attributes->len; i += 2)
    self->func (self->attributes->pdata[i], self->attributes->pdata[i + 1], node, self->data);
  return TRUE;
}

static gboolean
add_edge (Reader *self)
{
  const Row *row = &self->row;
  const PendingEdge edge = { .from = row->number[0], .to = row->number[1], .offset = row->offset };

  if (!row->has[0] || !row->has[1])
    {
      tt_repairs_add (self->repairs, TT_REPAIR_GRAPH_ROW, row->offset);
      return TRUE;
    }
  if (self->edges->len >= TT_LOCAL_GRAPH_MOST_EDGES)
    return fail (self, row->offset, "a graph of more than 8 million edges");
  g_array_append_val (self->edges, edge);
  return TRUE;
}

static gboolean
end_row (Reader *self)
{
  gboolean is_good = self->row.kind == ROW_NODE ? add_node (self) : add_edge (self);

  self->row.kind = ROW_NONE;
  return is_good;
}

static void
open_list (Reader *self)
{
  gboolean is_node = g_str_equal (self->key->str, "node"), is_edge = g_str_equal (self->key->str, "edge");

  if (self->depth == 1 && (is_node || is_edge))
    {
      self->row = (Row){ .kind = is_node ? ROW_NODE : ROW_EDGE, .offset = self->token_offset };
      g_ptr_array_set_size (self->attributes, 0);
    }
  self->depth++;
  g_string_truncate (self->key, 0);
}

static gboolean
close_list (Reader *self)
{
  g_string_truncate (self->key, 0);
  if (self->depth == 0)
    return fail (self, self->token_offset, "not GML: a ']' without its '['");
  self->depth--;
  return self->depth != 1 || self->row.kind == ROW_NONE || end_row (self);
}

/* A word is the key of what follows, or a value of the key before it. */
static gboolean
take_token (Reader *self, Token token)
{
  switch (token)
    {
    case TOKEN_OPEN:
      if (self->key->len == 0)
        return fail (self, self->token_offset, "not GML: a '[' without a key");
      open_list (self);
      return TRUE;
    case TOKEN_CLOSE:
      return close_list (self);
    default:
      if (self->key->len > 0)
        {
          if (self->depth == 2)
            take_value (self, token);
          g_string_truncate (self->key, 0);
          return TRUE;
        }
      if (token == TOKEN_STRING || !g_ascii_isalpha (self->text->str[0]))
        return fail (self, self->token_offset, "not GML: a value without a key");
      g_string_assign (self->key, self->text->str);
      return TRUE;
    }
}

static gboolean
read_all (Reader *self)
{
  gboolean is_graph = FALSE;
  Token token;

  while ((token = next_token (self)) != TOKEN_END)
    {
      if (token == TOKEN_FAILED || !take_token (self, token))
        return FALSE;
      is_graph |= self->depth > 0;
    }
  if (!is_graph)
    return fail (self, self->offset, self->offset == 0 ? "the file is empty" : "not GML: there is no 'graph ['");
  if (self->depth > 0)
    tt_repairs_add (self->repairs, TT_REPAIR_GRAPH_CUT, self->offset);
  return TRUE;
}

static void
resolve_edges (Reader *self)
{
  for (guint i = 0; i < self->edges->len; i++)
    {
      const PendingEdge *edge = &g_array_index (self->edges, PendingEdge, i);
      guint from = GPOINTER_TO_UINT (g_hash_table_lookup (self->nodes, &edge->from));
      guint to = GPOINTER_TO_UINT (g_hash_table_lookup (self->nodes, &edge->to));

      if (from == 0 || to == 0)
        tt_repairs_add (self->repairs, TT_REPAIR_GRAPH_ROW, edge->offset);
      else
        tt_local_graph_edge (self->graph, from - 1, to - 1);
    }
}

TtLocalGraph *
tt_gml_read (TtInput *input, TtRepairs *repairs, GError **error)
{
  return tt_gml_read_with (input, repairs, NULL, NULL, error);
}

TtLocalGraph *
tt_gml_read_with (TtInput *input, TtRepairs *repairs, TtGmlAttributeFunc func, gpointer data, GError **error)
{
  g_autoptr (TtLocalGraph) graph = tt_local_graph_new ();
  g_autoptr (GHashTable) nodes = g_hash_table_new_full (hash_id, g_int64_equal, g_free, NULL);
  g_autoptr (GArray) edges = g_array_new (FALSE, FALSE, sizeof (PendingEdge));
  g_autofree Reader *self = g_new0 (Reader, 1);

  self->input = input;
  self->repairs = repairs;
  self->error = error;
  self->graph = graph;
  self->func = func;
  self->data = data;
  self->attributes = g_ptr_array_new_with_free_func (g_free);
  self->nodes = nodes;
  self->edges = edges;
  self->text = g_string_new (NULL);
  self->key = g_string_new (NULL);
  self->label = g_string_new (NULL);
  gboolean is_good = read_all (self);
  if (is_good)
    {
      resolve_edges (self);
      tt_local_graph_seal (graph);
    }
  g_ptr_array_unref (self->attributes);
  g_string_free (self->text, TRUE);
  g_string_free (self->key, TRUE);
  g_string_free (self->label, TRUE);
  return is_good ? g_steal_pointer (&graph) : NULL;
}
