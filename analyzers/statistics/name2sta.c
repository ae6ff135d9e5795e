/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/name2sta.h"

#include "analyzers/statistics/fine-category.h"
#include "analyzers/statistics/op-rows.h"
#include "analyzers/statistics/op-sums.h"
#include "src/base/error.h"

#include <math.h>
#include <string.h>

/* Every operation lists all steps. */
#define MAX_STEP (1 << 24)

/* -- numbers ------------------------------------------------------------------------------------- */

/* Nanoseconds as milliseconds, exactly. */
static void
write_ms (TtOutput *out, tt_int128 ns)
{
  char digits[TT_INT128_TEXT];
  char fraction[8];
  guint len = 6;

  tt_output_text (out, tt_int128_text (digits, ns / 1000000));
  g_snprintf (fraction, sizeof fraction, "%06d", (int) (ns % 1000000));
  while (len > 0 && fraction[len - 1] == '0')
    fraction[--len] = '\0';
  if (len > 0)
    tt_output_printf (out, ".%s", fraction);
}

/* The shortest text that reads back as the same number. */
static void
write_real (TtOutput *out, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (!isfinite (value))
    {
      tt_output_literal (out, "null");
      return;
    }
  g_ascii_formatd (text, sizeof text, "%.15g", value);
  if (g_ascii_strtod (text, NULL) != value)
    g_ascii_formatd (text, sizeof text, "%.17g", value);
  tt_output_text (out, text);
}

static void
write_avg (TtOutput *out, tt_int128 sum_ns, guint64 count)
{
  tt_output_literal (out, "{\"avg\":");
  write_real (out, (double) sum_ns / (double) count / 1e6);
  tt_output_printf (out, ",\"cnt\":%" G_GUINT64_FORMAT ",\"time\":", count);
  write_ms (out, sum_ns);
}

static void
write_key (TtOutput *out, gboolean is_first, const char *key)
{
  tt_output_text (out, is_first ? "{\n" : ",\n");
  tt_output_json_string (out, key);
  tt_output_literal (out, ":");
}

static const char *
category_of (TtStore *store, guint32 id)
{
  const TtStoredName *name = tt_store_name (store, id);

  return name == NULL ? "" : tt_fine_category (name);
}

/* Free it. */
static char *
long_name_of (TtStore *store, TtGroupMember member)
{
  return tt_group_key_label (store, TT_KEY_OP_LONG_NAME, TT_NO_ID, member, tt_store_name (store, member.name));
}

/* -- name2sta ------------------------------------------------------------------------------------ */

/* null where the begins or ends of all its spans were lost. */
static void
write_known_ms (TtOutput *out, const TtTallyRow *sums, gint64 ns)
{
  if (tt_tally_row_is_bounded (sums))
    tt_output_literal (out, "null");
  else
    write_ms (out, ns);
}

static void
write_operation (TtStore *store, TtOutput *out, const TtOpRow *row)
{
  const TtTallyRow *sums = &row->sums;
  g_autofree char *name = long_name_of (store, row->member);

  write_key (out, row->id == 0, name);
  write_avg (out, sums->sum_ns, sums->count);
  tt_output_literal (out, ",\"min_t\":");
  write_known_ms (out, sums, sums->min_ns);
  tt_output_literal (out, ",\"max_t\":");
  write_known_ms (out, sums, sums->max_ns);
  tt_output_literal (out, ",\"median\":");
  write_known_ms (out, sums, sums->median_ns);
  tt_output_literal (out, ",\"var\":");
  write_real (out, tt_tally_variance_ns2 (sums->count, sums->sum_ns, sums->sum_sq) / 1e12);
  tt_output_literal (out, ",\"cat\":");
  tt_output_json_string (out, category_of (store, row->member.name));
  tt_output_printf (out, ",\"id\":%u,\"step_ids\":[", row->id);
}

static void
write_nulls (TtOutput *out, gint32 from, gint32 to)
{
  for (gint32 step = from; step < to; step++)
    tt_output_text (out, step == 0 ? "null" : ",null");
}

/* The last place of each step, or all places where there are no steps. */
static gboolean
write_places (TtOpRows *table, TtOutput *out, GError **error)
{
  gint32 n_steps = tt_op_rows_max_step (table) + 1, step = 0;
  gboolean is_first = TRUE;
  GError *failure = NULL;
  TtSpanPlace place;

  while (tt_op_rows_next_place (table, &place, &failure))
    {
      if (n_steps > 0)
        write_nulls (out, step, place.step);
      if (n_steps > 0 ? place.step > 0 : !is_first)
        tt_output_literal (out, ",");
      tt_output_int (out, (gint64) place.index);
      step = place.step + 1;
      is_first = FALSE;
    }
  write_nulls (out, step, n_steps);
  tt_output_literal (out, "]}");
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

/* FALSE: @error; none where another rank has failed. */
static gboolean
write_operations (TtStore *store, TtOpRows *table, TtOutput *out, guint *n_rows, GError **error)
{
  GError *failure = NULL;
  TtOpRow row;

  *n_rows = tt_op_rows_count (table);
  if (tt_op_rows_max_step (table) > MAX_STEP)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "the run has a step %d: too many steps for step_ids",
                   tt_op_rows_max_step (table));
      return FALSE;
    }
  guint n = 0;
  for (; tt_op_rows_next (table, &row, &failure); n++)
    {
      write_operation (store, out, &row);
      if (!write_places (table, out, &failure))
        break;
    }
  if (failure != NULL)
    g_propagate_error (error, failure);
  tt_output_text (out, *n_rows == 0 ? "{}\n" : "\n}\n");
  return failure == NULL && n == *n_rows;
}

gboolean
tt_name2sta_write (TtStore *store,
                   TtSelection *selection,
                   const TtCrew *crew,
                   TtOutput *out,
                   guint *n_rows,
                   GError **error)
{
  GError *own = NULL;

  if (crew != NULL && crew->rank > 0)
    return tt_op_rows_help (store, selection, crew, error);
  g_autoptr (TtOpRows) table = tt_op_rows_new (store, selection, crew, &own);
  const gboolean done = table != NULL && write_operations (store, table, out, n_rows, &own);
  if (crew != NULL)
    return tt_crew_end (crew, done, own, error);
  if (own != NULL)
    g_propagate_error (error, own);
  return done;
}

/* -- cat2sta ------------------------------------------------------------------------------------- */

typedef struct
{
  const char *category;
  tt_int128 sum_ns;
  guint64 count, n_operations;
  const TtOpSum *most; /* the operation with the largest average */
} Category;

static Category *
find_category (GArray *categories, const char *category)
{
  const Category new_one = { .category = category };

  for (guint i = 0; i < categories->len; i++)
    if (strcmp (g_array_index (categories, Category, i).category, category) == 0)
      return &g_array_index (categories, Category, i);
  g_array_append_val (categories, new_one);
  return &g_array_index (categories, Category, categories->len - 1);
}

static double
average_ns (const TtOpSum *sum)
{
  return (double) sum->sum_ns / (double) sum->count;
}

static void
add_operation (Category *self, const TtOpSum *operation)
{
  if (self->most == NULL || average_ns (operation) > average_ns (self->most))
    self->most = operation;
  self->sum_ns += operation->sum_ns;
  self->count += operation->count;
  self->n_operations++;
}

static void
write_category (TtStore *store, TtOutput *out, const Category *self, gboolean is_first)
{
  g_autofree char *most_name = long_name_of (store, self->most->member);

  write_key (out, is_first, self->category);
  write_avg (out, self->sum_ns, self->count);
  tt_output_printf (out, ",\"op_cnt\":%" G_GUINT64_FORMAT ",\"max_t\":", self->n_operations);
  write_real (out, average_ns (self->most) / 1e6);
  tt_output_literal (out, ",\"max_name\":");
  tt_output_json_string (out, most_name);
  tt_output_literal (out, "}");
}

gboolean
tt_cat2sta_write (TtStore *store,
                  TtSelection *selection,
                  const TtCrew *crew,
                  TtOutput *out,
                  guint *n_rows,
                  GError **error)
{
  g_autoptr (GArray) operations = tt_op_sums_new (store, selection, crew, error);
  g_autoptr (GArray) categories = g_array_new (FALSE, FALSE, sizeof (Category));

  if (operations == NULL)
    return FALSE;
  for (guint i = 0; i < operations->len; i++)
    {
      const TtOpSum *operation = &g_array_index (operations, TtOpSum, i);
      add_operation (find_category (categories, category_of (store, operation->member.name)), operation);
    }
  for (guint i = 0; i < categories->len; i++)
    write_category (store, out, &g_array_index (categories, Category, i), i == 0);
  *n_rows = categories->len;
  tt_output_text (out, *n_rows == 0 ? "{}\n" : "\n}\n");
  return TRUE;
}
