/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/event-blocks.h"

/* -- writing ------------------------------------------------------------------------------------------------------- */

gboolean
tt_event_blocks_write (TtConnection *connection,
                       sqlite3_stmt **statement,
                       const TtEventColumns *events,
                       gint64 first_ns,
                       gint64 last_ns,
                       GError **error)
{
  GError *failure = NULL;

  if (events->n == 0)
    return TRUE;
  if (*statement == NULL)
    *statement = tt_connection_prepare (
        connection, "INSERT INTO event_block_row (id, last, first_ns, last_ns) VALUES (?1, ?2, ?3, ?4)", error);
  if (*statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (*statement, 1, (gint64) events->first_event);
  sqlite3_bind_int64 (*statement, 2, (gint64) (events->first_event + events->n - 1));
  sqlite3_bind_int64 (*statement, 3, first_ns);
  sqlite3_bind_int64 (*statement, 4, last_ns);
  tt_connection_step (connection, *statement, &failure);
  sqlite3_reset (*statement);
  return tt_store_finish (failure, error);
}

/* -- reading ------------------------------------------------------------------------------------------------------- */

typedef struct
{
  TtStore *store;
  const TtEventRange *source;
  gint64 begin_ns, end_ns;
  guint64 next; /* where the next piece begins */
  GArray *ranges;
} Reader;

/* Pieces of a source follow each other without a gap. */
static gboolean
take_piece (Reader *self, sqlite3_stmt *row, GError **error)
{
  guint64 first = tt_store_column_uint (row, 0), last = tt_store_column_uint (row, 1);
  gint64 first_ns = sqlite3_column_int64 (row, 2), last_ns = sqlite3_column_int64 (row, 3);

  if (first != self->next || last < first || last > self->source->last)
    return tt_store_set_damaged (self->store, error,
                                 "the pieces of source %u do not follow each other at event %" G_GUINT64_FORMAT,
                                 self->source->source, self->next);
  if (!tt_store_check_times (self->store, first_ns, last_ns, error))
    return FALSE;
  self->next = last + 1;
  if (first_ns > self->end_ns || last_ns < self->begin_ns)
    return TRUE;
  TtEventRange *open =
      self->ranges->len == 0 ? NULL : &g_array_index (self->ranges, TtEventRange, self->ranges->len - 1);
  if (open != NULL && open->source == self->source->source && open->last + 1 == first)
    open->last = last;
  else
    {
      const TtEventRange range = { first, last, self->source->source };
      g_array_append_val (self->ranges, range);
    }
  return TRUE;
}

static gboolean
read_source (Reader *self, sqlite3_stmt *pieces, GError **error)
{
  GError *failure = NULL;
  gboolean is_ok = TRUE;

  self->next = self->source->first;
  sqlite3_reset (pieces);
  sqlite3_bind_int64 (pieces, 1, (gint64) self->source->first);
  sqlite3_bind_int64 (pieces, 2, (gint64) self->source->last);
  while (is_ok && tt_connection_step (self->store->connection, pieces, &failure))
    is_ok = take_piece (self, pieces, error);
  if (failure != NULL)
    return tt_store_finish (failure, error);
  if (is_ok && self->next == self->source->first)
    g_array_append_val (self->ranges, *self->source);
  else if (is_ok && self->next != self->source->last + 1)
    return tt_store_set_damaged (self->store, error, "the pieces of source %u end before event %" G_GUINT64_FORMAT,
                                 self->source->source, self->next);
  return is_ok;
}

GArray *
tt_event_blocks_ranges (TtStore *store, gint64 begin_ns, gint64 end_ns, GError **error)
{
  g_autoptr (sqlite3_stmt) pieces = tt_connection_prepare (
      store->connection,
      "SELECT id, last, first_ns, last_ns FROM event_block_row WHERE id BETWEEN ?1 AND ?2 ORDER BY id", error);
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (TtEventRange));
  Reader reader = { .store = store, .begin_ns = begin_ns, .end_ns = end_ns, .ranges = ranges };

  if (pieces == NULL)
    return NULL;
  for (guint i = 0; i < store->ranges->len; i++)
    {
      reader.source = &g_array_index (store->ranges, TtEventRange, i);
      if (reader.source->last >= reader.source->first && !read_source (&reader, pieces, error))
        return NULL;
    }
  return g_steal_pointer (&ranges);
}

/* -- what may be around others ------------------------------------------------------------------------------------- */

/* Whether pieces are there, and cover these events. *@end_ns: the last end of those before @first. */
static gboolean
find_end (TtStore *store, guint64 low, guint64 first, guint64 last, gboolean *is_known, gint64 *end_ns, GError **error)
{
  g_autoptr (sqlite3_stmt) row =
      tt_connection_prepare (store->connection,
                             "SELECT max (last_ns) FILTER (WHERE id < ?2), sum (last - id + 1), max (last), min (id), "
                             "min (typeof (first_ns) = 'integer'"
                             " AND typeof (last_ns) = 'integer') FROM event_block_row WHERE last >= ?1 AND id <= ?3",
                             error);
  GError *failure = NULL;

  *is_known = FALSE;
  if (row == NULL)
    return FALSE;
  tt_store_bind_event (row, 1, low);
  tt_store_bind_event (row, 2, first);
  tt_store_bind_event (row, 3, last);
  if (!tt_connection_step (store->connection, row, &failure))
    return tt_store_finish (failure, error);
  *is_known = sqlite3_column_type (row, 0) == SQLITE_INTEGER && sqlite3_column_int (row, 4) == 1 &&
              tt_store_column_uint (row, 3) <= low && tt_store_column_uint (row, 2) >= last &&
              tt_store_column_uint (row, 1) == tt_store_column_uint (row, 2) - tt_store_column_uint (row, 3) + 1;
  *end_ns = sqlite3_column_int64 (row, 0);
  return TRUE;
}

/* What begins after all of the others have ended is around none of them. */
GArray *
tt_store_events_around (TtStore *self, guint64 low, guint64 first, guint64 last, GError **error)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (TtEventIds));
  const TtEventIds whole = { first, last };
  GError *failure = NULL;
  gboolean is_known;
  gint64 end_ns;

  if (!find_end (self, low, first, last, &is_known, &end_ns, error))
    return NULL;
  if (!is_known)
    {
      g_array_append_val (all, whole);
      return g_steal_pointer (&all);
    }
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (
      self->connection,
      "SELECT id, last FROM event_block_row WHERE last >= ?1 AND id <= ?2 AND first_ns <= ?3 ORDER BY id DESC", error);
  if (row == NULL)
    return NULL;
  tt_store_bind_event (row, 1, first);
  tt_store_bind_event (row, 2, last);
  sqlite3_bind_int64 (row, 3, end_ns);
  while (tt_connection_step (self->connection, row, &failure))
    {
      const TtEventIds ids = { MAX (tt_store_column_uint (row, 0), first), MIN (tt_store_column_uint (row, 1), last) };
      TtEventIds *open = all->len == 0 ? NULL : &g_array_index (all, TtEventIds, all->len - 1);
      if (open != NULL && ids.last + 1 == open->first)
        open->first = ids.first;
      else
        g_array_append_val (all, ids);
    }
  return tt_store_finish (failure, error) ? g_steal_pointer (&all) : NULL;
}
