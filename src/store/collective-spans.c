/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/collective-spans.h"

#include "src/base/array-sort.h"
#include "src/base/array.h"
#include "src/base/room.h"
#include "src/store/block.h"

/* Rows that are looked ahead at a time, and as many as are kept from one scan of an import to the next. */
#define ROWS_AT_A_TIME TT_ROOM (262144u, 16u)
#define MAX_KEPT TT_ROOM (524288u, 64u)

struct _TtCollectiveSpans
{
  TtStore *store;
  TtTablePages *collectives, *events; /* NULL between scans */
  TtObservedSpans *observed;          /* NULL: nobody has */
  gint64 last_row;                    /* of the table */
  guint64 first;                      /* row of the first of them */
  GArray *spans;                      /* of TtCollectiveSpan, of rows that follow each other */
  gint64 data_version;                /* of the file, when they were read */
};

/* Forgets what another connection may have changed; this one, an import, changes no event that it has written. FALSE: it is
 * not known. */
static gboolean
look_for_changes (TtCollectiveSpans *self)
{
  TtConnection *connection = self->store->connection;
  gint64 data_version;

  if (!tt_connection_get_int (connection, "PRAGMA main.data_version", &data_version, NULL) ||
      !tt_connection_get_int (connection, "SELECT ifnull (max (id), 0) FROM main.collective_row", &self->last_row,
                              NULL))
    return FALSE;
  if (data_version != self->data_version)
    g_array_set_size (self->spans, 0);
  self->data_version = data_version;
  return TRUE;
}

static TtCollectiveSpans *
of_store (TtStore *store)
{
  TtCollectiveSpans *self = store->collective_spans;

  if (self == NULL)
    {
      self = store->collective_spans = g_new0 (TtCollectiveSpans, 1);
      self->store = store;
      self->spans = g_array_new (FALSE, FALSE, sizeof (TtCollectiveSpan));
    }
  return self;
}

void
tt_collective_spans_observe (TtStore *store, TtObservedSpans *observed)
{
  of_store (store)->observed = observed;
}

TtCollectiveSpans *
tt_collective_spans_open (TtStore *store)
{
  TtCollectiveSpans *self = of_store (store);

  if (self->events != NULL)
    return NULL;
  self->collectives = tt_table_pages_new (store, "collective_row", TT_COLLECTIVE_COLUMNS);
  self->events = tt_table_pages_new (store, "event_row", TT_EVENT_COLUMNS);
  if (self->collectives != NULL && self->events != NULL && look_for_changes (self))
    return self;
  tt_collective_spans_close (self);
  return NULL;
}

static gboolean
are_kept (const TtCollectiveSpans *self)
{
  return self->store->is_borrowed && self->last_row < MAX_KEPT;
}

void
tt_collective_spans_close (TtCollectiveSpans *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->collectives, tt_table_pages_free);
  g_clear_pointer (&self->events, tt_table_pages_free);
  if (!are_kept (self))
    {
      g_array_unref (self->spans);
      self->spans = g_array_new (FALSE, FALSE, sizeof (TtCollectiveSpan));
    }
}

void
tt_collective_spans_free (TtCollectiveSpans *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->spans);
  g_free (self);
}

static TtArrayKey
key_of_span (gconstpointer element)
{
  return (TtArrayKey){ ((const TtCollectiveSpan *) element)->event, 0 };
}

static void
read_span (TtCollectiveSpans *self, TtCollectiveSpan *span)
{
  gint64 values[TT_EVENT_COLUMNS];
  guint nulls;

  if (self->observed != NULL && tt_observed_spans_find (self->observed, span))
    return;
  if (tt_table_pages_row (self->events, span->event, values, &nulls) && (nulls & 1u << TT_BLOCK_TS_NS) == 0)
    {
      const gboolean is_instant = (nulls & 1u << TT_BLOCK_DUR_NS) != 0;

      span->ts_ns = values[TT_BLOCK_TS_NS];
      span->dur_ns = is_instant ? TT_NO_TIME : values[TT_BLOCK_DUR_NS];
      span->name = (guint32) values[TT_BLOCK_NAME];
      span->is_mended = (values[TT_BLOCK_SHAPE] & TT_FLAGS_BOUNDED) != 0;
      span->is_async = (values[TT_BLOCK_SHAPE] & TT_FLAG_ASYNC) != 0;
      span->is_sound = tt_time_is_kept (span->ts_ns) && (is_instant || tt_time_is_kept (span->dur_ns)) &&
                       span->name == values[TT_BLOCK_NAME];
    }
}

/* Rows behind those that are there, as far as they can be read. */
static void
look_ahead (TtCollectiveSpans *self)
{
  const guint n = self->spans->len;
  gint64 values[TT_COLLECTIVE_COLUMNS];
  guint nulls;

  while (self->spans->len < n + ROWS_AT_A_TIME && self->first + self->spans->len <= (guint64) self->last_row &&
         tt_table_pages_row (self->collectives, self->first + self->spans->len, values, &nulls))
    {
      const TtCollectiveSpan span = { .event = (guint64) values[TT_COLLECTIVE_EVENT] };
      g_array_append_val (self->spans, span);
    }
  TtCollectiveSpan *spans = TT_ARRAY (self->spans, TtCollectiveSpan) + n;
  g_autofree guint32 *order = tt_order_by_key (spans, self->spans->len - n, sizeof *spans, key_of_span);
  for (guint i = 0; i < self->spans->len - n; i++)
    read_span (self, &spans[order[i]]);
}

/* NULL: it is not there, or the row has another event now. */
static const TtCollectiveSpan *
find_kept (const TtCollectiveSpans *self, guint64 row, guint64 event)
{
  const guint64 place = row - self->first;
  const TtCollectiveSpan *span =
      place < self->spans->len ? &g_array_index (self->spans, TtCollectiveSpan, place) : NULL;

  return span != NULL && span->event == event ? span : NULL;
}

const TtCollectiveSpan *
tt_collective_spans_find (TtCollectiveSpans *self, guint64 row, guint64 event)
{
  const TtCollectiveSpan *span = find_kept (self, row, event);

  if (G_UNLIKELY (span == NULL))
    {
      if (!are_kept (self) || row - self->first != self->spans->len)
        {
          g_array_set_size (self->spans, 0);
          self->first = row;
        }
      look_ahead (self);
      span = find_kept (self, row, event);
    }
  return span != NULL && span->is_sound ? span : NULL;
}
