/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>

#include "src/base/compare.h"
#include "src/store/private.h"

/* -- aggregate functions that SQLite lacks ----------------------------------------------------------- */

typedef struct
{
  gint64 integer;
  double real;
} Value;

typedef struct
{
  GArray *values; /* of Value */
  gboolean has_reals;
  double percent;
} Sample;

static gint
compare_integers (gconstpointer a, gconstpointer b)
{
  const Value *x = a, *y = b;

  return TT_COMPARE (x->integer, y->integer);
}

static gint
compare_reals (gconstpointer a, gconstpointer b)
{
  const Value *x = a, *y = b;

  return TT_COMPARE (x->real, y->real);
}

static void
sample_step (sqlite3_context *context, int n, sqlite3_value **values)
{
  Sample *sample = sqlite3_aggregate_context (context, sizeof *sample);
  int type = sqlite3_value_numeric_type (values[0]);

  if (sample == NULL || (type != SQLITE_INTEGER && type != SQLITE_FLOAT))
    return;
  if (sample->values == NULL)
    sample->values = g_array_new (FALSE, FALSE, sizeof (Value));
  Value value = { sqlite3_value_int64 (values[0]), sqlite3_value_double (values[0]) };
  sample->has_reals |= type == SQLITE_FLOAT;
  if (n > 1)
    sample->percent = sqlite3_value_double (values[1]);
  g_array_append_val (sample->values, value);
}

/* @median: element floor (n/2) of the sorted values, else element ceil (p/100 n) - 1. */
static void
sample_final (sqlite3_context *context, gboolean median)
{
  Sample *sample = sqlite3_aggregate_context (context, 0);

  if (sample == NULL || sample->values == NULL)
    return;

  guint n = sample->values->len, index = n / 2;
  g_array_sort (sample->values, sample->has_reals ? compare_reals : compare_integers);
  if (!median && !(sample->percent >= 0 && sample->percent <= 100))
    sqlite3_result_error (context, "percentile() takes a percentage from 0 to 100", -1);
  else
    {
      if (!median)
        {
          double place = ceil (sample->percent * n / 100) - 1;
          index = place < 0 ? 0 : MIN ((guint) place, n - 1);
        }
      const Value *value = &g_array_index (sample->values, Value, index);
      if (sample->has_reals)
        sqlite3_result_double (context, value->real);
      else
        sqlite3_result_int64 (context, value->integer);
    }
  g_clear_pointer (&sample->values, g_array_unref);
}

static void
median_final (sqlite3_context *context)
{
  sample_final (context, TRUE);
}

static void
percentile_final (sqlite3_context *context)
{
  sample_final (context, FALSE);
}

typedef struct
{
  guint64 n;
  double mean, squares;
} Spread;

static void
spread_step (sqlite3_context *context, int n, sqlite3_value **values)
{
  Spread *spread = sqlite3_aggregate_context (context, sizeof *spread);

  if (spread == NULL || sqlite3_value_type (values[0]) == SQLITE_NULL)
    return;
  double value = sqlite3_value_double (values[0]), delta = value - spread->mean;
  spread->n++;
  spread->mean += delta / (double) spread->n;
  spread->squares += delta * (value - spread->mean);
}

static void
spread_final (sqlite3_context *context)
{
  const Spread *spread = sqlite3_aggregate_context (context, 0);

  if (spread != NULL && spread->n > 0)
    sqlite3_result_double (context, sqrt (spread->squares / (double) spread->n));
}

void
tt_store_register_functions (sqlite3 *db)
{
  const int kind = SQLITE_UTF8 | SQLITE_DETERMINISTIC;

  sqlite3_create_function_v2 (db, "median", 1, kind, NULL, NULL, sample_step, median_final, NULL);
  sqlite3_create_function_v2 (db, "percentile", 2, kind, NULL, NULL, sample_step, percentile_final, NULL);
  sqlite3_create_function_v2 (db, "stddev", 1, kind, NULL, NULL, spread_step, spread_final, NULL);
}
