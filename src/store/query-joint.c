/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/query-joint.h"

#include "src/base/int128.h"
#include "src/store/query-part.h"

/* What another rank begins with when it gives something. */
enum
{
  LAST_ROWS,
  MORE_ROWS,
  ODD,
};

typedef struct
{
  TtStore *store;
  const TtQuerySplit *split;
  const TtCrew *crew;
  TtQueryColumnsFunc columns;
  TtQueryRowFunc row;
  gpointer data;
  guint n_columns;
  TtPartJoin *join; /* NULL: rows follow each other */
  gboolean go_on, is_bad;
} Question;

/* -- parts ------------------------------------------------------------------------------------------------------------ */

/* *@has: whether there is more than one event. */
static gboolean
find_part (TtStore *store, const TtCrew *crew, gint64 *first, gint64 *last, gboolean *has, GError **error)
{
  gint64 lowest, highest;

  if (!tt_connection_get_int (store->connection, "SELECT min (id) FROM main.event_row", &lowest, error) ||
      !tt_connection_get_int (store->connection, "SELECT max (id) FROM main.event_row", &highest, error))
    return FALSE;
  const tt_int128 size = (tt_int128) highest - lowest + 1;
  *has = highest > lowest;
  *first = crew->rank == 0 ? G_MININT64 : (gint64) (lowest + size * crew->rank / crew->n);
  *last = crew->rank + 1 == crew->n ? G_MAXINT64 : (gint64) (lowest + size * (crew->rank + 1) / crew->n - 1);
  return TRUE;
}

/* -- another rank ----------------------------------------------------------------------------------------------------- */

static void
give (const TtCrew *crew, guint8 kind, GByteArray *rows)
{
  g_byte_array_append (rows, &kind, 1);
  crew->give (rows);
  g_byte_array_set_size (rows, 0);
}

typedef struct
{
  const TtCrew *crew;
  GByteArray *last; /* rows that are the last ones unless others follow */
  gboolean is_over;
} Giver;

static gboolean
keep_rows (GByteArray *rows, gpointer data)
{
  Giver *self = data;

  if (self->last->len > 0)
    {
      give (self->crew, MORE_ROWS, self->last);
      g_autoptr (GByteArray) heard = self->crew->hear ();
      self->is_over = heard == NULL;
    }
  g_byte_array_append (self->last, rows->data, rows->len);
  g_byte_array_set_size (rows, 0);
  return !self->is_over;
}

static gboolean
help (TtStore *store, const TtQuerySplit *split, const TtCrew *crew, GError **error)
{
  g_autoptr (GByteArray) last_rows = g_byte_array_new ();
  Giver giver = { .crew = crew, .last = last_rows };
  gboolean has, is_odd;
  gint64 first, last;

  if (!find_part (store, crew, &first, &last, &has, error) ||
      !tt_query_part_run (store, split, first, last, keep_rows, &giver, &is_odd, error))
    return FALSE;
  if (giver.is_over)
    return TRUE;
  if (is_odd)
    g_byte_array_set_size (last_rows, 0);
  give (crew, is_odd ? ODD : LAST_ROWS, last_rows);
  g_autoptr (GByteArray) nothing = crew->hear ();
  return TRUE;
}

/* -- rank 0 ----------------------------------------------------------------------------------------------------------- */

/* FALSE: it ends here. */
static gboolean
take_rows (GByteArray *rows, gpointer data)
{
  Question *self = data;

  if (self->join == NULL)
    self->is_bad |= !tt_part_rows_each (rows, self->n_columns, self->row, self->data, &self->go_on);
  else
    self->is_bad |= !tt_part_join_add (self->join, rows);
  g_byte_array_set_size (rows, 0);
  return self->go_on && !self->is_bad && (self->join == NULL || !tt_part_join_is_odd (self->join));
}

/* FALSE with @error, or *@is_odd. */
static gboolean
take_part (Question *self, guint rank, gboolean *is_odd, GError **error)
{
  for (guint8 kind = MORE_ROWS; kind == MORE_ROWS && self->go_on;)
    {
      g_autoptr (GByteArray) rows = self->crew->take (rank, error);
      if (rows == NULL)
        return FALSE;
      kind = rows->len == 0 ? ODD : rows->data[rows->len - 1];
      *is_odd = kind != LAST_ROWS && kind != MORE_ROWS;
      if (*is_odd)
        return FALSE;
      g_byte_array_set_size (rows, rows->len - 1);
      take_rows (rows, self);
      if (self->is_bad)
        {
          g_set_error (error, TT_ERROR, TT_ERROR_INPUT,
                       "rank %u: what it says of its part of the events cannot be right", rank);
          return FALSE;
        }
      if (kind == MORE_ROWS && self->go_on && !self->crew->tell (rank, rows, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
take_all (Question *self, gint64 first, gint64 last, gboolean *is_odd, GError **error)
{
  if (self->split->whole != NULL && (self->join = tt_part_join_new (self->split, error)) == NULL)
    return FALSE;
  if (!tt_query_part_run (self->store, self->split, first, last, take_rows, self, is_odd, error) || *is_odd)
    return FALSE;
  for (guint rank = 1; rank < self->crew->n && self->go_on; rank++)
    if (!take_part (self, rank, is_odd, error))
      return FALSE;
  if (self->join == NULL)
    return TRUE;
  const gboolean done = tt_part_join_run (self->join, self->row, self->data, error);
  *is_odd = tt_part_join_is_odd (self->join);
  return done && !*is_odd;
}

/* Whether the statement is right, and may be split in this database. Its columns are told. */
static gboolean
begin (Question *self, const char *sql)
{
  g_autoptr (TtVirtualEvents) events =
      tt_query_names_events (sql) && !self->store->has_virtual_events ? tt_virtual_events_new (self->store) : NULL;
  g_autoptr (sqlite3_stmt) statement = events == NULL ? NULL : tt_query_prepare (self->store, sql, NULL);

  if (statement == NULL || tt_query_is_for_view (statement, events))
    return FALSE;
  self->n_columns = (guint) sqlite3_column_count (statement);
  g_autofree const char **names = g_new0 (const char *, self->n_columns + 1);
  for (guint i = 0; i < self->n_columns; i++)
    names[i] = sqlite3_column_name (statement, (int) i);
  self->go_on = self->columns == NULL || self->columns (names, self->n_columns, self->data);
  return self->go_on;
}

static gboolean
ask (Question *self, const char *sql, gboolean *is_answered, GError **error)
{
  const TtCrew *crew = self->crew;
  GError *own = NULL;
  gboolean has, is_odd = FALSE;
  gint64 first, last;

  if (!begin (self, sql))
    return TRUE;
  if (!find_part (self->store, crew, &first, &last, &has, error))
    return FALSE;
  if (!has)
    return TRUE;
  crew->call (crew->id);
  *is_answered = take_all (self, first, last, &is_odd, &own);
  return tt_crew_end (crew, *is_answered || (is_odd && own == NULL), own, error);
}

/* -- all -------------------------------------------------------------------------------------------------------------- */

gboolean
tt_store_query_joint (TtStore *self,
                      const char *sql,
                      const TtCrew *crew,
                      TtQueryColumnsFunc columns,
                      TtQueryRowFunc row,
                      gpointer data,
                      gboolean *is_answered,
                      GError **error)
{
  g_autoptr (TtQuerySplit) split = tt_query_split_new (sql);
  Question question = { self, split, crew, columns, row, data, .go_on = TRUE };

  *is_answered = FALSE;
  if (split == NULL)
    return TRUE;
  if (!tt_connection_enter (self->connection, error))
    return FALSE;
  const gboolean done = crew->rank > 0 ? help (self, split, crew, error) : ask (&question, sql, is_answered, error);
  tt_connection_leave (self->connection);
  tt_part_join_free (question.join);
  return done;
}
