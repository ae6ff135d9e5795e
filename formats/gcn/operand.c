/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/gcn/operand.h"

#include "formats/gcn/expression.h"

#include <string.h>

/* -- operands ------------------------------------------------------------------------------------- */

static gboolean
read_special (const char *word, TtGcnOperand *operand)
{
  static const struct
  {
    const char *name;
    TtGcnOperandKind kind;
    guint index, n;
  } specials[] = {
    { "vcc", TT_GCN_VCC, 0, 2 },     { "vcc_lo", TT_GCN_VCC, 0, 1 },   { "vcc_hi", TT_GCN_VCC, 1, 1 },
    { "exec", TT_GCN_EXEC, 0, 2 },   { "exec_lo", TT_GCN_EXEC, 0, 1 }, { "exec_hi", TT_GCN_EXEC, 1, 1 },
    { "m0", TT_GCN_M0, 0, 1 },       { "scc", TT_GCN_SCC, 0, 1 },      { "off", TT_GCN_OFF, 0, 0 },
    { "src_scc", TT_GCN_SCC, 0, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (specials); i++)
    if (g_str_equal (word, specials[i].name))
      {
        operand->kind = specials[i].kind;
        operand->index = specials[i].index;
        operand->n = (guint8) specials[i].n;
        return TRUE;
      }
  return FALSE;
}

/* "v5", "v[nt_a:nt_a+1]": FALSE: it is none, or @is_bad. */
static gboolean
read_register (const TtGcnModule *self, const char *word, TtGcnOperand *operand, gboolean *is_bad)
{
  static const char files[] = "vas";
  static const TtGcnOperandKind kinds[] = { TT_GCN_VECTOR, TT_GCN_ACCUM, TT_GCN_SCALAR };
  const char *file = *word == '\0' ? NULL : strchr (files, *word);
  gsize len = strlen (word);
  gint64 first, last;

  if (file == NULL || len < 2)
    return FALSE;
  if (word[1] == '[' && word[len - 1] == ']')
    {
      g_autofree char *inner = g_strndup (word + 2, len - 3);
      char *colon = strchr (inner, ':');

      if (colon != NULL)
        *colon = '\0';
      *is_bad = !tt_gcn_expression (self, inner, &first) ||
                !(colon == NULL ? (last = first, TRUE) : tt_gcn_expression (self, colon + 1, &last));
    }
  else if (strspn (word + 1, "0123456789") == len - 1)
    first = last = (gint64) g_ascii_strtoull (word + 1, NULL, 10);
  else
    return FALSE;
  gint64 limit = *file == 's' ? TT_GCN_N_SCALARS : TT_GCN_N_VECTORS;
  *is_bad = *is_bad || first < 0 || last < first || last >= limit || last - first >= 32;
  if (*is_bad)
    return FALSE;
  operand->kind = kinds[file - files];
  operand->index = (guint) first;
  operand->n = (guint8) (last - first + 1);
  return TRUE;
}

static gboolean
read_number (const char *word, TtGcnOperand *operand)
{
  const char *digits = word + (*word == '-');
  char *end;

  if (!g_ascii_isdigit (*digits))
    return FALSE;
  operand->kind = TT_GCN_NUMBER;
  operand->value = (gint64) g_ascii_strtoull (digits, &end, 0);
  if (*word == '-')
    operand->value = (gint64) - (guint64) operand->value;
  if (*end == '\0')
    return TRUE;
  operand->kind = TT_GCN_REAL;
  operand->real = g_ascii_strtod (word, &end);
  return *end == '\0';
}

/* Takes "-" and "| |" off. */
static void
strip_signs (char **word, TtGcnOperand *operand)
{
  gsize len;

  if (**word == '-' && !g_ascii_isdigit ((*word)[1]))
    {
      operand->is_negated = TRUE;
      (*word)++;
    }
  len = strlen (*word);
  if (len > 2 && **word == '|' && (*word)[len - 1] == '|')
    {
      operand->is_absolute = TRUE;
      (*word)[len - 1] = '\0';
      (*word)++;
    }
}

static gboolean
read_operand (TtGcnModule *self, char *word, TtGcnOperand *operand)
{
  gboolean is_bad = FALSE;
  gint64 value;

  *operand = (TtGcnOperand){ 0 };
  strip_signs (&word, operand);
  if (*word == '\0')
    return FALSE;
  if (read_special (word, operand) || read_number (word, operand) || read_register (self, word, operand, &is_bad))
    return TRUE;
  if (is_bad || operand->kind != TT_GCN_NONE)
    return FALSE;
  operand->kind = TT_GCN_WORD;
  operand->text = g_string_chunk_insert_const (self->words, word);
  if (tt_gcn_expression (self, word, &value))
    {
      operand->kind = TT_GCN_NUMBER;
      operand->value = value;
    }
  return TRUE;
}

/* -- modifiers ---------------------------------------------------------------------------------------- */

/* Those that change nothing that a program sees when one wave runs at a time. */
static const char *const silent[] = { "nt", "sc1", "slc", "dlc", "nv", NULL };

static gboolean
read_count (const char *word, const char *name, guint *count)
{
  gsize len = strlen (name);

  if (!g_str_has_prefix (word, name) || word[len] != '(')
    return FALSE;
  *count = (guint) g_ascii_strtoull (word + len + 1, NULL, 10);
  return TRUE;
}

static void
read_modifier (TtGcnModule *self, const char *word, TtGcnInstruction *instruction)
{
  guint ignored;

  if (g_str_has_prefix (word, "offset:"))
    instruction->offset = g_ascii_strtoll (word + 7, NULL, 0);
  else if (g_str_has_prefix (word, "offset0:"))
    instruction->offset0 = (guint) g_ascii_strtoull (word + 8, NULL, 0) & 255;
  else if (g_str_has_prefix (word, "offset1:"))
    instruction->offset1 = (guint) g_ascii_strtoull (word + 8, NULL, 0) & 255;
  else if (g_str_equal (word, "glc") || g_str_equal (word, "sc0"))
    instruction->returns = TRUE;
  else if (!read_count (word, "vmcnt", &instruction->vmcnt) && !read_count (word, "lgkmcnt", &instruction->lgkmcnt) &&
           !read_count (word, "expcnt", &ignored) && !g_strv_contains ((const char *const *) silent, word))
    instruction->modifier = g_string_chunk_insert_const (self->words, word);
}

/* -- all ---------------------------------------------------------------------------------------------- */

/* Up to @stops at no bracket, from @at on, which moves behind it. NULL: nothing is left. */
static char *
next_word (const char **at, const char *stops)
{
  const char *start = *at += strspn (*at, " \t");
  guint depth = 0;

  if (*start == '\0')
    return NULL;
  while (**at != '\0' && (depth > 0 || strchr (stops, **at) == NULL))
    {
      depth += **at == '[' || **at == '(';
      depth -= depth > 0 && (**at == ']' || **at == ')');
      (*at)++;
    }
  char *word = g_strchomp (g_strndup (start, (gsize) (*at - start)));
  if (**at == ',')
    (*at)++;
  return word;
}

static char *
read_wait (TtGcnModule *self, const char *text, TtGcnInstruction *instruction)
{
  gint64 value;

  if (tt_gcn_expression (self, text, &value))
    {
      instruction->vmcnt = (guint) ((value & 15) | (value >> 10 & 48));
      instruction->lgkmcnt = (guint) (value >> 8 & 15);
      return NULL;
    }
  for (const char *at = text;;)
    {
      g_autofree char *word = next_word (&at, " \t,&");

      at += *at == '&';
      if (word == NULL)
        break;
      read_modifier (self, word, instruction);
    }
  return instruction->modifier != NULL ? g_strdup (instruction->modifier) : NULL;
}

char *
tt_gcn_operands_read (TtGcnModule *self, const char *text, TtGcnInstruction *instruction)
{
  instruction->vmcnt = instruction->lgkmcnt = G_MAXUINT;
  if (g_str_equal (instruction->name, "s_waitcnt"))
    return read_wait (self, text, instruction);
  for (const char *at = text;;)
    {
      g_autofree char *piece = next_word (&at, ",");

      if (piece == NULL)
        return NULL;
      const char *rest = piece;
      g_autofree char *word = next_word (&rest, " \t");
      if (word == NULL || instruction->n == TT_GCN_MAX_OPERANDS ||
          !read_operand (self, word, &instruction->operands[instruction->n]))
        return g_strdup (piece);
      instruction->n++;
      for (;;)
        {
          g_autofree char *modifier = next_word (&rest, " \t");

          if (modifier == NULL)
            break;
          read_modifier (self, modifier, instruction);
        }
    }
}
