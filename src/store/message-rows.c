/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/message-columns.h"
#include "src/store/page-rows.h"
#include "src/store/rows.h"
#include "src/store/words.h"
#include "src/trace/span.h"

#define PIECES "SELECT first_message, last_message FROM run_row WHERE id BETWEEN ?1 AND ?2"
#define FROM                                                                                    \
  " FROM run_row r CROSS JOIN message_row m ON m.id BETWEEN r.first_message AND r.last_message" \
  " WHERE r.id BETWEEN ?1 AND ?2 AND m.id BETWEEN ?3 AND ?4"

/* -- by statement ------------------------------------------------------------------------------------------------ */

static gboolean
handle_message (TtRowScan *scan, TtAnyFunc func, gpointer data)
{
  sqlite3_stmt *row = scan->row;
  gint64 flags = sqlite3_column_int64 (row, 12);
  const char *word = tt_word_of_message_flags (flags);
  TtMessage message = {
    .src_process = tt_row_process (scan, 0, FALSE),
    .src_thread = tt_row_thread (scan, 1, TRUE),
    .dst_process = tt_row_process (scan, 2, FALSE),
    .dst_thread = tt_row_thread (scan, 3, TRUE),
    .tag = sqlite3_column_int64 (row, 4),
    .comm = sqlite3_column_int64 (row, 5),
    .ordinal = sqlite3_column_int64 (row, 6),
    .send_ns = tt_row_time (scan, 7, TRUE),
    .recv_ns = tt_row_time (scan, 8, TRUE),
    .bytes = tt_store_column_int_or (row, 9, -1),
    .send_event = tt_row_event (scan, 10),
    .recv_event = tt_row_event (scan, 11),
    .flags = word != NULL ? word : "",
  };

  message.send_ns = tt_store_corrected_time (scan->store, message.src_process, message.send_ns);
  message.recv_ns = tt_store_corrected_time (scan->store, message.dst_process, message.recv_ns);
  if (G_UNLIKELY (word == NULL && flags != 0))
    tt_row_refers_to_nothing (scan, "set of flags", flags);
  return scan->fault == NULL && ((TtMessageFunc) func) (&message, data);
}

static gboolean
handle_message_times (TtRowScan *scan, TtAnyFunc func, gpointer data)
{
  TtMessageTimes message = {
    .src_process = tt_row_process (scan, 0, FALSE),
    .dst_process = tt_row_process (scan, 1, FALSE),
    .send_ns = tt_row_time (scan, 2, TRUE),
    .recv_ns = tt_row_time (scan, 3, TRUE),
  };

  message.send_ns = tt_store_corrected_time (scan->store, message.src_process, message.send_ns);
  message.recv_ns = tt_store_corrected_time (scan->store, message.dst_process, message.recv_ns);
  return scan->fault == NULL && ((TtMessageTimesFunc) func) (&message, data);
}

/* -- from pages ------------------------------------------------------------------------------------------------------- */

typedef struct
{
  TtStore *store;
  TtAnyFunc func;
  gpointer data;
} PageScan;

static inline gint64
time_of (const gint64 *values, guint nulls, guint column)
{
  return (nulls & 1u << column) != 0 ? TT_NO_TIME : values[column];
}

/* FALSE: one is none that an import leaves. */
static gboolean
read_times (PageScan *self, const gint64 *values, guint nulls, TtMessageTimes *times)
{
  TtPlaces *processes = &self->store->process_places;

  *times = (TtMessageTimes){
    .src_process = tt_places_find (processes, values[MESSAGE_SRC_PROCESS]),
    .dst_process = tt_places_find (processes, values[MESSAGE_DST_PROCESS]),
    .send_ns = time_of (values, nulls, MESSAGE_SEND_NS),
    .recv_ns = time_of (values, nulls, MESSAGE_RECV_NS),
  };
  if (times->src_process == 0 || times->dst_process == 0 ||
      ((nulls & 1u << MESSAGE_SEND_NS) == 0 && !tt_time_is_kept (times->send_ns)) ||
      ((nulls & 1u << MESSAGE_RECV_NS) == 0 && !tt_time_is_kept (times->recv_ns)))
    return FALSE;
  times->send_ns = tt_store_corrected_time (self->store, times->src_process, times->send_ns);
  times->recv_ns = tt_store_corrected_time (self->store, times->dst_process, times->recv_ns);
  return TRUE;
}

static TtPageRowAnswer
take_times (const gint64 *values, guint nulls, gpointer data)
{
  PageScan *self = data;
  TtMessageTimes times;

  if (!read_times (self, values, nulls, &times))
    return TT_PAGE_ROW_ODD;
  return ((TtMessageTimesFunc) self->func) (&times, self->data) ? TT_PAGE_ROW_TAKEN : TT_PAGE_ROW_LAST;
}

/* FALSE: there is no such thread; 0 is none. */
static gboolean
find_thread (TtStore *store, gint64 id, guint32 *thread)
{
  *thread = id == 0 ? 0 : tt_places_find (&store->thread_places, id);
  return id == 0 || *thread != 0;
}

static gboolean
is_event (TtStore *store, guint64 id)
{
  return id == 0 || tt_store_find_range (store, id) != NULL;
}

static TtPageRowAnswer
take_message (const gint64 *values, guint nulls, gpointer data)
{
  PageScan *self = data;
  const char *word = tt_word_of_message_flags (values[MESSAGE_FLAGS]);
  TtMessageTimes times;
  TtMessage message = {
    .tag = values[MESSAGE_TAG],
    .comm = values[MESSAGE_COMM],
    .ordinal = values[MESSAGE_ORDINAL],
    .bytes = (nulls & 1u << MESSAGE_BYTES) != 0 ? -1 : values[MESSAGE_BYTES],
    .send_event = (guint64) values[MESSAGE_SEND_EVENT],
    .recv_event = (guint64) values[MESSAGE_RECV_EVENT],
    .flags = word != NULL ? word : "",
  };

  if (!read_times (self, values, nulls, &times) ||
      !find_thread (self->store, values[MESSAGE_SRC_THREAD], &message.src_thread) ||
      !find_thread (self->store, values[MESSAGE_DST_THREAD], &message.dst_thread) ||
      !is_event (self->store, message.send_event) || !is_event (self->store, message.recv_event) ||
      (word == NULL && values[MESSAGE_FLAGS] != 0))
    return TT_PAGE_ROW_ODD;
  message.src_process = times.src_process;
  message.dst_process = times.dst_process;
  message.send_ns = times.send_ns;
  message.recv_ns = times.recv_ns;
  return ((TtMessageFunc) self->func) (&message, self->data) ? TT_PAGE_ROW_TAKEN : TT_PAGE_ROW_LAST;
}

/* -- both -------------------------------------------------------------------------------------------------------------- */

static gboolean
each_message (TtStore *self,
              const TtRowRange *range,
              TtPageRowFunc take,
              const char *sql,
              TtRowHandler handle,
              TtAnyFunc func,
              gpointer data,
              GError **error)
{
  PageScan scan = { self, func, data };
  guint64 next;

  if (!tt_connection_enter (self->connection, error))
    return FALSE;
  g_autoptr (TtTablePages) messages = tt_table_pages_new (self, "message_row", MESSAGE_COLUMNS);
  gboolean is_ok = tt_page_rows_read_of (self, messages, PIECES, range, take, &scan, &next);
  if (!is_ok)
    {
      const TtRowRange rest = { MAX ((gint64) next, range->first), range->last };
      is_ok = tt_store_each_row_of (self, "message", sql, &rest, handle, func, data, error);
    }
  tt_connection_leave (self->connection);
  return is_ok;
}

gboolean
tt_store_each_message_of (TtStore *self, const TtRowRange *range, TtMessageFunc func, gpointer data, GError **error)
{
  return each_message (self, range, take_message,
                       "SELECT m.src_process, m.src_thread, m.dst_process, m.dst_thread, m.tag, m.comm, m.ordinal,"
                       " m.send_ns, m.recv_ns, m.bytes, m.send_event, m.recv_event, m.flags" FROM,
                       handle_message, (TtAnyFunc) func, data, error);
}

gboolean
tt_store_each_message (TtStore *self, TtMessageFunc func, gpointer data, GError **error)
{
  const TtRowRange all = TT_ROWS_ALL;

  return tt_store_each_message_of (self, &all, func, data, error);
}

gboolean
tt_store_each_message_times (TtStore *self, TtMessageTimesFunc func, gpointer data, GError **error)
{
  const TtRowRange all = TT_ROWS_ALL;

  return each_message (self, &all, take_times, "SELECT m.src_process, m.dst_process, m.send_ns, m.recv_ns" FROM,
                       handle_message_times, (TtAnyFunc) func, data, error);
}
