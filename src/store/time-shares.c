/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/time-shares.h"

#include "src/base/int128.h"
#include "src/store/private.h"
#include "src/store/scan.h"

#define N_BUCKETS 4096u

typedef struct
{
  gint64 first_ns;
  guint64 bucket_ns;
  guint64 change[N_BUCKETS + 1]; /* of the number of events from one bucket to the next */
} Buckets;

static guint
bucket_of (const Buckets *self, gint64 ns)
{
  return ns <= self->first_ns
             ? 0
             : (guint) MIN (((guint64) ns - (guint64) self->first_ns) / self->bucket_ns, N_BUCKETS - 1);
}

/* Spread evenly over the time. */
static void
add_events (Buckets *self, guint64 n, gint64 begin_ns, gint64 end_ns)
{
  const guint first = bucket_of (self, begin_ns), last = MAX (bucket_of (self, end_ns), first);
  const guint64 each = n / (last - first + 1);

  self->change[first] += each;
  self->change[last + 1] -= each;
  self->change[last] += n - each * (last - first + 1);
  self->change[last + 1] -= n - each * (last - first + 1);
}

/* Events come in the order of their ends: those of a piece end after those of the piece before. */
static gboolean
add_source (Buckets *self,
            const TtStore *store,
            const TtEventRange *source,
            sqlite3_stmt *piece,
            guint64 *n_all,
            GError **error)
{
  GError *failure = NULL;
  gboolean is_first = TRUE;
  gint64 begin_ns = 0;

  sqlite3_reset (piece);
  sqlite3_bind_int64 (piece, 1, (gint64) source->first);
  sqlite3_bind_int64 (piece, 2, (gint64) source->last);
  while (tt_connection_step (store->connection, piece, &failure))
    {
      const guint64 n = (guint64) sqlite3_column_int64 (piece, 1) - (guint64) sqlite3_column_int64 (piece, 0) + 1;
      const gint64 end_ns = sqlite3_column_int64 (piece, 3);

      add_events (self, n, is_first ? sqlite3_column_int64 (piece, 2) : begin_ns, end_ns);
      begin_ns = end_ns;
      is_first = FALSE;
      *n_all += n;
    }
  return tt_store_finish (failure, error);
}

static void
deal_out (const Buckets *self, guint64 n_all, guint n, gint64 *begins)
{
  guint64 n_in = 0, n_before = 0;
  guint share = 1;

  for (guint i = 0; i < N_BUCKETS && share < n; i++)
    {
      n_in += self->change[i];
      n_before += n_in;
      for (; share < n && (tt_uint128) n_before * n >= (tt_uint128) n_all * share; share++)
        begins[share] = (gint64) ((guint64) self->first_ns + self->bucket_ns * (i + 1));
    }
  for (; share < n; share++)
    begins[share] = G_MAXINT64;
  begins[0] = G_MININT64;
}

gboolean
tt_store_time_shares (TtStore *self, guint n, gint64 *begins, gboolean *are_known, GError **error)
{
  g_autofree Buckets *buckets = g_new0 (Buckets, 1);
  GError *failure = NULL;
  gint64 last_ns;
  guint64 n_all = 0;

  *are_known = tt_store_time_range (self, &buckets->first_ns, &last_ns, &failure);
  if (!*are_known)
    return failure == NULL || tt_store_finish (failure, error);
  buckets->bucket_ns = ((guint64) last_ns - (guint64) buckets->first_ns) / N_BUCKETS + 1;
  if (!tt_connection_enter (self->connection, error))
    return FALSE;
  g_autoptr (sqlite3_stmt) piece = tt_connection_prepare (
      self->connection,
      "SELECT id, last, first_ns, last_ns FROM event_block_row WHERE id BETWEEN ?1 AND ?2 ORDER BY id", error);
  gboolean is_ok = piece != NULL;
  for (guint i = 0; is_ok && *are_known && i < self->ranges->len; i++)
    {
      const TtEventRange *source = &g_array_index (self->ranges, TtEventRange, i);
      const guint64 n_before = n_all;
      if (source->last < source->first)
        continue;
      is_ok = add_source (buckets, self, source, piece, &n_all, error);
      *are_known = n_all > n_before;
    }
  tt_connection_leave (self->connection);
  *are_known &= n_all > 0;
  if (is_ok && *are_known)
    deal_out (buckets, n_all, n, begins);
  return is_ok;
}
