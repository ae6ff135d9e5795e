/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/import/args.h"

#include "src/store/args-number.h"
#include "src/store/import/args-forms.h"
#include "src/store/schema.h"
#include "src/trace/args-merge.h"

#include <string.h>

/* Room for the rest of the row within the longest that SQLite takes. */
#define ROW_OVERHEAD 64
/* As `at` of a row: it went into another one. */
#define TAKEN G_MAXUINT64
/* Merging on and on within a batch must not fill the memory. */
#define MAX_TEXT ((gsize) 8 << 20)

struct _TtStoreArgs
{
  TtConnection *connection;
  TtRepairs *repairs;
  sqlite3_blob *open; /* what pieces are written to */
  guint64 open_id, skipped_id;
  GArray *later;       /* of guint: merges of the batch that wait for the table */
  GHashTable *waiting; /* ids that take part in those */
  GString *merged;
  sqlite3_stmt *make, *get, *set, *drop, *drop_filled;
  gboolean is_changed;
  TtArgsForms *forms; /* NULL until the first batch with arguments */
  TtFilledArgs filled;
};

TtStoreArgs *
tt_store_args_new (TtConnection *connection, TtRepairs *repairs)
{
  TtStoreArgs *self = g_new0 (TtStoreArgs, 1);

  self->connection = connection;
  self->repairs = repairs;
  self->later = g_array_new (FALSE, FALSE, sizeof (guint));
  self->waiting = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->merged = g_string_new (NULL);
  self->filled = (TtFilledArgs){
    .id = g_new (guint64, TT_BATCH_ROWS),
    .form = g_new (guint32, TT_BATCH_ROWS),
    .first = g_new (guint32, TT_BATCH_ROWS),
    .n_numbers = g_new (guint8, TT_BATCH_ROWS),
    .numbers = g_new (gint64, TT_BATCH_ROWS * TT_ARGS_NUMBERS),
  };
  return self;
}

void
tt_store_args_free (TtStoreArgs *self)
{
  if (self == NULL)
    return;
  sqlite3_blob_close (self->open);
  sqlite3_finalize (self->make);
  sqlite3_finalize (self->get);
  sqlite3_finalize (self->set);
  sqlite3_finalize (self->drop);
  sqlite3_finalize (self->drop_filled);
  tt_args_forms_free (self->forms);
  g_free (self->filled.id);
  g_free (self->filled.form);
  g_free (self->filled.first);
  g_free (self->filled.n_numbers);
  g_free (self->filled.numbers);
  g_array_unref (self->later);
  g_hash_table_unref (self->waiting);
  g_string_free (self->merged, TRUE);
  g_free (self);
}

gboolean
tt_store_args_changed (TtStoreArgs *self)
{
  gboolean is_changed = self->is_changed;

  self->is_changed = FALSE;
  return is_changed;
}

/* Runs @sql, which stays prepared in *@statement, with one or two values; @text may be NULL. */
static gboolean
run_statement (TtStoreArgs *self,
               sqlite3_stmt **statement,
               const char *sql,
               guint64 id,
               const GString *text,
               GError **error)
{
  GError *failure = NULL;

  if (*statement == NULL)
    *statement = tt_connection_prepare (self->connection, sql, error);
  if (*statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (*statement, 1, (gint64) id);
  if (text != NULL)
    sqlite3_bind_text64 (*statement, 2, text->str, text->len, SQLITE_STATIC, SQLITE_UTF8);
  tt_connection_step (self->connection, *statement, &failure);
  sqlite3_reset (*statement);
  self->is_changed = TRUE;
  return tt_store_finish (failure, error);
}

/* -- pieces -------------------------------------------------------------------------------------------- */

static gboolean
close_open (TtStoreArgs *self, GError **error)
{
  int code = sqlite3_blob_close (g_steal_pointer (&self->open));

  self->open_id = 0;
  return code == SQLITE_OK || tt_connection_fail (self->connection, "write", error);
}

static gboolean
begin_pieces (TtStoreArgs *self, guint64 id, guint64 total, GError **error)
{
  if (!close_open (self, error))
    return FALSE;
  if (total > (guint64) sqlite3_limit (self->connection->db, SQLITE_LIMIT_LENGTH, -1) - ROW_OVERHEAD)
    {
      tt_repairs_add (self->repairs, TT_REPAIR_ARGS_TOO_LONG, 0);
      self->skipped_id = id;
      return TRUE;
    }
  if (self->make == NULL)
    self->make = tt_connection_prepare (self->connection, "INSERT INTO args_row (id, json) VALUES (?1, ?2)", error);
  if (self->make == NULL)
    return FALSE;
  sqlite3_bind_zeroblob64 (self->make, 2, total);
  if (!run_statement (self, &self->make, NULL, id, NULL, error))
    return FALSE;
  if (sqlite3_blob_open (self->connection->db, "main", "args_row", "json", (gint64) id, 1, &self->open) != SQLITE_OK)
    return tt_connection_fail (self->connection, "write", error);
  self->open_id = id;
  return TRUE;
}

static gboolean
write_piece (TtStoreArgs *self, const TtBatch *batch, guint i, GError **error)
{
  const TtArgsColumns *args = &batch->args;

  if (args->at[i] == 0 && !begin_pieces (self, args->id[i], args->total[i], error))
    return FALSE;
  if (args->id[i] == self->skipped_id)
    return TRUE;
  g_return_val_if_fail (args->id[i] == self->open_id, TRUE);
  if (sqlite3_blob_write (self->open, tt_batch_text (batch, args->text[i]), (int) args->len[i], (int) args->at[i]) !=
      SQLITE_OK)
    return tt_connection_fail (self->connection, "write", error);
  return args->at[i] + args->len[i] < args->total[i] || close_open (self, error);
}

/* -- texts of those that came as numbers ------------------------------------------------------------------ */

/* What a form tells of its first arguments holds for all of them. */
G_STATIC_ASSERT (TT_ARGS_FORM_MOST_NUMBERS <= TT_ARGS_NUMBERS);
G_STATIC_ASSERT (TT_ARGS_FORM_MOST_BYTES <= TT_ARGS_FORM_BYTES);
G_STATIC_ASSERT (TT_ARGS_DIGITS == 18 && TT_ARGS_FORM_DECIMAL_END == G_GINT64_CONSTANT (1000000000000000000));

/* The numbers stay where they are. */
static void
make_text (TtStoreArgs *self, TtBatch *batch, guint i)
{
  TtArgsColumns *args = &batch->args;
  const TtArgsForm *form = args->form[i];
  gint64 numbers[TT_ARGS_NUMBERS];

  if (form == NULL)
    return;
  memcpy (numbers, tt_batch_text (batch, args->text[i]), form->n_numbers * sizeof *numbers);
  g_string_truncate (self->merged, 0);
  g_warn_if_fail (tt_args_fill (form->format, form->len, numbers, form->n_numbers, self->merged));
  args->text[i] = tt_batch_add_text (batch, self->merged->str, (gssize) self->merged->len);
  args->len[i] = (guint32) self->merged->len;
  args->total[i] = self->merged->len;
  args->form[i] = NULL;
}

/* -- merging within a batch ----------------------------------------------------------------------------- */

/* Row of the whole arguments @id, or -1. */
static gint
find_row (const TtArgsColumns *args, guint64 id)
{
  guint low = 0, high = args->n;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      if (args->id[middle] < id)
        low = middle + 1;
      else
        high = middle;
    }
  return low < args->n && args->id[low] == id && args->len[low] == args->total[low] ? (gint) low : -1;
}

static gboolean
is_waiting (const TtStoreArgs *self, guint64 id)
{
  return g_hash_table_size (self->waiting) > 0 && g_hash_table_contains (self->waiting, &id);
}

static void
merge_later (TtStoreArgs *self, const TtArgsMergeColumns *merges, guint i)
{
  g_array_append_val (self->later, i);
  if (merges->args[i] != 0)
    g_hash_table_add (self->waiting, g_memdup2 (&merges->args[i], sizeof merges->args[i]));
  g_hash_table_add (self->waiting, g_memdup2 (&merges->more[i], sizeof merges->more[i]));
}

/* Of several merges each sees what the ones before it left, so one that waits makes those after it wait. */
static void
merge_in_batch (TtStoreArgs *self, TtBatch *batch)
{
  TtArgsColumns *args = &batch->args;
  const TtArgsMergeColumns *merges = &batch->merges;

  for (guint i = 0; i < merges->n; i++)
    {
      gint first = find_row (args, merges->args[i]), more = find_row (args, merges->more[i]);

      if (merges->args[i] == merges->more[i])
        continue;
      if (merges->args[i] == 0 && more >= 0 && !is_waiting (self, merges->more[i]))
        {
          args->at[more] = TAKEN;
          continue;
        }
      if (first < 0 || more < 0 || batch->text->len > MAX_TEXT || is_waiting (self, merges->args[i]) ||
          is_waiting (self, merges->more[i]))
        {
          merge_later (self, merges, i);
          continue;
        }
      make_text (self, batch, (guint) first);
      make_text (self, batch, (guint) more);
      g_string_truncate (self->merged, 0);
      if (tt_args_merge (tt_batch_text (batch, args->text[first]), args->len[first],
                         tt_batch_text (batch, args->text[more]), args->len[more], self->merged))
        {
          args->text[first] = tt_batch_add_text (batch, self->merged->str, (gssize) self->merged->len);
          args->len[first] = (guint32) self->merged->len;
          args->total[first] = self->merged->len;
        }
      else
        tt_repairs_add (self->repairs, TT_REPAIR_ARGS_NOT_MERGED, 0);
      args->at[more] = TAKEN;
    }
}

/* -- forms ------------------------------------------------------------------------------------------------ */

/* The form of whole arguments, and their @numbers. 0: they stay a text, and are one. */
static guint32
find_form (TtStoreArgs *self, TtBatch *batch, guint i, gint64 *numbers, guint *n_numbers)
{
  const TtArgsColumns *args = &batch->args;
  const TtArgsForm *told = args->form[i];
  const guint32 told_at = args->text[i];

  if (told != NULL)
    {
      const guint32 known = tt_args_forms_find_told (self->forms, told);
      *n_numbers = told->n_numbers;
      memcpy (numbers, tt_batch_text (batch, told_at), told->n_numbers * sizeof *numbers);
      if (G_LIKELY (known != 0))
        return known;
      make_text (self, batch, i);
    }
  const guint32 form =
      tt_args_forms_find (self->forms, tt_batch_text (batch, args->text[i]), args->len[i], numbers, n_numbers);
  if (told != NULL && form != 0 && *n_numbers == told->n_numbers &&
      memcmp (numbers, tt_batch_text (batch, told_at), told->n_numbers * sizeof *numbers) == 0)
    tt_args_forms_learn (self->forms, told, form);
  return form;
}

/* TRUE: the whole arguments of row @i are in `filled`. Those that wait for the table stay texts, for they will be others. */
static gboolean
fill (TtStoreArgs *self, TtBatch *batch, guint i)
{
  const TtArgsColumns *args = &batch->args;
  TtFilledArgs *filled = &self->filled;
  const guint32 first = filled->n == 0 ? 0 : filled->first[filled->n - 1] + filled->n_numbers[filled->n - 1];
  guint n_numbers;

  if (is_waiting (self, args->id[i]))
    {
      make_text (self, batch, i);
      return FALSE;
    }
  const guint32 form = find_form (self, batch, i, filled->numbers + first, &n_numbers);
  if (form == 0)
    return FALSE;
  filled->id[filled->n] = args->id[i];
  filled->form[filled->n] = form;
  filled->first[filled->n] = first;
  filled->n_numbers[filled->n++] = (guint8) n_numbers;
  return TRUE;
}

/* -- a batch ---------------------------------------------------------------------------------------------- */

gboolean
tt_store_args_are_pieces (const TtBatch *batch)
{
  for (guint i = 0; i < batch->args.n; i++)
    if (batch->args.len[i] < batch->args.total[i])
      return TRUE;
  return FALSE;
}

gboolean
tt_store_args_take (TtStoreArgs *self, TtBatch *batch, guint64 *n_args, GError **error)
{
  TtArgsColumns *args = &batch->args;
  guint n = 0;

  self->filled.n = 0;
  batch->filled = &self->filled;
  if (args->n == 0 && batch->merges.n == 0)
    return TRUE;
  if (self->forms == NULL && (self->forms = tt_args_forms_new (self->connection, error)) == NULL)
    return FALSE;
  merge_in_batch (self, batch);
  for (guint i = 0; i < args->n; i++)
    {
      if (args->at[i] == TAKEN)
        continue;
      if (args->len[i] < args->total[i])
        {
          if (!write_piece (self, batch, i, error))
            return FALSE;
          *n_args += args->at[i] == 0 && self->skipped_id != args->id[i];
          continue;
        }
      if (fill (self, batch, i))
        continue;
      args->id[n] = args->id[i];
      args->text[n] = args->text[i];
      args->len[n] = args->len[i];
      args->at[n] = 0;
      args->total[n] = args->total[i];
      n++;
    }
  args->n = n;
  *n_args += n + self->filled.n;
  return tt_args_forms_write (self->forms, error);
}

gboolean
tt_store_args_wait (const TtStoreArgs *self)
{
  return self->later->len > 0;
}

/* -- merging in the table -------------------------------------------------------------------------------- */

/* NULL without @error: there is none that could be merged. Free it. */
static GString *
get_json (TtStoreArgs *self, guint64 id, GError **error)
{
  GError *failure = NULL;
  GString *json = NULL;

  if (self->get == NULL)
    self->get = tt_connection_prepare (
        self->connection,
        "SELECT json FROM args_row WHERE id = ?1"
        " AND (typeof (json) = 'text' OR length (json) <= ?2)"
        " UNION ALL SELECT " TT_SCHEMA_FILLED_ARGS ("?1") " WHERE EXISTS (SELECT 1 FROM args_filled_row WHERE id = ?1)",
        error);
  if (self->get == NULL)
    return NULL;
  sqlite3_bind_int64 (self->get, 1, (gint64) id);
  sqlite3_bind_int64 (self->get, 2, (gint64) TT_MAX_MERGED_ARGS);
  if (tt_connection_step (self->connection, self->get, &failure))
    {
      const char *text = (const char *) sqlite3_column_text (self->get, 0);
      gsize len = (gsize) sqlite3_column_bytes (self->get, 0);
      if (len <= TT_MAX_MERGED_ARGS)
        json = g_string_new_len (text, (gssize) len);
    }
  sqlite3_reset (self->get);
  if (failure != NULL)
    g_propagate_error (error, failure);
  return json;
}

static gboolean
drop_filled (TtStoreArgs *self, guint64 id, GError **error)
{
  return run_statement (self, &self->drop_filled, "DELETE FROM args_filled_row WHERE id = ?1", id, NULL, error);
}

/* *@n_args becomes less by what was there. */
static gboolean
drop (TtStoreArgs *self, guint64 id, guint64 *n_args, GError **error)
{
  const sqlite3_int64 before = sqlite3_total_changes64 (self->connection->db);

  if (!run_statement (self, &self->drop, "DELETE FROM args_row WHERE id = ?1", id, NULL, error) ||
      !drop_filled (self, id, error))
    return FALSE;
  *n_args -= MIN (*n_args, (guint64) (sqlite3_total_changes64 (self->connection->db) - before));
  return TRUE;
}

static gboolean
merge_in_table (TtStoreArgs *self, guint64 first_id, guint64 more_id, guint64 *n_args, GError **error)
{
  if (first_id == 0)
    return drop (self, more_id, n_args, error);
  GError *failure = NULL;
  g_autoptr (GString) first = get_json (self, first_id, &failure);
  g_autoptr (GString) more = failure == NULL ? get_json (self, more_id, &failure) : NULL;

  if (failure != NULL)
    return tt_store_finish (failure, error);
  g_string_truncate (self->merged, 0);
  if (first == NULL || more == NULL || !tt_args_merge (first->str, first->len, more->str, more->len, self->merged))
    tt_repairs_add (self->repairs, TT_REPAIR_ARGS_NOT_MERGED, 0);
  else if (!run_statement (self, &self->set, "INSERT OR REPLACE INTO args_row (id, json) VALUES (?1, ?2)", first_id,
                           self->merged, error) ||
           !drop_filled (self, first_id, error))
    return FALSE;
  return drop (self, more_id, n_args, error);
}

gboolean
tt_store_args_merge (TtStoreArgs *self, const TtBatch *batch, guint64 *n_args, GError **error)
{
  const TtArgsMergeColumns *merges = &batch->merges;
  gboolean done = TRUE;

  for (guint i = 0; i < self->later->len && done; i++)
    {
      guint k = g_array_index (self->later, guint, i);
      done = merge_in_table (self, merges->args[k], merges->more[k], n_args, error);
    }
  g_array_set_size (self->later, 0);
  g_hash_table_remove_all (self->waiting);
  return done;
}
