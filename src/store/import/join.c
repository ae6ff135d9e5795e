/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/import/join.h"

#include "src/store/import/table-writer.h"

#include <string.h>

#include "src/base/sorter.h"
#include "src/base/spill.h"
#include "src/store/message-columns.h"
#include "src/trace/message-join.h"

#define SPOOL_CACHE_BYTES ((gsize) 4 << 20)
#define OWNER_CACHE_BYTES ((gsize) 4 << 20)
/* A sum that no run of messages reaches, small enough that those of runs can be added. */
#define MAX_BYTES ((guint64) 1 << 56)
#define SORT_BYTES ((gsize) 8 << 20)

/* -- spool -------------------------------------------------------------------------------------------- */

struct _TtSpool
{
  TtSpill *spill;
  gsize record_size;
  guint64 n;
};

TtSpool *
tt_spool_new (gsize record_size)
{
  TtSpool *self = g_new0 (TtSpool, 1);

  self->spill = tt_spill_new (SPOOL_CACHE_BYTES);
  self->record_size = record_size;
  return self;
}

void
tt_spool_free (TtSpool *self)
{
  if (self == NULL)
    return;
  tt_spill_free (self->spill);
  g_free (self);
}

void
tt_spool_add (TtSpool *self, const void *record)
{
  tt_spill_write (self->spill, self->n++ * self->record_size, record, self->record_size);
}

guint64
tt_spool_count (const TtSpool *self)
{
  return self->n;
}

void
tt_spool_get (TtSpool *self, guint64 index, void *record)
{
  tt_spill_read (self->spill, index * self->record_size, record, self->record_size);
}

gboolean
tt_spool_check (const TtSpool *self, GError **error)
{
  return tt_spill_check (self->spill, error);
}

/* -- owners ------------------------------------------------------------------------------------------- */

struct _TtOwners
{
  TtSpill *events; /* by owner */
  guint32 max;
};

TtOwners *
tt_owners_new (void)
{
  TtOwners *self = g_new0 (TtOwners, 1);

  self->events = tt_spill_new (OWNER_CACHE_BYTES);
  return self;
}

void
tt_owners_free (TtOwners *self)
{
  if (self == NULL)
    return;
  tt_spill_free (self->events);
  g_free (self);
}

void
tt_owners_add (TtOwners *self, const TtBatch *batch)
{
  const TtOwnerColumns *owners = &batch->owners;

  for (guint i = 0; i < owners->n; i++)
    {
      tt_spill_write (self->events, 8 * (guint64) owners->owner[i], &owners->event[i], 8);
      self->max = MAX (self->max, owners->owner[i]);
    }
}

guint64
tt_owners_event (TtOwners *self, guint32 owner)
{
  guint64 event = 0;

  if (owner != 0 && owner <= self->max)
    tt_spill_read (self->events, 8 * (guint64) owner, &event, 8);
  return event;
}

gboolean
tt_owners_check (const TtOwners *self, GError **error)
{
  return tt_spill_check (self->events, error);
}

/* -- halves ------------------------------------------------------------------------------------------- */

typedef struct
{
  TtMessageHalf half;
  guint64 event; /* in the spool: nothing yet */
  guint32 source, reserved;
} Half;

struct _TtHalves
{
  TtSpool *spool;
  TtOwners *owners; /* borrowed */
  TtKeyRange ranges[TT_N_HALF_FIELDS];
};

typedef struct
{
  TtTableWriter *rows;
  TtConnection *connection;
  guint32 run;
  guint64 n_matched, n_unmatched, bytes;
} Writer;

TtHalves *
tt_halves_new (TtOwners *owners)
{
  TtHalves *self = g_new0 (TtHalves, 1);

  self->spool = tt_spool_new (sizeof (Half));
  self->owners = owners;
  tt_message_half_ranges_init (self->ranges);
  return self;
}

void
tt_halves_free (TtHalves *self)
{
  if (self == NULL)
    return;
  tt_spool_free (self->spool);
  g_free (self);
}

void
tt_halves_add (TtHalves *self, const TtBatch *batch)
{
  const TtHalfColumns *halves = &batch->halves;

  for (guint i = 0; i < halves->n; i++)
    {
      Half half = { .half = tt_message_half_of_row (halves, i), .source = batch->source };

      tt_message_half_widen (self->ranges, &half.half);
      tt_spool_add (self->spool, &half);
    }
}

/* -- joining -------------------------------------------------------------------------------------------- */

#define COLUMNS                                                                                  \
  "run, src_process, src_thread, dst_process, dst_thread, tag, comm, ordinal, send_ns, recv_ns," \
  " bytes, send_event, recv_event, flags, send_source, recv_source"

/* Receives are one column behind sends. */
static void
set_side (TtRowValue *values, const Half *half, gboolean is_recv)
{
  values[is_recv ? MESSAGE_DST_THREAD : MESSAGE_SRC_THREAD] = tt_row_int (half->half.thread);
  values[MESSAGE_SEND_NS + is_recv] = tt_row_int (half->half.ts_ns);
  values[MESSAGE_SEND_EVENT + is_recv] = tt_row_int_or_null ((gint64) half->event, 0);
  values[MESSAGE_SEND_SOURCE + is_recv] = tt_row_int (half->source);
}

static gboolean
write_message (gconstpointer send_record, gconstpointer recv_record, gint64 ordinal, gpointer data, GError **error)
{
  Writer *writer = data;
  const Half *send = send_record, *recv = recv_record;
  const Half *half = send != NULL ? send : recv;
  gint64 bytes = tt_message_half_bytes (send_record, recv_record);
  gint64 flags = half->half.onesided ? TT_MESSAGE_ONESIDED : 0;
  gboolean is_whole = (send != NULL && recv != NULL) || half->half.onesided > TT_ONESIDED;

  if (!is_whole)
    flags |= TT_MESSAGE_UNMATCHED;
  else if (send != NULL && recv != NULL && recv->half.ts_ns < send->half.ts_ns)
    flags |= TT_MESSAGE_RECV_BEFORE_SEND;
  writer->n_matched += is_whole;
  writer->n_unmatched += !is_whole;
  writer->bytes = MIN (writer->bytes + (guint64) MAX (bytes, 0), MAX_BYTES);

  TtRowValue values[MESSAGE_COLUMNS] = {
    [MESSAGE_RUN] = tt_row_int (writer->run),
    [MESSAGE_SRC_PROCESS] = tt_row_int (half->half.src),
    [MESSAGE_DST_PROCESS] = tt_row_int (half->half.dst),
    [MESSAGE_TAG] = tt_row_int (half->half.tag),
    [MESSAGE_COMM] = tt_row_int (half->half.comm),
    [MESSAGE_ORDINAL] = tt_row_int (ordinal),
    [MESSAGE_BYTES] = { .type = bytes < 0 ? TT_ROW_NULL : TT_ROW_INT, .integer = bytes },
    [MESSAGE_FLAGS] = tt_row_int (flags),
  };
  if (send != NULL)
    set_side (values, send, FALSE);
  if (recv != NULL)
    set_side (values, recv, TRUE);
  return tt_table_writer_add (writer->rows, values, error);
}

/* -- rows that are there already ----------------------------------------------------------------------- */

/* A row of a transfer of which only one side tells has that side alone, and lacks nothing. */
static guint32
onesided_of_row (sqlite3_stmt *row)
{
  gint64 flags = sqlite3_column_int64 (row, 5);
  gboolean has_send = sqlite3_column_type (row, 9) != SQLITE_NULL;
  gboolean has_recv = sqlite3_column_type (row, 13) != SQLITE_NULL;

  if ((flags & TT_MESSAGE_ONESIDED) == 0)
    return TT_NOT_ONESIDED;
  if ((flags & TT_MESSAGE_UNMATCHED) != 0 || has_send == has_recv)
    return TT_ONESIDED;
  return has_send ? TT_ONESIDED_PUT : TT_ONESIDED_GET;
}

/* One side of a row; within a channel rows come in the order of each side. */
static void
read_side (sqlite3_stmt *row, Half *half, gboolean is_send)
{
  int first = is_send ? 6 : 10;

  *half = (Half) {
    .half = {
      .src = (guint32) sqlite3_column_int64 (row, 0),
      .dst = (guint32) sqlite3_column_int64 (row, 1),
      .tag = sqlite3_column_int64 (row, 2),
      .comm = sqlite3_column_int64 (row, 3),
      .bytes = sqlite3_column_type (row, 4) == SQLITE_NULL ? -1 : sqlite3_column_int64 (row, 4),
      .onesided = onesided_of_row (row),
      .thread = (guint32) sqlite3_column_int64 (row, first),
      .ts_ns = sqlite3_column_int64 (row, first + 1),
      .order_ns = sqlite3_column_int64 (row, first + 1),
      .is_send = is_send,
    },
    .event = (guint64) sqlite3_column_int64 (row, first + 2),
    .source = (guint32) sqlite3_column_int64 (row, first + 3),
  };
}

#define OLD_ROWS                                                                                            \
  "SELECT src_process, dst_process, tag, comm, bytes, flags, src_thread, send_ns, send_event, send_source," \
  " dst_thread, recv_ns, recv_event, recv_source FROM message_row WHERE run = ?1 ORDER BY id"

gboolean
tt_lost_order_read (TtLostOrder *self, TtConnection *connection, guint32 run, GError **error)
{
  g_autoptr (sqlite3_stmt) row =
      tt_connection_prepare (connection,
                             "SELECT m.process, m.value FROM metadata_row m JOIN process_row p ON p.id = m.process"
                             " WHERE m.key = '" TT_ORDER_LOST_KEY "' AND p.run = ?1 ORDER BY m.process, m.thread",
                             error);
  GError *failure = NULL;

  if (row == NULL)
    return FALSE;
  sqlite3_bind_int64 (row, 1, run);
  while (tt_connection_step (connection, row, &failure))
    tt_lost_order_lose_text (self, tt_store_column_id (row, 0), (const char *) sqlite3_column_text (row, 1));
  return tt_store_finish (failure, error);
}

typedef void (*HandleHalf) (TtHalves *self, Half *half, gpointer data);

static gboolean
each_old_half (TtHalves *self, TtConnection *connection, guint32 run, HandleHalf handle, gpointer data, GError **error)
{
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (connection, OLD_ROWS, error);
  GError *failure = NULL;

  if (row == NULL)
    return FALSE;
  sqlite3_bind_int64 (row, 1, run);
  while (tt_connection_step (connection, row, &failure))
    for (int is_send = 0; is_send < 2; is_send++)
      {
        Half half;

        read_side (row, &half, is_send);
        if (half.source != 0)
          handle (self, &half, data);
      }
  return tt_store_finish (failure, error);
}

static void
widen_by_old (TtHalves *self, Half *half, gpointer data)
{
  tt_message_half_widen (self->ranges, &half->half);
}

typedef struct
{
  TtKeySort *sorts[2]; /* receives, sends */
  TtLostOrder *lost;
  GHashTable *highest[2]; /* thread -> highest time of the channel */
  Half last[2];
  gboolean any[2];
} OldHalves;

static void
sort_old (TtHalves *self, Half *half, gpointer data)
{
  OldHalves *old = data;
  guint side = half->half.is_send;
  gint64 *highest;

  if (!old->any[side] || tt_message_half_compare_channels (&half->half, &old->last[side].half) != 0)
    g_hash_table_remove_all (old->highest[side]);
  old->any[side] = TRUE;
  old->last[side] = *half;
  highest = g_hash_table_lookup (old->highest[side], GUINT_TO_POINTER (half->half.thread));
  if (highest == NULL)
    {
      highest = g_new (gint64, 1);
      *highest = half->half.ts_ns;
      g_hash_table_insert (old->highest[side], GUINT_TO_POINTER (half->half.thread), highest);
    }
  *highest = MAX (*highest, half->half.ts_ns);
  half->half.order_ns = *highest;
  if (tt_lost_order_has_any (old->lost))
    tt_lost_order_count (old->lost, &half->half);
  tt_key_sort_add (old->sorts[side], half);
}

static gboolean
sort_old_rows (TtHalves *self,
               TtConnection *connection,
               guint32 run,
               TtKeySort *const *sorts,
               TtLostOrder *lost,
               GError **error)
{
  OldHalves old = { .sorts = { sorts[0], sorts[1] }, .lost = lost };

  for (int side = 0; side < 2; side++)
    old.highest[side] = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  gboolean done = each_old_half (self, connection, run, sort_old, &old, error);
  for (int side = 0; side < 2; side++)
    g_hash_table_unref (old.highest[side]);
  return done;
}

static gboolean
sort_new (TtHalves *self, TtKeySort *const *sorts, TtLostOrder *lost, GError **error)
{
  g_autoptr (GArray) highest = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint64 i = 0; i < tt_spool_count (self->spool); i++)
    {
      Half half;

      tt_spool_get (self->spool, i, &half);
      half.event = tt_owners_event (self->owners, half.half.owner);
      half.half.order_ns = tt_running_max (highest, half.half.thread, half.half.ts_ns);
      if (tt_lost_order_has_any (lost))
        tt_lost_order_count (lost, &half.half);
      tt_key_sort_add (sorts[half.half.is_send], &half);
    }
  return tt_spool_check (self->spool, error) && tt_owners_check (self->owners, error);
}

static gboolean
write_all (TtKeySort *const *sorts, const TtLostOrder *lost, Writer *writer, guint64 *n_unsure, GError **error)
{
  g_autoptr (TtTableWriter) rows =
      tt_table_writer_new (writer->connection, "message_row", COLUMNS, MESSAGE_COLUMNS, error);
  guint64 first, last;

  writer->rows = rows;
  if (rows == NULL || !tt_message_half_pair (sorts[1], sorts[0], lost, write_message, writer, n_unsure, error) ||
      !tt_table_writer_finish (rows, &first, &last, error))
    return FALSE;

  gint64 values[] = { writer->run, (gint64) first, (gint64) last, (gint64) writer->n_matched, (gint64) writer->bytes };
  return tt_connection_exec_ints (writer->connection,
                                  "UPDATE run_row SET first_message = ?2, last_message = ?3, n_matched = ?4,"
                                  " message_bytes = ?5 WHERE id = ?1",
                                  values, 5, error);
}

gboolean
tt_halves_join (TtHalves *self,
                TtConnection *connection,
                guint32 run,
                gboolean again,
                TtLostOrder *lost,
                guint64 *n_unsure,
                GError **error)
{
  Writer writer = { .connection = connection, .run = run };
  gint64 this_run = run;

  if (again && !each_old_half (self, connection, run, widen_by_old, NULL, error))
    return FALSE;
  g_autoptr (TtKeySort) recvs =
      tt_key_sort_new (sizeof (Half), TT_N_HALF_FIELDS, self->ranges, tt_message_half_fields, SORT_BYTES);
  g_autoptr (TtKeySort) sends =
      tt_key_sort_new (sizeof (Half), TT_N_HALF_FIELDS, self->ranges, tt_message_half_fields, SORT_BYTES);
  TtKeySort *const sorts[] = { recvs, sends };

  tt_key_sort_sort_ahead (recvs);
  tt_key_sort_sort_ahead (sends);
  if (again && (!sort_old_rows (self, connection, run, sorts, lost, error) ||
                !tt_connection_exec_ints (connection, "DELETE FROM message_row WHERE run = ?1", &this_run, 1, error)))
    return FALSE;
  return sort_new (self, sorts, lost, error) && write_all (sorts, lost, &writer, n_unsure, error);
}
