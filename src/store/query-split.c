/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/query-split.h"

#include "src/store/query-terms.h"
#include "src/store/virtual-private.h"

#include <string.h>

typedef struct
{
  const TtSqlClauses *clauses;
  TtSqlWriter *writer;
  GString *part, *whole, *table, *types;
} Split;

static const TtSqlTerm *
item_at (const TtSqlClauses *clauses, guint i)
{
  return &g_array_index (clauses->items, TtSqlTerm, i);
}

/* A column that is called for its number. */
static void
add_column (Split *self, char letter, guint i, char type)
{
  g_string_append_printf (self->table, "%s%c%u%s", self->types->len > 0 ? ", " : "", letter, i,
                          type == 't'   ? " TEXT"
                          : type == 'i' ? " INTEGER"
                                        : "");
  g_string_append_c (self->types, type);
}

/* The item, from 1, that a whole number stands for; 0: it is none. */
static guint
item_by_number (const TtSqlClauses *clauses, TtSqlSpan span)
{
  const TtSqlWord *word = tt_sql_word (clauses, span.from);
  const guint64 number =
      span.to - span.from == 1 && word->kind == TT_SQL_WHOLE ? g_ascii_strtoull (word->text, NULL, 10) : 0;

  for (guint i = 0; i < clauses->items->len; i++)
    if (item_at (clauses, i)->is_star)
      return 0;
  return number <= clauses->items->len ? (guint) number : 0;
}

/* The item, from 1, that a term of another clause is by its number or alias; 0: it is none. */
static guint
item_of (const TtSqlClauses *clauses, TtSqlSpan span)
{
  const char *name = tt_sql_only_name (clauses, span);

  return name == NULL ? item_by_number (clauses, span) : (guint) (tt_sql_find_alias (clauses, name) + 1);
}

/* An alias that could be taken for something else. */
static gboolean
has_odd_alias (const TtSqlClauses *clauses)
{
  for (guint i = 0; i < clauses->items->len; i++)
    {
      const TtSqlTerm *item = item_at (clauses, i);
      const gint column = item->alias == NULL ? -1 : tt_sql_find_column (item->alias);
      if ((column >= 0 && tt_sql_only_column (clauses, item->span) != column) ||
          (item->alias != NULL && tt_sql_find_alias (clauses, item->alias) != (gint) i))
        return TRUE;
    }
  return FALSE;
}

static void
add_direction (GString *out, const TtSqlTerm *term)
{
  g_string_append (out, term->is_descending ? " DESC" : "");
  if (term->nulls != NULL)
    g_string_append_printf (out, " NULLS %s", term->nulls);
}

static void
add_limit (GString *out, const TtSqlClauses *clauses)
{
  if (clauses->has_limit)
    g_string_append_printf (out, " LIMIT %" G_GUINT64_FORMAT " OFFSET %" G_GUINT64_FORMAT, clauses->limit,
                            clauses->offset);
}

/* Rows by their ids are few, and an OR of them could change their order. */
static gboolean
add_source (Split *self)
{
  const TtSqlSpan where = self->clauses->where;

  g_string_append (self->part, " FROM event");
  if (where.to == where.from)
    return TRUE;
  g_autofree char *text = tt_sql_write (self->writer, where, TT_SQL_COLUMNS | TT_SQL_NO_ID);
  if (text != NULL)
    g_string_append_printf (self->part, " WHERE %s", text);
  return text != NULL;
}

/* -- groups ----------------------------------------------------------------------------------------------------------- */

static char
type_of_column (gint column)
{
  const TtEventColumnKind *kind = &tt_event_columns[column];

  return column == TT_EVENT_ARGS || g_str_has_prefix (kind->type, "TEXT") ? 't'
         : g_str_has_prefix (kind->type, "INTEGER")                       ? 'i'
                                                                          : '-';
}

/* A key that is no column is found where it is a whole term only, and there affinities do not count. Of columns those of the view that
 * are expressions have none, which a plus takes away. */
static gboolean
add_key (Split *self, TtSqlSpan span)
{
  const TtSqlClauses *clauses = self->clauses;
  const guint item = tt_sql_only_column (clauses, span) >= 0 ? 0 : item_of (clauses, span), i = self->writer->keys->len;
  TtSqlKey key = { .type = '-' };

  if (item > 0)
    span = item_at (clauses, item - 1)->span;
  self->writer->n_references = 0;
  key.text = tt_sql_write (self->writer, span, TT_SQL_COLUMNS);
  if (key.text == NULL || self->writer->n_references == 0)
    {
      g_free (key.text);
      return FALSE;
    }
  key.column = tt_sql_only_column (clauses, span);
  if (key.column >= 0)
    key.type = type_of_column (key.column);
  const gboolean is_like_column = key.column >= 0 && (key.type != '-' || tt_event_columns[key.column].view == NULL);
  key.ref = g_strdup_printf ("%sk%u", is_like_column ? "" : "+", i);
  g_array_append_val (self->writer->keys, key);
  add_column (self, 'k', i, key.type);
  g_string_append_printf (self->part, "%s%s", i > 0 ? ", " : "", key.text);
  return TRUE;
}

/* What is a key as a whole is that key; NULL: it is none. */
static const TtSqlKey *
find_key (Split *self, TtSqlSpan span)
{
  g_autofree char *text = tt_sql_write (self->writer, span, TT_SQL_COLUMNS);

  for (guint i = 0; text != NULL && i < self->writer->keys->len; i++)
    {
      const TtSqlKey *key = &g_array_index (self->writer->keys, TtSqlKey, i);
      if (g_str_equal (key->text, text))
        return key;
    }
  return NULL;
}

/* Over parts. NULL: it has something else. Free it. */
static char *
write_of_groups (Split *self, TtSqlSpan span, guint may)
{
  const TtSqlKey *key = find_key (self, span);

  self->writer->n_references = key != NULL;
  return key != NULL ? g_strdup (key->ref) : tt_sql_write (self->writer, span, TT_SQL_GROUPS | may);
}

static gboolean
add_group_items (Split *self)
{
  for (guint i = 0; i < self->clauses->items->len; i++)
    {
      const TtSqlTerm *item = item_at (self->clauses, i);
      g_autofree char *text = item->is_star ? NULL : write_of_groups (self, item->span, 0);
      if (text == NULL)
        return FALSE;
      g_string_append_printf (self->whole, "%s%s", i > 0 ? ", " : "SELECT ", text);
    }
  g_string_append (self->whole, " FROM part");
  return TRUE;
}

static gboolean
add_group_order (Split *self)
{
  const GArray *order = self->clauses->order;

  for (guint i = 0; i < order->len; i++)
    {
      const TtSqlTerm *term = &g_array_index (order, TtSqlTerm, i);
      const gboolean is_column = tt_sql_only_column (self->clauses, term->span) >= 0;
      const guint item = is_column ? 0 : item_of (self->clauses, term->span);
      g_autofree char *text =
          item > 0 ? g_strdup_printf ("%u", item) : write_of_groups (self, term->span, TT_SQL_ALIASES);
      if (text == NULL || (item == 0 && self->writer->n_references == 0))
        return FALSE;
      g_string_append_printf (self->whole, "%s%s", i > 0 ? ", " : " ORDER BY ", text);
      add_direction (self->whole, term);
    }
  return TRUE;
}

static gboolean
add_having (Split *self)
{
  const TtSqlSpan having = self->clauses->having;

  if (having.from == having.to)
    return TRUE;
  g_autofree char *text = tt_sql_write (self->writer, having, TT_SQL_GROUPS | TT_SQL_ALIASES);
  if (text != NULL)
    g_string_append_printf (self->whole, " HAVING %s", text);
  return text != NULL;
}

static gboolean
add_keys (Split *self)
{
  const GArray *keys = self->clauses->keys;

  for (guint i = 0; i < keys->len; i++)
    if (!add_key (self, g_array_index (keys, TtSqlTerm, i).span))
      return FALSE;
  return TRUE;
}

/* The keys that the part begins with, in both. */
static void
add_group_by (Split *self)
{
  const GArray *keys = self->writer->keys;

  for (guint i = 0; i < keys->len; i++)
    {
      const TtSqlKey *key = &g_array_index (keys, TtSqlKey, i);
      g_string_append_printf (self->part, "%s%s", i > 0 ? ", " : " GROUP BY ", key->text);
      g_string_append_printf (self->whole, "%s%s", i > 0 ? ", " : " GROUP BY ", key->ref);
    }
}

/* Aggregates of the part are known when all that is over parts is written. */
static gboolean
split_groups (Split *self)
{
  const TtSqlClauses *clauses = self->clauses;
  const GPtrArray *aggregates = self->writer->aggregates;

  if (clauses->is_distinct || (clauses->keys->len == 0 && clauses->having.to > clauses->having.from) ||
      !add_keys (self) || !add_group_items (self))
    return FALSE;
  const gsize at = self->whole->len;
  if (!add_having (self) || !add_group_order (self))
    return FALSE;
  add_limit (self->whole, clauses);
  g_autofree char *rest = g_strdup (self->whole->str + at);
  g_string_truncate (self->whole, at);
  for (guint i = 0; i < aggregates->len; i++)
    {
      g_string_append_printf (self->part, "%s%s", self->types->len > 0 ? ", " : "",
                              (const char *) g_ptr_array_index (aggregates, i));
      add_column (self, 'a', i, '-');
    }
  if (!add_source (self))
    return FALSE;
  add_group_by (self);
  g_string_append (self->whole, rest);
  return self->types->len > 0;
}

/* -- rows ------------------------------------------------------------------------------------------------------------- */

/* What rows are ordered by, over events. NULL: it cannot be. Free it. */
static char *
write_of_rows (Split *self, const TtSqlTerm *term)
{
  const TtSqlClauses *clauses = self->clauses;
  const guint item = tt_sql_only_column (clauses, term->span) >= 0 ? 0 : item_of (clauses, term->span);
  char *text;

  self->writer->n_references = 0;
  text = tt_sql_write (self->writer, item > 0 ? item_at (clauses, item - 1)->span : term->span,
                       TT_SQL_COLUMNS | (item > 0 ? 0 : TT_SQL_ALIASES));
  if (self->writer->n_references == 0)
    g_clear_pointer (&text, g_free);
  return text;
}

/* The items, and the columns of the table that they are. *@n: of them. */
static gboolean
add_items (Split *self, guint *n)
{
  *n = 0;
  for (guint i = 0; i < self->clauses->items->len; i++)
    {
      const TtSqlTerm *item = item_at (self->clauses, i);
      g_autofree char *text = item->is_star ? g_strdup ("*") : tt_sql_write (self->writer, item->span, TT_SQL_COLUMNS);
      if (text == NULL)
        return FALSE;
      g_string_append_printf (self->part, "%s%s", self->types->len > 0 ? ", " : "", text);
      for (guint k = 0; k < (item->is_star ? TT_EVENT_N : 1u); k++)
        {
          g_string_append_printf (self->whole, "%sc%u", *n > 0 ? ", " : "", *n);
          add_column (self, 'c', (*n)++, '-');
        }
    }
  g_string_append (self->whole, " FROM part");
  return TRUE;
}

/* Of each part the first rows, by values that stand before the items. */
static gboolean
split_ordered (Split *self)
{
  const TtSqlClauses *clauses = self->clauses;
  g_autoptr (GString) order = g_string_new (" ORDER BY ");
  guint n;

  if (!clauses->has_limit || clauses->limit + clauses->offset > TT_SPLIT_MAX_LIMIT)
    return FALSE;
  for (guint i = 0; i < clauses->order->len; i++)
    {
      const TtSqlTerm *term = &g_array_index (clauses->order, TtSqlTerm, i);
      g_autofree char *text = write_of_rows (self, term);
      if (text == NULL || g_str_equal (text, "id"))
        return FALSE;
      g_string_append_printf (self->part, "%s%s", i > 0 ? ", " : "", text);
      add_column (self, 'o', i, '-');
      g_string_append_printf (order, "%s%u", i > 0 ? ", " : "", i + 1);
      add_direction (order, term);
    }
  g_string_append (self->whole, "SELECT ");
  if (!add_items (self, &n) || !add_source (self))
    return FALSE;
  g_string_append_printf (self->part, "%s LIMIT %" G_GUINT64_FORMAT, order->str, clauses->limit + clauses->offset);
  for (guint i = 0; i < clauses->order->len; i++)
    {
      g_string_append_printf (self->whole, "%so%u", i > 0 ? ", " : " ORDER BY ", i);
      add_direction (self->whole, &g_array_index (clauses->order, TtSqlTerm, i));
    }
  add_limit (self->whole, clauses);
  return TRUE;
}

/* Those that come first; they are ordered by items only. */
static gboolean
split_distinct (Split *self)
{
  const TtSqlClauses *clauses = self->clauses;
  guint n;

  g_string_append (self->part, "DISTINCT ");
  g_string_append (self->whole, "SELECT DISTINCT ");
  if (!add_items (self, &n) || n != clauses->items->len || !add_source (self))
    return FALSE;
  for (guint i = 0; i < clauses->order->len; i++)
    {
      const TtSqlTerm *term = &g_array_index (clauses->order, TtSqlTerm, i);
      const gint column = tt_sql_only_column (clauses, term->span);
      guint item = column >= 0 ? 0 : item_of (clauses, term->span);
      for (guint k = 0; column >= 0 && item == 0 && k < n; k++)
        item = tt_sql_only_column (clauses, item_at (clauses, k)->span) == column ? k + 1 : 0;
      if (item == 0)
        return FALSE;
      g_string_append_printf (self->whole, "%s%u", i > 0 ? ", " : " ORDER BY ", item);
      add_direction (self->whole, term);
    }
  add_limit (self->whole, clauses);
  return TRUE;
}

/* The first rows that come are had soonest by one alone. */
static gboolean
split_rows (Split *self)
{
  guint n;

  if (self->clauses->is_distinct)
    return split_distinct (self);
  if (self->clauses->order->len > 0)
    return split_ordered (self);
  const gboolean done = !self->clauses->has_limit && add_items (self, &n) && add_source (self);
  g_string_truncate (self->whole, 0);
  return done;
}

/* -- all -------------------------------------------------------------------------------------------------------------- */

static gboolean
is_of_groups (const TtSqlClauses *clauses)
{
  const GArray *lists[] = { clauses->items, clauses->order };

  if (clauses->keys->len > 0 || clauses->having.to > clauses->having.from)
    return TRUE;
  for (guint k = 0; k < G_N_ELEMENTS (lists); k++)
    for (guint i = 0; i < lists[k]->len; i++)
      if (tt_sql_has_aggregate (clauses, g_array_index (lists[k], TtSqlTerm, i).span))
        return TRUE;
  return FALSE;
}

static TtQuerySplit *
finish (Split *self, gboolean done)
{
  TtQuerySplit *split = done ? g_new0 (TtQuerySplit, 1) : NULL;

  g_string_append_c (self->table, ')');
  if (done)
    {
      const gboolean has_whole = self->whole->len > 0;
      split->part = g_string_free (g_steal_pointer (&self->part), FALSE);
      split->whole = has_whole ? g_string_free (g_steal_pointer (&self->whole), FALSE) : NULL;
      split->table = g_string_free (g_steal_pointer (&self->table), FALSE);
      split->types = g_string_free (g_steal_pointer (&self->types), FALSE);
    }
  GString *rest[] = { self->part, self->whole, self->table, self->types };
  for (guint i = 0; i < G_N_ELEMENTS (rest); i++)
    if (rest[i] != NULL)
      g_string_free (rest[i], TRUE);
  return split;
}

TtQuerySplit *
tt_query_split_new (const char *sql)
{
  g_autoptr (TtSqlClauses) clauses = tt_sql_clauses_new (sql);
  g_auto (TtSqlWriter) writer = { 0 };

  if (clauses == NULL || has_odd_alias (clauses))
    return NULL;
  tt_sql_writer_init (&writer, clauses);
  Split self = { clauses,
                 &writer,
                 g_string_new ("SELECT "),
                 g_string_new (NULL),
                 g_string_new ("CREATE TABLE part ("),
                 g_string_new (NULL) };
  return finish (&self, is_of_groups (clauses) ? split_groups (&self) : split_rows (&self));
}

void
tt_query_split_free (TtQuerySplit *self)
{
  if (self == NULL)
    return;
  g_free (self->part);
  g_free (self->whole);
  g_free (self->table);
  g_free (self->types);
  g_free (self);
}
