/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/gcn/expression.h"

#include <string.h>

#define MOST_NESTED 64u
#define MOST_ARGUMENTS 64u

typedef struct
{
  const TtGcnModule *module;
  const char *at;
  guint depth;
} Parser;

static gboolean read_sum (Parser *self, guint least, gint64 *value);

static void
skip_blanks (Parser *self)
{
  self->at += strspn (self->at, " \t");
}

static gboolean
take (Parser *self, char c)
{
  skip_blanks (self);
  if (*self->at != c)
    return FALSE;
  self->at++;
  return TRUE;
}

/* -- functions ---------------------------------------------------------------------------------------------- */

static gint64
align_to (gint64 value, gint64 align)
{
  if (align <= 0 || value > G_MAXINT64 - align)
    return value;
  return (value + align - 1) / align * align;
}

/* As LLVM's AMDGPUMCExpr has them for machines with accumulators of their own; all but gfx90a keep flat scratch always. */
static gboolean
call (const TtGcnModule *module, const char *name, gsize len, const gint64 *args, guint n, gint64 *value)
{
  gboolean is_max = len == 3 && strncmp (name, "max", len) == 0, is_or = len == 2 && strncmp (name, "or", len) == 0;

  if (n == 0)
    return FALSE;
  *value = args[0];
  if (is_max || is_or)
    for (guint i = 1; i < n; i++)
      *value = is_or ? *value | args[i] : MAX (*value, args[i]);
  else if (n == 2 && len == strlen ("alignto") && strncmp (name, "alignto", len) == 0)
    *value = align_to (args[0], args[1]);
  else if (n == 2 && len == strlen ("totalnumvgprs") && strncmp (name, "totalnumvgprs", len) == 0)
    *value = args[0] > 0 && args[1] < G_MAXINT32 && args[0] < G_MAXINT32 ? align_to (args[1], 4) + args[0]
                                                                         : MAX (args[0], args[1]);
  else if (n == 3 && len == strlen ("extrasgprs") && strncmp (name, "extrasgprs", len) == 0)
    *value = args[1] != 0 || g_strcmp0 (module->target, "gfx90a") != 0 ? 6 : args[2] != 0 ? 4 : args[0] != 0 ? 2 : 0;
  else
    return FALSE;
  return TRUE;
}

static gboolean
read_call (Parser *self, const char *name, gsize len, gint64 *value)
{
  gint64 args[MOST_ARGUMENTS];
  guint n = 0;

  do
    if (n == MOST_ARGUMENTS || !read_sum (self, 0, &args[n++]))
      return FALSE;
  while (take (self, ','));
  return take (self, ')') && call (self->module, name, len, args, n, value);
}

/* -- values --------------------------------------------------------------------------------------------------- */

static gboolean
is_in_name (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '.' || c == '$' || c == '@';
}

static gboolean
read_name (Parser *self, gint64 *value)
{
  const char *name = self->at;
  gsize len = 0;

  while (is_in_name (name[len]))
    len++;
  if (len == 0)
    return FALSE;
  self->at += len;
  if (take (self, '('))
    return read_call (self, name, len, value);
  g_autofree char *copy = g_strndup (name, len);
  const gint64 *found = g_hash_table_lookup (self->module->symbols, copy);
  if (found != NULL)
    *value = *found;
  return found != NULL;
}

static gboolean
read_number (Parser *self, gint64 *value)
{
  char *end;
  guint64 number = g_ascii_strtoull (self->at, &end, 0);

  *value = (gint64) number;
  self->at = end;
  return !is_in_name (*end);
}

static gboolean
read_value (Parser *self, gint64 *value)
{
  gboolean ok;

  if (++self->depth > MOST_NESTED)
    return FALSE;
  if (take (self, '('))
    ok = read_sum (self, 0, value) && take (self, ')');
  else if (take (self, '-'))
    {
      ok = read_value (self, value);
      *value = (gint64) (0 - (guint64) *value);
    }
  else if (take (self, '~'))
    {
      ok = read_value (self, value);
      *value = ~*value;
    }
  else
    ok = g_ascii_isdigit (*self->at) ? read_number (self, value) : read_name (self, value);
  self->depth--;
  return ok;
}

/* -- operators, as GNU's assembler ranks them ------------------------------------------------------------------- */

static guint
rank_of (const char *at, guint *len)
{
  *len = (at[0] == '<' && at[1] == '<') || (at[0] == '>' && at[1] == '>') ? 2 : 1;
  if (*at == '*' || *at == '/' || *at == '%' || *len == 2)
    return 3;
  if (*at == '|' || *at == '^' || *at == '&')
    return 2;
  return *at == '+' || *at == '-' ? 1 : 0;
}

static gboolean
apply (char op, gint64 a, gint64 b, gint64 *value)
{
  guint64 x = (guint64) a, y = (guint64) b;

  if ((op == '/' || op == '%') && (b == 0 || (a == G_MININT64 && b == -1)))
    return FALSE;
  if ((op == '<' || op == '>') && y > 63)
    return FALSE;
  switch (op)
    {
    case '*':
      *value = (gint64) (x * y);
      break;
    case '/':
      *value = a / b;
      break;
    case '%':
      *value = a % b;
      break;
    case '<':
      *value = (gint64) (x << y);
      break;
    case '>':
      *value = (gint64) (x >> y);
      break;
    case '|':
      *value = a | b;
      break;
    case '^':
      *value = a ^ b;
      break;
    case '&':
      *value = a & b;
      break;
    case '+':
      *value = (gint64) (x + y);
      break;
    default:
      *value = (gint64) (x - y);
    }
  return TRUE;
}

/* Of operators above the rank @least. */
static gboolean
read_sum (Parser *self, guint least, gint64 *value)
{
  if (!read_value (self, value))
    return FALSE;
  while (TRUE)
    {
      gint64 right = 0;
      guint len, rank;

      skip_blanks (self);
      rank = rank_of (self->at, &len);
      if (rank <= least)
        return TRUE;
      char op = *self->at;
      self->at += len;
      if (!read_sum (self, rank, &right) || !apply (op, *value, right, value))
        return FALSE;
    }
}

gboolean
tt_gcn_expression (const TtGcnModule *self, const char *text, gint64 *value)
{
  Parser parser = { self, text, 0 };

  *value = 0;
  if (!read_sum (&parser, 0, value))
    return FALSE;
  skip_blanks (&parser);
  return *parser.at == '\0';
}
