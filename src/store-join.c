#include "config.h"

#include "src/store-join.h"

#include <string.h>

#include "src/key-sort.h"
#include "src/sorter.h"
#include "src/spill.h"

#define SPOOL_CACHE_BYTES ((gsize) 4 << 20)
#define OWNER_CACHE_BYTES ((gsize) 4 << 20)
/* A sum that no run of messages reaches, and that runs can be added up of. */
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

/* -- halves ------------------------------------------------------------------------------------------- */

typedef struct
{
  guint32 src, dst; /* processes */
  gint64 tag, comm;
  gint64 ts_ns;
  gint64 order_ns; /* ts_ns, but never less than that of the half before it on its thread */
  gint64 bytes;
  guint64 event; /* in the spool: the owner */
  guint32 thread, source;
  guint32 is_send, is_onesided;
} Half;

enum
{
  FIELD_SRC,
  FIELD_DST,
  FIELD_TAG,
  FIELD_COMM,
  FIELD_ONESIDED,
  FIELD_ORDER,
  FIELD_THREAD,
  N_FIELDS,
};

struct _TtHalves
{
  TtSpool *spool;
  TtSpill *owners; /* owner -> event id */
  guint32 max_owner;
  TtKeyRange ranges[N_FIELDS];
};

typedef struct
{
  sqlite3_stmt *insert;
  const char *path;
  guint32 run;
  Half last; /* of the channel that was written last */
  gint64 ordinal;
  guint64 n_matched, n_unmatched, bytes;
} Writer;

static void
half_fields (const void *record, guint64 *fields)
{
  const Half *half = record;

  fields[FIELD_SRC] = half->src;
  fields[FIELD_DST] = half->dst;
  fields[FIELD_TAG] = tt_sort_key (half->tag);
  fields[FIELD_COMM] = tt_sort_key (half->comm);
  fields[FIELD_ONESIDED] = half->is_onesided;
  fields[FIELD_ORDER] = tt_sort_key (half->order_ns);
  fields[FIELD_THREAD] = half->thread;
}

TtHalves *
tt_halves_new (void)
{
  TtHalves *self = g_new0 (TtHalves, 1);

  self->spool = tt_spool_new (sizeof (Half));
  self->owners = tt_spill_new (OWNER_CACHE_BYTES);
  for (int i = 0; i < N_FIELDS; i++)
    self->ranges[i] = (TtKeyRange) TT_KEY_RANGE_INIT;
  return self;
}

void
tt_halves_free (TtHalves *self)
{
  if (self == NULL)
    return;
  tt_spool_free (self->spool);
  tt_spill_free (self->owners);
  g_free (self);
}

/* The order is a highest time so far, so it stays within the range of the times. */
static void
widen_ranges (TtHalves *self, const Half *half)
{
  guint64 fields[N_FIELDS];

  half_fields (half, fields);
  for (int i = 0; i < N_FIELDS; i++)
    tt_key_range_add (&self->ranges[i], fields[i]);
}

void
tt_halves_add (TtHalves *self, const TtBatch *batch)
{
  const TtHalfColumns *halves = &batch->halves;
  const TtOwnerColumns *owners = &batch->owners;

  for (guint i = 0; i < halves->n; i++)
    {
      gboolean is_send = halves->is_send[i] != 0;
      Half half = {
        .src = is_send ? halves->own[i] : halves->peer[i],
        .dst = is_send ? halves->peer[i] : halves->own[i],
        .tag = halves->tag[i],
        .comm = halves->comm[i],
        .ts_ns = halves->ts_ns[i],
        .order_ns = halves->ts_ns[i],
        .bytes = halves->bytes[i],
        .event = halves->owner[i],
        .thread = halves->thread[i],
        .source = batch->source,
        .is_send = is_send,
        .is_onesided = halves->is_onesided[i] != 0,
      };

      widen_ranges (self, &half);
      tt_spool_add (self->spool, &half);
    }
  for (guint i = 0; i < owners->n; i++)
    {
      tt_spill_write (self->owners, 8 * (guint64) owners->owner[i], &owners->event[i], 8);
      self->max_owner = MAX (self->max_owner, owners->owner[i]);
    }
}

/* -- joining -------------------------------------------------------------------------------------------- */

static int
compare_channels (const Half *a, const Half *b)
{
  guint64 x[N_FIELDS], y[N_FIELDS];

  half_fields (a, x);
  half_fields (b, y);
  for (int i = 0; i < FIELD_ORDER; i++)
    if (x[i] != y[i])
      return x[i] < y[i] ? -1 : 1;
  return 0;
}

static void
bind_side (sqlite3_stmt *insert, const Half *half, int thread, int ns, int event, int source)
{
  if (half == NULL)
    {
      sqlite3_bind_null (insert, thread);
      sqlite3_bind_null (insert, ns);
      sqlite3_bind_null (insert, event);
      sqlite3_bind_null (insert, source);
      return;
    }
  sqlite3_bind_int64 (insert, thread, half->thread);
  sqlite3_bind_int64 (insert, ns, half->ts_ns);
  tt_store_bind_event (insert, event, half->event);
  sqlite3_bind_int64 (insert, source, half->source);
}

/* A receive may only know the size of its buffer, so its length counts only where nothing else is
 * known of a one-sided transfer. */
static gint64
message_bytes (const Half *send, const Half *recv)
{
  if (send != NULL && send->bytes >= 0)
    return send->bytes;
  return recv != NULL && recv->is_onesided ? recv->bytes : -1;
}

static gboolean
write_message (Writer *writer, const Half *send, const Half *recv, GError **error)
{
  const Half *half = send != NULL ? send : recv;
  gint64 bytes = message_bytes (send, recv);
  gint64 flags = half->is_onesided ? TT_MESSAGE_ONESIDED : 0;
  GError *failure = NULL;

  if (writer->ordinal < 0 || compare_channels (half, &writer->last) != 0)
    writer->ordinal = 0;
  else
    writer->ordinal++;
  writer->last = *half;
  if (send == NULL || recv == NULL)
    flags |= TT_MESSAGE_UNMATCHED;
  else if (recv->ts_ns < send->ts_ns)
    flags |= TT_MESSAGE_RECV_BEFORE_SEND;
  writer->n_matched += send != NULL && recv != NULL;
  writer->n_unmatched += send == NULL || recv == NULL;
  writer->bytes = MIN (writer->bytes + (guint64) MAX (bytes, 0), MAX_BYTES);

  sqlite3_bind_int64 (writer->insert, 1, writer->run);
  sqlite3_bind_int64 (writer->insert, 2, half->src);
  sqlite3_bind_int64 (writer->insert, 3, half->dst);
  sqlite3_bind_int64 (writer->insert, 4, half->tag);
  sqlite3_bind_int64 (writer->insert, 5, half->comm);
  sqlite3_bind_int64 (writer->insert, 6, writer->ordinal);
  if (bytes < 0)
    sqlite3_bind_null (writer->insert, 7);
  else
    sqlite3_bind_int64 (writer->insert, 7, bytes);
  sqlite3_bind_int64 (writer->insert, 8, flags);
  bind_side (writer->insert, send, 9, 10, 11, 12);
  bind_side (writer->insert, recv, 13, 14, 15, 16);
  tt_store_step (writer->insert, writer->path, &failure);
  sqlite3_reset (writer->insert);
  return tt_store_finish (failure, error);
}

/* The k-th send of a channel belongs to its k-th receive. */
static gboolean
pair_up (TtKeySort *sends, TtKeySort *recvs, Writer *writer, GError **error)
{
  GError *failure = NULL;
  const Half *send, *recv;

  if (!tt_key_sort_finish (sends, error) || !tt_key_sort_finish (recvs, error))
    return FALSE;
  send = tt_key_sort_next (sends, &failure);
  recv = failure == NULL ? tt_key_sort_next (recvs, &failure) : NULL;
  while (failure == NULL && (send != NULL || recv != NULL))
    {
      int order = send == NULL ? 1 : recv == NULL ? -1 : compare_channels (send, recv);

      if (!write_message (writer, order <= 0 ? send : NULL, order >= 0 ? recv : NULL, error))
        return FALSE;
      if (order <= 0)
        send = tt_key_sort_next (sends, &failure);
      if (order >= 0 && failure == NULL)
        recv = tt_key_sort_next (recvs, &failure);
    }
  return tt_store_finish (failure, error);
}

/* -- rows that are there already ----------------------------------------------------------------------- */

/* Takes the sides of a row into @halves; within a channel they come in the order of their side. */
static void
take_row (sqlite3_stmt *row, Half *half, gboolean is_send)
{
  int first = is_send ? 6 : 10;

  *half = (Half) {
    .src = (guint32) sqlite3_column_int64 (row, 0),
    .dst = (guint32) sqlite3_column_int64 (row, 1),
    .tag = sqlite3_column_int64 (row, 2),
    .comm = sqlite3_column_int64 (row, 3),
    .bytes = sqlite3_column_type (row, 4) == SQLITE_NULL ? -1 : sqlite3_column_int64 (row, 4),
    .is_onesided = (sqlite3_column_int64 (row, 5) & TT_MESSAGE_ONESIDED) != 0,
    .thread = (guint32) sqlite3_column_int64 (row, first),
    .ts_ns = sqlite3_column_int64 (row, first + 1),
    .event = (guint64) sqlite3_column_int64 (row, first + 2),
    .source = (guint32) sqlite3_column_int64 (row, first + 3),
    .is_send = is_send,
  };
  half->order_ns = half->ts_ns;
}

#define OLD_ROWS \
  "SELECT src_process, dst_process, tag, comm, bytes, flags, src_thread, send_ns, send_event, send_source," \
  " dst_thread, recv_ns, recv_event, recv_source FROM message_row WHERE run = ?1 ORDER BY id"

typedef void (*HandleHalf) (TtHalves *self, Half *half, gpointer data);

static gboolean
each_old_half (TtHalves *self, sqlite3 *db, const char *path, guint32 run, HandleHalf handle, gpointer data, GError **error)
{
  g_autoptr (sqlite3_stmt) row = tt_store_prepare (db, path, OLD_ROWS, error);
  GError *failure = NULL;

  if (row == NULL)
    return FALSE;
  sqlite3_bind_int64 (row, 1, run);
  while (tt_store_step (row, path, &failure))
    for (int is_send = 0; is_send < 2; is_send++)
      {
        Half half;

        take_row (row, &half, is_send);
        if (half.source != 0)
          handle (self, &half, data);
      }
  return tt_store_finish (failure, error);
}

static void
widen_by_old (TtHalves *self, Half *half, gpointer data)
{
  widen_ranges (self, half);
}

typedef struct
{
  TtKeySort *sorts[2]; /* receives, sends */
  GHashTable *highest[2]; /* thread -> highest time of the channel */
  Half last[2];
  gboolean any[2];
} OldHalves;

static void
sort_old (TtHalves *self, Half *half, gpointer data)
{
  OldHalves *old = data;
  guint side = half->is_send;
  gint64 *highest;

  if (!old->any[side] || compare_channels (half, &old->last[side]) != 0)
    g_hash_table_remove_all (old->highest[side]);
  old->any[side] = TRUE;
  old->last[side] = *half;
  highest = g_hash_table_lookup (old->highest[side], GUINT_TO_POINTER (half->thread));
  if (highest == NULL)
    {
      highest = g_new (gint64, 1);
      *highest = half->ts_ns;
      g_hash_table_insert (old->highest[side], GUINT_TO_POINTER (half->thread), highest);
    }
  *highest = MAX (*highest, half->ts_ns);
  half->order_ns = *highest;
  tt_key_sort_add (old->sorts[side], half);
}

static gboolean
sort_old_rows (TtHalves *self, sqlite3 *db, const char *path, guint32 run, TtKeySort *const *sorts, GError **error)
{
  OldHalves old = { .sorts = { sorts[0], sorts[1] } };

  for (int side = 0; side < 2; side++)
    old.highest[side] = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  gboolean done = each_old_half (self, db, path, run, sort_old, &old, error);
  for (int side = 0; side < 2; side++)
    g_hash_table_unref (old.highest[side]);
  return done;
}

static gboolean
sort_new (TtHalves *self, TtKeySort *const *sorts, GError **error)
{
  g_autoptr (GArray) highest = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint64 i = 0; i < tt_spool_count (self->spool); i++)
    {
      Half half;
      guint64 event = 0;

      tt_spool_get (self->spool, i, &half);
      if (half.event != 0 && half.event <= self->max_owner)
        tt_spill_read (self->owners, 8 * half.event, &event, 8);
      half.event = event;
      half.order_ns = tt_running_max (highest, half.thread, half.ts_ns);
      tt_key_sort_add (sorts[half.is_send], &half);
    }
  return tt_spool_check (self->spool, error) && tt_spill_check (self->owners, error);
}

static gboolean
write_all (TtHalves *self, TtKeySort *const *sorts, sqlite3 *db, Writer *writer, GError **error)
{
  gint64 last;
  g_autoptr (sqlite3_stmt) insert = tt_store_prepare (
      db,
      writer->path,
      "INSERT INTO message_row (run, src_process, dst_process, tag, comm, ordinal, bytes, flags, src_thread,"
      " send_ns, send_event, send_source, dst_thread, recv_ns, recv_event, recv_source)"
      " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
      error);

  if (insert == NULL || !tt_store_get_int (db, writer->path, "SELECT max (id) FROM message_row", &last, error))
    return FALSE;
  writer->insert = insert;
  if (!pair_up (sorts[1], sorts[0], writer, error))
    return FALSE;

  gint64 n = (gint64) (writer->n_matched + writer->n_unmatched);
  gint64 values[] = { writer->run, last + 1, last + n, (gint64) writer->n_matched, (gint64) writer->bytes };
  return tt_store_exec_ints (db,
                             writer->path,
                             "UPDATE run_row SET first_message = ?2, last_message = ?3, n_matched = ?4,"
                             " message_bytes = ?5 WHERE id = ?1",
                             values,
                             5,
                             error);
}

gboolean
tt_halves_join (TtHalves *self,
                sqlite3 *db,
                const char *path,
                guint32 run,
                gboolean again,
                guint64 *n_matched,
                guint64 *n_unmatched,
                GError **error)
{
  Writer writer = { .path = path, .run = run, .ordinal = -1 };
  gint64 this_run = run;

  if (again && !each_old_half (self, db, path, run, widen_by_old, NULL, error))
    return FALSE;
  g_autoptr (TtKeySort) recvs = tt_key_sort_new (sizeof (Half), N_FIELDS, self->ranges, half_fields, SORT_BYTES);
  g_autoptr (TtKeySort) sends = tt_key_sort_new (sizeof (Half), N_FIELDS, self->ranges, half_fields, SORT_BYTES);
  TtKeySort *const sorts[] = { recvs, sends };

  if (again && (!sort_old_rows (self, db, path, run, sorts, error) ||
                !tt_store_exec_ints (db, path, "DELETE FROM message_row WHERE run = ?1", &this_run, 1, error)))
    return FALSE;
  if (!sort_new (self, sorts, error) || !write_all (self, sorts, db, &writer, error))
    return FALSE;
  *n_matched = writer.n_matched;
  *n_unmatched = writer.n_unmatched;
  return TRUE;
}
