/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/query-terms.h"

#include "src/store/query-split.h"
#include "src/store/virtual-private.h"

#include <string.h>

#define MAX_ALIAS_DEPTH 1u /* aliases are not known in items */

/* What an expression may have besides names, functions and literals. */
static const char *const expression_words[] = { "and",     "or",   "not",  "in",     "like",    "glob",
                                                "between", "is",   "null", "isnull", "notnull", "case",
                                                "when",    "then", "else", "end",    "escape",  NULL };
static const char *const cast_types[] = { "integer", "int", "real", "text", "numeric", NULL };
/* They say the same of the same values, everywhere. */
static const char *const functions[] = {
  "abs",       "coalesce",     "ifnull",  "nullif",  "iif",   "length", "lower", "upper",  "substr",
  "substring", "instr",        "replace", "trim",    "ltrim", "rtrim",  "round", "printf", "format",
  "typeof",    "json_extract", "char",    "unicode", "hex",   "quote",  "sign",  NULL
};

typedef struct
{
  const char *name, *part, *join;
  gboolean is_of_whole; /* numbers: where the values are, the sum is the same in any order */
} Aggregate;

static const Aggregate aggregates[] = {
  { "count", "count", "sum", FALSE },
  { "min", "min", "min", FALSE },
  { "max", "max", "max", FALSE },
  { "sum", TT_PART_SUM, TT_JOIN_SUM, TRUE },
  { "total", TT_PART_SUM, TT_JOIN_TOTAL, TRUE },
  { "avg", TT_PART_SUM, TT_JOIN_AVG, TRUE },
};

static void
clear_key (gpointer data)
{
  TtSqlKey *key = data;

  g_free (key->text);
  g_free (key->ref);
}

void
tt_sql_writer_init (TtSqlWriter *self, const TtSqlClauses *clauses)
{
  *self = (TtSqlWriter){ .clauses = clauses };
  self->keys = g_array_new (FALSE, FALSE, sizeof (TtSqlKey));
  g_array_set_clear_func (self->keys, clear_key);
  self->aggregates = g_ptr_array_new_with_free_func (g_free);
}

void
tt_sql_writer_clear (TtSqlWriter *self)
{
  g_clear_pointer (&self->keys, g_array_unref);
  g_clear_pointer (&self->aggregates, g_ptr_array_unref);
}

/* -- names ------------------------------------------------------------------------------------------------------------ */

gint
tt_sql_find_column (const char *name)
{
  for (gint i = 0; i < TT_EVENT_N; i++)
    if (g_str_equal (tt_event_columns[i].name, name))
      return i;
  return -1;
}

static gboolean
is_name (const TtSqlWord *word)
{
  return word->kind == TT_SQL_NAME || word->kind == TT_SQL_QUOTED;
}

/* The name at @i, the table before it or not; *@i: its last word. NULL: it is none of an event. */
static const char *
read_name (const TtSqlClauses *clauses, guint *i, guint to)
{
  const TtSqlWord *word = tt_sql_word (clauses, *i);

  if (!is_name (word))
    return NULL;
  if (*i + 1 >= to || !tt_sql_is (clauses, *i + 1, "."))
    return word->text;
  if (*i + 2 >= to || g_strcmp0 (word->text, clauses->alias != NULL ? clauses->alias : "event") != 0 ||
      !is_name (tt_sql_word (clauses, *i + 2)))
    return NULL;
  *i += 2;
  return tt_sql_find_column (tt_sql_word (clauses, *i)->text) < 0 ? NULL : tt_sql_word (clauses, *i)->text;
}

const char *
tt_sql_only_name (const TtSqlClauses *clauses, TtSqlSpan span)
{
  guint last = span.from;
  const char *name = span.from < span.to ? read_name (clauses, &last, span.to) : NULL;

  return last + 1 == span.to ? name : NULL;
}

gint
tt_sql_only_column (const TtSqlClauses *clauses, TtSqlSpan span)
{
  const char *name = tt_sql_only_name (clauses, span);

  return name == NULL ? -1 : tt_sql_find_column (name);
}

gint
tt_sql_find_alias (const TtSqlClauses *clauses, const char *name)
{
  for (guint i = 0; i < clauses->items->len; i++)
    if (g_strcmp0 (g_array_index (clauses->items, TtSqlTerm, i).alias, name) == 0)
      return (gint) i;
  return -1;
}

/* -- functions -------------------------------------------------------------------------------------------------------- */

/* Whether there is a comma between the brackets @open and @close, and not in others. */
static gboolean
has_comma (const TtSqlClauses *clauses, guint open, guint close)
{
  guint depth = 0;

  for (guint i = open; i < close; i++)
    {
      depth += tt_sql_is (clauses, i, "(");
      depth -= tt_sql_is (clauses, i, ")");
      if (depth == 1 && tt_sql_is (clauses, i, ","))
        return TRUE;
    }
  return FALSE;
}

/* Which is called at @i; NULL: none. *@close: of its arguments. */
static const Aggregate *
find_aggregate (const TtSqlClauses *clauses, guint i, guint to, guint *close)
{
  if (tt_sql_word (clauses, i)->kind != TT_SQL_NAME || !tt_sql_is (clauses, i + 1, "("))
    return NULL;
  *close = tt_sql_find_close (clauses, i + 1, to);
  for (guint k = 0; k < G_N_ELEMENTS (aggregates) && *close != G_MAXUINT; k++)
    if (tt_sql_is (clauses, i, aggregates[k].name))
      return has_comma (clauses, i + 1, *close) ? NULL : &aggregates[k];
  return NULL;
}

gboolean
tt_sql_has_aggregate (const TtSqlClauses *clauses, TtSqlSpan span)
{
  guint close;

  for (guint i = span.from; i < span.to; i++)
    if (find_aggregate (clauses, i, span.to, &close) != NULL)
      return TRUE;
  return FALSE;
}

/* min and max of several values are none of groups. */
static gboolean
is_function (const TtSqlClauses *clauses, guint i, guint to)
{
  const char *name = tt_sql_word (clauses, i)->text;
  guint close = tt_sql_find_close (clauses, i + 1, to);

  return close != G_MAXUINT &&
         (g_strv_contains (functions, name) ||
          ((g_str_equal (name, "min") || g_str_equal (name, "max")) && has_comma (clauses, i + 1, close)));
}

/* The number of the aggregate of parts, which is added if it is new. */
static guint
place_aggregate (TtSqlWriter *self, char *part)
{
  guint i;

  if (g_ptr_array_find_with_equal_func (self->aggregates, part, g_str_equal, &i))
    g_free (part);
  else
    {
      i = self->aggregates->len;
      g_ptr_array_add (self->aggregates, part);
    }
  return i;
}

static gboolean
write_aggregate (TtSqlWriter *self, const Aggregate *function, TtSqlSpan argument, GString *out)
{
  const TtSqlClauses *clauses = self->clauses;
  const gboolean is_of_rows = argument.to - argument.from == 1 && tt_sql_is (clauses, argument.from, "*");
  const gboolean had_real = self->has_real;
  const guint n_before = self->n_references;
  g_autofree char *text = NULL;

  if (is_of_rows && !g_str_equal (function->name, "count"))
    return FALSE;
  self->has_real = FALSE;
  text = is_of_rows ? g_strdup ("*") : tt_sql_write (self, argument, TT_SQL_COLUMNS);
  if (text == NULL || (function->is_of_whole && self->has_real))
    return FALSE;
  self->has_real = had_real;
  self->n_references = n_before + 1;
  g_string_append_printf (out, "%s (a%u)", function->join,
                          place_aggregate (self, g_strdup_printf ("%s (%s)", function->part, text)));
  return TRUE;
}

/* -- expressions ------------------------------------------------------------------------------------------------------ */

/* Within an expression, where a key has the affinity of a column, or none. */
static gboolean
write_key (TtSqlWriter *self, gint column, GString *out)
{
  for (guint i = 0; i < self->keys->len; i++)
    {
      const TtSqlKey *key = &g_array_index (self->keys, TtSqlKey, i);
      if (key->column == column)
        {
          g_string_append (out, key->ref);
          self->n_references++;
          return TRUE;
        }
    }
  return FALSE;
}

/* What an item is, in brackets, as SQLite reads an alias. */
static gboolean
write_alias (TtSqlWriter *self, const char *name, guint may, GString *out)
{
  const gint found = tt_sql_find_alias (self->clauses, name);

  if (found < 0 || (may & TT_SQL_ALIASES) == 0 || self->depth == MAX_ALIAS_DEPTH)
    return FALSE;
  const TtSqlTerm *item = &g_array_index (self->clauses->items, TtSqlTerm, found);
  self->depth++;
  g_autofree char *text = item->is_star ? NULL : tt_sql_write (self, item->span, may & ~(guint) TT_SQL_ALIASES);
  self->depth--;
  if (text == NULL)
    return FALSE;
  g_string_append_printf (out, "(%s)", text);
  return TRUE;
}

static gboolean
write_name (TtSqlWriter *self, guint *i, guint to, guint may, GString *out)
{
  const char *name = read_name (self->clauses, i, to);
  const gint column = name == NULL ? -1 : tt_sql_find_column (name);

  if (name == NULL)
    return FALSE;
  if (column < 0)
    return write_alias (self, name, may, out);
  if ((may & TT_SQL_GROUPS) != 0)
    return write_key (self, column, out);
  if ((may & TT_SQL_COLUMNS) == 0 || (column == TT_EVENT_ID && (may & TT_SQL_NO_ID) != 0))
    return FALSE;
  self->n_references++;
  g_string_append (out, name);
  return TRUE;
}

/* "AS TYPE)" */
static gboolean
write_cast_type (const TtSqlClauses *clauses, guint *i, guint to, GString *out)
{
  if (*i + 2 >= to || tt_sql_word (clauses, *i + 1)->kind != TT_SQL_NAME ||
      !g_strv_contains (cast_types, tt_sql_word (clauses, *i + 1)->text) || !tt_sql_is (clauses, *i + 2, ")"))
    return FALSE;
  g_string_append_printf (out, "AS %s", tt_sql_word (clauses, *i + 1)->text);
  *i += 1;
  return TRUE;
}

static gboolean
write_call (TtSqlWriter *self, guint *i, guint to, guint may, GString *out)
{
  const TtSqlClauses *clauses = self->clauses;
  const guint open = *i + 1;
  guint close;
  const Aggregate *function = find_aggregate (clauses, *i, to, &close);

  if (function != NULL)
    {
      *i = close;
      return (may & TT_SQL_GROUPS) != 0 && close > open + 1 &&
             write_aggregate (self, function, (TtSqlSpan){ open + 1, close }, out);
    }
  g_string_append (out, tt_sql_word (clauses, *i)->text);
  return tt_sql_is (clauses, *i, "cast") || is_function (clauses, *i, to);
}

/* The word at *@i, and those that belong to it. */
static gboolean
write_word (TtSqlWriter *self, guint *i, guint to, guint may, GString *out)
{
  const TtSqlClauses *clauses = self->clauses;
  const TtSqlWord *word = tt_sql_word (clauses, *i);

  if (word->kind == TT_SQL_QUOTED)
    return write_name (self, i, to, may, out);
  if (word->kind == TT_SQL_NAME)
    {
      const gboolean has_bracket = *i + 1 < to && tt_sql_is (clauses, *i + 1, "(");
      if (g_str_equal (word->text, "as"))
        return write_cast_type (clauses, i, to, out);
      if (!g_strv_contains (expression_words, word->text))
        return has_bracket ? write_call (self, i, to, may, out) : write_name (self, i, to, may, out);
      if (g_str_equal (word->text, "in") && !has_bracket)
        return FALSE;
    }
  else if (word->kind == TT_SQL_MARK && g_str_equal (word->text, "."))
    return FALSE;
  self->has_real |= word->kind == TT_SQL_REAL;
  g_string_append (out, word->text);
  return TRUE;
}

char *
tt_sql_write (TtSqlWriter *self, TtSqlSpan span, guint may)
{
  g_autoptr (GString) out = g_string_new (NULL);

  for (guint i = span.from; i < span.to; i++)
    {
      if (out->len > 0)
        g_string_append_c (out, ' ');
      if (!write_word (self, &i, span.to, may, out))
        return NULL;
    }
  return span.from == span.to ? NULL : g_string_free (g_steal_pointer (&out), FALSE);
}
