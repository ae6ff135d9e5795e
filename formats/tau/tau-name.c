/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau/tau-name.h"

#include <string.h>

#define CALLPATH_ARROW " => "
#define OPENMP_LOCATION "[OpenMP location: file:"

static const char *
last_of (const char *text, gsize len, const char *what)
{
  return g_strrstr_len (text, (gssize) len, what);
}

static gint64
leading_number (const char *text, const char *end)
{
  gint64 value = 0;

  while (text < end && *text == ' ')
    text++;
  for (; text < end && g_ascii_isdigit (*text); text++)
    if (value > G_MAXINT32)
      return 0;
    else
      value = value * 10 + (*text - '0');
  return value;
}

/* The text before and after the location, without the blanks between. */
static void
set_op_around (TtTauName *self, const char *text, const char *location, const char *behind, const char *end)
{
  while (location > text && g_ascii_isspace (location[-1]))
    location--;
  g_string_append_len (self->op, text, location - text);
  while (behind < end && g_ascii_isspace (*behind))
    behind++;
  if (behind < end)
    {
      if (self->op->len > 0)
        g_string_append_c (self->op, ' ');
      g_string_append_len (self->op, behind, end - behind);
    }
}

/* "[{file} {l,c}-{l,c}]", "[{file} {l,c}]", "[{file} {l}]": the last one counts, for a type may hold "[". */
static gboolean
split_location (TtTauName *self, const char *text, gsize len)
{
  const char *begin = last_of (text, len, "[{"), *end = text + len;

  if (begin == NULL)
    return FALSE;
  const char *file = begin + 2;
  const char *file_end = g_strstr_len (file, end - file, "} {");
  const char *close = memchr (file, ']', (gsize) (end - file));
  if (file_end != NULL)
    {
      close = g_strstr_len (file_end, end - file_end, "}]");
      if (close == NULL)
        return FALSE;
      close++;
      self->line = leading_number (file_end + 3, close);
    }
  else
    {
      file_end = g_strstr_len (file, end - file, "}]");
      if (file_end == NULL)
        return FALSE;
      close = file_end + 1;
    }
  g_string_append_len (self->file, file, file_end - file);
  set_op_around (self, text, begin, close + 1, end);
  return TRUE;
}

/* "parallelfor (loop body) [OpenMP location: file:/x.c <91, 101>]" */
static gboolean
split_openmp_location (TtTauName *self, const char *text, gsize len)
{
  const char *begin = last_of (text, len, OPENMP_LOCATION), *end = text + len;

  if (begin == NULL)
    return FALSE;
  const char *file = begin + strlen (OPENMP_LOCATION);
  const char *close = memchr (file, ']', (gsize) (end - file));
  if (close == NULL)
    return FALSE;
  const char *lines = g_strstr_len (file, close - file, " <");
  if (lines != NULL)
    self->line = leading_number (lines + 2, close);
  g_string_append_len (self->file, file, (lines != NULL ? lines : close) - file);
  set_op_around (self, text, begin, close + 1, end);
  return TRUE;
}

static gboolean
is_type_word (const char *text, gsize len)
{
  static const char *const words[] = { "void",   "int",      "char",   "long",  "short",  "unsigned", "signed",
                                       "float",  "double",   "bool",   "const", "struct", "enum",     "union",
                                       "size_t", "volatile", "static", "class", "ssize_t" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (strlen (words[i]) == len && memcmp (words[i], text, len) == 0)
      return TRUE;
  return FALSE;
}

/* The end of the parentheses that open at @open. NULL: they do not close. */
static const char *
closing (const char *open)
{
  int depth = 0;

  for (const char *p = open; *p != '\0'; p++)
    {
      depth += *p == '(' ? 1 : *p == ')' ? -1 : 0;
      if (depth == 0)
        return p;
    }
  return NULL;
}

/*
 * TAU appends a function's type: "main() int ()", "work(int) void (int)", "main int (int, char **)".
 * It is a return type, a blank or star, and arguments in parentheses up to the end.
 */
static void
drop_type (GString *op)
{
  if (op->len == 0 || op->str[op->len - 1] != ')')
    return;

  const char *open = strchr (op->str, '(');
  if (open == NULL || open == op->str)
    return;
  if (open[-1] != ' ' && open[-1] != '*')
    {
      const char *close = closing (open);
      if (close == NULL || close[1] != ' ')
        return;
      const char *word = close + 2;
      gsize len = strcspn (word, " *(");
      const char *second = strchr (word, '(');
      /* "f(int) const" and "f(int) (.part.0)" have no type. */
      if (len > 0 && second != NULL && (second[-1] == ' ' || second[-1] == '*') &&
          closing (second) == op->str + op->len - 1 && strchr ("[.<", *word) == NULL)
        g_string_truncate (op, (gsize) (close + 1 - op->str));
      return;
    }

  const char *blank = strchr (op->str, ' ');
  if (blank == NULL || blank >= open - 1 || closing (open) != op->str + op->len - 1)
    return;
  const char *type = blank + 1;
  if (is_type_word (type, strcspn (type, " *(")) && !is_type_word (op->str, (gsize) (blank - op->str)))
    g_string_truncate (op, (gsize) (blank - op->str));
}

void
tt_tau_name_split (TtTauName *self, const char *name)
{
  if (self->op == NULL)
    {
      self->op = g_string_new (NULL);
      self->file = g_string_new (NULL);
    }
  g_string_truncate (self->op, 0);
  g_string_truncate (self->file, 0);
  self->line = 0;

  const char *arrow = strchr (name, '=') == NULL ? NULL : g_strrstr (name, CALLPATH_ARROW);
  const char *leaf = arrow != NULL ? arrow + strlen (CALLPATH_ARROW) : name;
  while (g_ascii_isspace (*leaf))
    leaf++;
  gsize len = strlen (leaf);
  while (len > 0 && g_ascii_isspace (leaf[len - 1]))
    len--;

  gboolean may_have_location = memchr (leaf, '[', len) != NULL;
  if (!may_have_location || (!split_location (self, leaf, len) && !split_openmp_location (self, leaf, len)))
    g_string_append_len (self->op, leaf, (gssize) len);
  drop_type (self->op);
  if (self->op->len == 0)
    g_string_append_len (self->op, leaf, (gssize) len);
}

void
tt_tau_name_clear (TtTauName *self)
{
  if (self->op != NULL)
    {
      g_string_free (self->op, TRUE);
      g_string_free (self->file, TRUE);
    }
  *self = (TtTauName){ 0 };
}
