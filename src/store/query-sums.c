/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/query-sums.h"

#include "src/store/query-split.h"

#include <string.h>

/* Up to here SQLite, which adds real numbers for these, loses nothing. */
#define MAX_REAL (G_GUINT64_CONSTANT (1) << 53)

typedef struct
{
  gint64 sum;
  guint64 size; /* sum of the values without their signs: at most G_MAXINT64 */
  guint64 n;
} Sum;

static void
refuse (sqlite3_context *context)
{
  sqlite3_result_error (context, "a sum that cannot be split", -1);
}

static guint64
size_of (gint64 value)
{
  return value < 0 ? -(guint64) value : (guint64) value;
}

static gboolean
add (Sum *self, const Sum *more)
{
  if (more->size > (guint64) G_MAXINT64 - self->size)
    return FALSE;
  self->sum += more->sum;
  self->size += more->size;
  self->n += more->n;
  return TRUE;
}

/* -- of a part -------------------------------------------------------------------------------------------------------- */

static void
step_part (sqlite3_context *context, int n, sqlite3_value **values)
{
  Sum *self = sqlite3_aggregate_context (context, sizeof *self);
  const int type = sqlite3_value_type (values[0]);

  (void) n;
  if (self == NULL || type == SQLITE_NULL)
    return;
  const gint64 value = sqlite3_value_int64 (values[0]);
  const Sum one = { value, size_of (value), 1 };
  if (type != SQLITE_INTEGER || !add (self, &one))
    refuse (context);
}

static void
finish_part (sqlite3_context *context)
{
  const Sum *self = sqlite3_aggregate_context (context, 0);

  if (self != NULL && self->n > 0)
    sqlite3_result_blob (context, self, sizeof *self, SQLITE_TRANSIENT);
}

gboolean
tt_query_sums_add_part (sqlite3 *db)
{
  return sqlite3_create_function_v2 (db, TT_PART_SUM, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, NULL, step_part,
                                     finish_part, NULL) == SQLITE_OK;
}

void
tt_query_sums_remove_part (sqlite3 *db)
{
  sqlite3_create_function_v2 (db, TT_PART_SUM, 1, SQLITE_UTF8, NULL, NULL, NULL, NULL, NULL);
}

/* -- of all ----------------------------------------------------------------------------------------------------------- */

static void
step_join (sqlite3_context *context, int n, sqlite3_value **values)
{
  Sum *self = sqlite3_aggregate_context (context, sizeof *self), more;

  (void) n;
  if (self == NULL || sqlite3_value_type (values[0]) == SQLITE_NULL)
    return;
  if (sqlite3_value_type (values[0]) != SQLITE_BLOB || sqlite3_value_bytes (values[0]) != (int) sizeof more)
    {
      refuse (context);
      return;
    }
  memcpy (&more, sqlite3_value_blob (values[0]), sizeof more);
  if (size_of (more.sum) > more.size || !add (self, &more))
    refuse (context);
}

static void
finish_sum (sqlite3_context *context)
{
  const Sum *self = sqlite3_aggregate_context (context, 0);

  if (self != NULL && self->n > 0)
    sqlite3_result_int64 (context, self->sum);
}

static void
finish_total (sqlite3_context *context)
{
  const Sum *self = sqlite3_aggregate_context (context, 0);

  if (self != NULL && self->size > MAX_REAL)
    refuse (context);
  else
    sqlite3_result_double (context, self == NULL ? 0 : (double) self->sum);
}

static void
finish_avg (sqlite3_context *context)
{
  const Sum *self = sqlite3_aggregate_context (context, 0);

  if (self == NULL || self->n == 0)
    return;
  if (self->size > MAX_REAL)
    refuse (context);
  else
    sqlite3_result_double (context, (double) self->sum / (double) self->n);
}

gboolean
tt_query_sums_add_joins (sqlite3 *db)
{
  const struct
  {
    const char *name;
    void (*finish) (sqlite3_context *context);
  } joins[] = { { TT_JOIN_SUM, finish_sum }, { TT_JOIN_TOTAL, finish_total }, { TT_JOIN_AVG, finish_avg } };

  for (guint i = 0; i < G_N_ELEMENTS (joins); i++)
    if (sqlite3_create_function_v2 (db, joins[i].name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, NULL, step_join,
                                    joins[i].finish, NULL) != SQLITE_OK)
      return FALSE;
  return TRUE;
}
