/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/import/args-tree.h"

#include "src/store/args-number.h"

#define BLOCK 16u
#define MAX_NODES 1024u
#define MAX_BYTES ((gsize) 128 << 10)
/* Nodes that may stand at one place, which are tried one by one. */
#define MAX_CHOICES 16u

/* A text up to a number, or to the end. */
typedef struct
{
  guint32 at, len;     /* in `bytes` */
  guint16 next, child; /* another that may stand here, the first that may follow; 0: none */
  char kind;           /* of the number after it, as in forms; '\0': it is the last */
  guint32 id;          /* of the form, if it is the last */
} Node;

struct _TtArgsTree
{
  guint n_nodes; /* the first stands before all texts */
  gsize n_bytes;
  Node nodes[MAX_NODES];
  char bytes[MAX_BYTES + BLOCK];
};

TtArgsTree *
tt_args_tree_new (void)
{
  TtArgsTree *self = g_new0 (TtArgsTree, 1);

  self->n_nodes = 1;
  return self;
}

void
tt_args_tree_free (TtArgsTree *self)
{
  g_free (self);
}

/* -- adding ------------------------------------------------------------------------------------------------- */

/* The next text of a form, from *at on, into @text; behind it what it is before. */
static gsize
take_text (const char **at, const char *end, char text[TT_ARGS_FORM_BYTES], char *kind)
{
  gsize len = 0;

  for (*kind = '\0'; *at < end && len < TT_ARGS_FORM_BYTES; ++*at)
    {
      if (**at == '%' && *at + 1 < end && *++*at != '%')
        {
          *kind = *(*at)++;
          break;
        }
      text[len++] = **at;
    }
  return len;
}

/* The node of @text after @before, which is made if need be; NULL: there is no room. */
static Node *
add_node (TtArgsTree *self, Node *before, const char *text, gsize len, char kind)
{
  guint16 *link = &before->child;
  guint n_choices = 0;

  for (; *link != 0; link = &self->nodes[*link].next, n_choices++)
    {
      Node *node = &self->nodes[*link];
      if (node->kind == kind && node->len == len && memcmp (self->bytes + node->at, text, len) == 0)
        return node;
    }
  if (n_choices == MAX_CHOICES || self->n_nodes == MAX_NODES || len > MAX_BYTES - self->n_bytes)
    return NULL;
  *link = (guint16) self->n_nodes;
  Node *node = &self->nodes[self->n_nodes++];
  *node = (Node){ .at = (guint32) self->n_bytes, .len = (guint32) len, .kind = kind };
  memcpy (self->bytes + self->n_bytes, text, len);
  self->n_bytes += len;
  return node;
}

void
tt_args_tree_add (TtArgsTree *self, const char *form, gsize len, guint32 id)
{
  const char *at = form, *end = form + len;
  Node *node = self->nodes;
  char text[TT_ARGS_FORM_BYTES], kind;

  do
    {
      const gsize n = take_text (&at, end, text, &kind);
      node = add_node (self, node, text, n, kind);
      if (node == NULL)
        return;
    }
  while (kind != '\0');
  node->id = id;
}

/* -- finding ------------------------------------------------------------------------------------------------ */

#ifdef __SSE2__
/* A bit for each of 16 bytes that are the same. */
static inline guint
compare_block (const char *known, const char *at)
{
  const __m128i x = _mm_loadu_si128 ((const __m128i *) (const void *) at);
  const __m128i y = _mm_loadu_si128 ((const __m128i *) (const void *) known);

  return (guint) _mm_movemask_epi8 (_mm_cmpeq_epi8 (x, y));
}
#endif

static inline gboolean
is_same (const char *known, const char *at, gsize len, const char *end)
{
  if ((gsize) (end - at) < len)
    return FALSE;
#ifdef __SSE2__
  if (len < BLOCK && end - at >= (gssize) BLOCK)
    return (~compare_block (known, at) & ((1u << len) - 1)) == 0;
  if (len >= BLOCK)
    {
      for (gsize i = 0; i + BLOCK < len; i += BLOCK)
        if (compare_block (known + i, at + i) != 0xffff)
          return FALSE;
      return compare_block (known + len - BLOCK, at + len - BLOCK) == 0xffff;
    }
#endif
  return memcmp (at, known, len) == 0;
}

/* The node after @before whose text is at *at, and the number after it; both are passed. NULL: there is none. */
static inline const Node *
pass_node (const TtArgsTree *self, const Node *before, const char **at, const char *end, gint64 *number)
{
  for (guint i = before->child; i != 0; i = self->nodes[i].next)
    {
      const Node *node = &self->nodes[i];
      if (!is_same (self->bytes + node->at, *at, node->len, end))
        continue;
      const char *behind = *at + node->len;
      if (node->kind == 'd')
        behind = tt_args_pass_decimal (behind, end, number);
      else if (node->kind == 'x')
        behind = tt_args_pass_hex (behind, end, number);
      else if (behind != end)
        behind = NULL;
      if (G_LIKELY (behind != NULL))
        {
          *at = behind;
          return node;
        }
    }
  return NULL;
}

guint32
tt_args_tree_find (const TtArgsTree *self,
                   const char *text,
                   gsize len,
                   gint64 numbers[TT_ARGS_NUMBERS],
                   guint *n_numbers)
{
  const char *at = text, *end = text + len;
  const Node *node = self->nodes;

  for (guint n = 0; n <= TT_ARGS_NUMBERS; n++)
    {
      gint64 number = 0;
      node = pass_node (self, node, &at, end, &number);
      if (node == NULL)
        return 0;
      if (node->kind == '\0')
        {
          *n_numbers = n;
          return node->id;
        }
      if (n < TT_ARGS_NUMBERS)
        numbers[n] = number;
    }
  return 0;
}
