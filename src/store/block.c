/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/block.h"

/* Arguments beyond that are looked up when their row is handed out. */
#define BLOCK_TEXT ((gsize) 1 << 20)

static void
add_args (TtBlock *block, TtBlockRow *row, sqlite3_value *json)
{
  if (sqlite3_value_type (json) != SQLITE_TEXT || block->text->len > BLOCK_TEXT)
    return;
  row->args = block->text->len;
  row->args_len = (gsize) sqlite3_value_bytes (json);
  g_string_append_len (block->text, (const char *) sqlite3_value_text (json), (gssize) row->args_len + 1);
}

/* An aggregate function takes rows twice as fast as sqlite3_step() hands them out. */
static void
collect_step (sqlite3_context *context, int n, sqlite3_value **values)
{
  TtStore *store = sqlite3_user_data (context);
  TtBlock *block = store->block;
  gint64 numbers[TT_BLOCK_COLUMNS];
  guint nulls = 0;

  if (block == NULL || n < TT_BLOCK_COLUMNS + 2 * block->with_args || block->n == block->max)
    {
      sqlite3_result_error (context, "tt_collect() is for internal use", -1);
      return;
    }
  for (guint i = 0; i < TT_BLOCK_COLUMNS; i++)
    numbers[i] = sqlite3_value_int64 (values[i]);
  if (sqlite3_value_type (values[TT_BLOCK_DUR_NS]) == SQLITE_NULL)
    nulls |= 1u << TT_BLOCK_DUR_NS;
  if (sqlite3_value_type (values[TT_BLOCK_STEP]) == SQLITE_NULL)
    nulls |= 1u << TT_BLOCK_STEP;
  const TtBlockPlaces places = { &store->thread_places, &store->name_places };
  TtBlockRow *row = tt_block_add (block, &places, numbers, nulls);
  if (block->with_args && sqlite3_value_type (values[TT_BLOCK_ARGS]) != SQLITE_NULL)
    {
      row->args_id = (guint64) sqlite3_value_int64 (values[TT_BLOCK_ARGS]);
      add_args (block, row, values[TT_BLOCK_JSON]);
    }
}

static void
collect_final (sqlite3_context *context)
{
}

void
tt_store_register_collect (TtStore *self)
{
  sqlite3_create_function_v2 (self->connection->db, "tt_collect", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, self, NULL,
                              collect_step, collect_final, NULL);
}

void
tt_block_clear (TtBlock *block, guint64 first, guint64 last, guint32 source)
{
  block->n = 0;
  block->first = first;
  block->last = last;
  block->source = source;
  block->is_damaged = FALSE;
  if (block->text != NULL)
    g_string_truncate (block->text, 1);
}

gboolean
tt_block_read (TtBlock *block, const TtBlockPlaces *places, TtTablePages *pages)
{
  gint64 values[TT_EVENT_COLUMNS];
  guint nulls;

  for (guint64 id = block->first; id <= block->last; id++)
    if (!tt_table_pages_row (pages, id, values, &nulls))
      return FALSE;
    else
      {
        TtBlockRow *row = tt_block_add (block, places, values, nulls);
        if (block->with_args)
          row->args_id = (guint64) values[TT_BLOCK_ARGS];
      }
  return !block->is_damaged;
}

void
tt_block_read_args (TtBlock *block, TtArgsPages *pages)
{
  for (guint i = 0; i < block->n && block->text->len <= BLOCK_TEXT; i++)
    {
      TtBlockRow *row = &block->rows[i];
      const gsize at = block->text->len;

      if (row->args_id == 0 || !tt_args_pages_get (pages, row->args_id, block->text))
        continue;
      row->args = at;
      row->args_len = block->text->len - at;
      g_string_append_c (block->text, '\0');
    }
}
