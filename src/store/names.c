/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/names.h"

#include <string.h>
#include <xxhash.h>

#include "src/base/failure.h"
#include "src/base/room.h"
#include "src/base/sorter.h"
#include "src/store/private.h"

/*
 * Names that tt_store_name() asks for are loaded in blocks of neighbours and stay in memory. tt_store_peek_name() adds
 * to these while they are few; then it reads one name at a time.
 */

#define NAMES_PER_BLOCK TT_ROOM (512u, 4u)
#define FEW_BLOCKS TT_ROOM (32u, 2u)
#define N_PEEKED TT_ROOM (64u, 4u)
#define N_TEXTS 8
#define SORT_BYTES ((gsize) 8 << 20)

#define NAME_COLUMNS "id, op_cat, op_name, sub_op, suffix, text, raw, native_group, file, line, is_collective"

typedef struct
{
  TtStoredName name;
  GByteArray *texts;
} Peeked;

typedef struct _TtPeek
{
  sqlite3_stmt *statement;
  Peeked names[N_PEEKED]; /* by id */
} Peek;

/* The id is TT_NO_ID if one of the texts that every name has is not there, or the name is of a run that is not
 * selected. */
static void
fill_name (TtStore *self, TtStoredName *name, sqlite3_stmt *row, const char *const texts[N_TEXTS])
{
  gboolean is_whole = texts[0] != NULL && texts[1] != NULL && texts[4] != NULL && texts[5] != NULL;

  *name = (TtStoredName){
    .id = is_whole ? tt_places_find (&self->name_places, sqlite3_column_int64 (row, 0)) : TT_NO_ID,
    .op_cat = texts[0],
    .op_name = texts[1],
    .sub_op = texts[2],
    .suffix = texts[3],
    .text = texts[4],
    .raw = texts[5],
    .group = texts[6],
    .file = texts[7],
    .line = sqlite3_column_int64 (row, 9),
    .is_collective = sqlite3_column_int64 (row, 10) != 0,
    .communicator = sqlite3_column_int64 (row, 10) != 0 ? (guint64) sqlite3_column_int64 (row, 10) - 1 : 0,
  };
}

/* What stands for a name that cannot be read, until the failure is told. */
static void
fill_unread (TtStoredName *name, guint32 id)
{
  *name = (TtStoredName){ .id = id, .op_cat = "", .op_name = "", .text = "", .raw = "" };
}

static void
bind_ids (TtStore *self, sqlite3_stmt *row, gint64 first, gint64 last)
{
  sqlite3_bind_int64 (row, 1, first);
  sqlite3_bind_int64 (row, 2, last);
  sqlite3_bind_int64 (row, 3, self->first_run);
  sqlite3_bind_int64 (row, 4, self->last_run);
}

/* -- names that stay ------------------------------------------------------------------------------------- */

/* op_name, text and raw differ from name to name; the others are few words. */
static void
retain_name (TtStore *self, sqlite3_stmt *row, TtStoredName *name)
{
  static const gboolean is_word[N_TEXTS] = { TRUE, FALSE, TRUE, TRUE, FALSE, FALSE, TRUE, TRUE };
  const char *texts[N_TEXTS];

  for (int i = 0; i < N_TEXTS; i++)
    {
      const char *text = (const char *) sqlite3_column_text (row, i + 1);

      if (text == NULL)
        texts[i] = NULL;
      else
        texts[i] = is_word[i] ? tt_store_keep_word (self, text) : g_string_chunk_insert (self->texts, text);
    }
  fill_name (self, name, row, texts);
}

/* Leaves @error, or that the database is damaged; the name is harmless. */
static void
name_is_missing (TtStore *self, TtStoredName *name, guint32 id, GError *error)
{
  if (error == NULL)
    tt_store_set_damaged (self, &error, "name %" G_GINT64_FORMAT " is not there, or has no text",
                          tt_places_id (&self->name_places, id));
  fill_unread (name, id);
  tt_failure_leave (error);
}

/* Names @block * NAMES_PER_BLOCK + 1 and following. */
static TtStoredName *
load_block (TtStore *self, guint32 block)
{
  TtStoredName *names = g_new0 (TtStoredName, NAMES_PER_BLOCK);
  guint32 before = block * NAMES_PER_BLOCK, n = MIN (NAMES_PER_BLOCK, self->name_places.n - before);
  GError *error = NULL;
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (
      self->connection, "SELECT " NAME_COLUMNS " FROM name_row WHERE id BETWEEN ?1 AND ?2 AND run BETWEEN ?3 AND ?4",
      &error);

  if (row != NULL)
    {
      bind_ids (self, row, tt_places_id (&self->name_places, before + 1),
                tt_places_id (&self->name_places, before + n));
      while (tt_connection_step (self->connection, row, &error))
        {
          guint32 place = tt_places_find (&self->name_places, sqlite3_column_int64 (row, 0));

          /* Rows of a damaged table come in any order, also from before the first. */
          if (place > before && place <= before + n)
            retain_name (self, row, &names[place - before - 1]);
        }
    }
  for (guint32 i = 0; i < n; i++)
    if (names[i].id == TT_NO_ID)
      name_is_missing (self, &names[i], before + i + 1, g_steal_pointer (&error));
  if (error != NULL)
    tt_failure_leave (error);
  return names;
}

const TtStoredName *
tt_store_name (TtStore *self, guint32 id)
{
  if (id == TT_NO_ID || id > self->name_places.n)
    return NULL;

  guint32 block = (id - 1) / NAMES_PER_BLOCK;
  if (self->names == NULL)
    {
      self->names = g_ptr_array_new_with_free_func (g_free);
      g_ptr_array_set_size (self->names, (gint) ((self->name_places.n - 1) / NAMES_PER_BLOCK + 1));
    }
  if (g_ptr_array_index (self->names, block) == NULL)
    {
      g_ptr_array_index (self->names, block) = load_block (self, block);
      self->n_name_blocks++;
    }
  return (const TtStoredName *) g_ptr_array_index (self->names, block) + (id - 1) % NAMES_PER_BLOCK;
}

guint32
tt_store_max_name (TtStore *self)
{
  return self->name_places.n;
}

guint32
tt_store_name_of_row (TtStore *self, guint32 row)
{
  return tt_places_find (&self->name_places, row);
}

/* -- names that do not stay ------------------------------------------------------------------------------------ */

/* Copies the texts: those of SQLite last as long as the row, for which a statement would have to stay open. */
static void
fill_peeked (TtStore *self, Peeked *peeked, sqlite3_stmt *row)
{
  const char *texts[N_TEXTS];
  gsize offsets[N_TEXTS];

  if (peeked->texts == NULL)
    peeked->texts = g_byte_array_new ();
  g_byte_array_set_size (peeked->texts, 0);
  for (int i = 0; i < N_TEXTS; i++)
    {
      texts[i] = (const char *) sqlite3_column_text (row, i + 1);
      offsets[i] = peeked->texts->len;
      if (texts[i] != NULL)
        g_byte_array_append (peeked->texts, (const guint8 *) texts[i], (guint) strlen (texts[i]) + 1);
    }
  for (int i = 0; i < N_TEXTS; i++)
    if (texts[i] != NULL)
      texts[i] = (const char *) peeked->texts->data + offsets[i];
  fill_name (self, &peeked->name, row, texts);
}

static const TtStoredName *
read_peeked (TtStore *self, guint32 id)
{
  g_autoptr (GError) error = NULL;

  if (self->peek == NULL)
    self->peek = g_new0 (Peek, 1);
  if (self->peek->statement == NULL)
    self->peek->statement = tt_connection_prepare (
        self->connection, "SELECT " NAME_COLUMNS " FROM name_row WHERE id = ?1 AND id = ?2 AND run BETWEEN ?3 AND ?4",
        &error);

  sqlite3_stmt *row = self->peek->statement;
  Peeked *peeked = &self->peek->names[id % N_PEEKED];
  if (row != NULL && peeked->name.id != id)
    {
      gint64 row_id = tt_places_id (&self->name_places, id);

      peeked->name.id = TT_NO_ID;
      bind_ids (self, row, row_id, row_id);
      if (tt_connection_step (self->connection, row, &error))
        fill_peeked (self, peeked, row);
      sqlite3_reset (row);
    }
  if (error != NULL || peeked->name.id != id)
    name_is_missing (self, &peeked->name, id, g_steal_pointer (&error));
  return &peeked->name;
}

const TtStoredName *
tt_store_peek_name (TtStore *self, guint32 id)
{
  if (id == TT_NO_ID || id > self->name_places.n)
    return NULL;
  if (self->n_name_blocks < FEW_BLOCKS || g_ptr_array_index (self->names, (id - 1) / NAMES_PER_BLOCK) != NULL)
    return tt_store_name (self, id);
  return read_peeked (self, id);
}

gboolean
tt_store_each_name (TtStore *self, TtNameFunc func, gpointer data, GError **error)
{
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (
      self->connection,
      "SELECT " NAME_COLUMNS " FROM name_row WHERE id BETWEEN ?1 AND ?2 AND run BETWEEN ?3 AND ?4 ORDER BY id", error);
  GError *failure = NULL;

  if (row == NULL)
    return FALSE;
  bind_ids (self, row, 1, G_MAXUINT32);
  while (tt_connection_step (self->connection, row, &failure))
    {
      const char *texts[N_TEXTS];
      TtStoredName name;

      for (int i = 0; i < N_TEXTS; i++)
        texts[i] = (const char *) sqlite3_column_text (row, i + 1);
      fill_name (self, &name, row, texts);
      if (name.id == TT_NO_ID)
        tt_store_set_damaged (self, &failure, "name %" G_GINT64_FORMAT " is of another run, or has no text",
                              (gint64) sqlite3_column_int64 (row, 0));
      if (failure != NULL || !func (&name, data))
        break;
    }
  return tt_store_finish (failure, error);
}

void
tt_store_forget_names (TtStore *self)
{
  g_clear_pointer (&self->names, g_ptr_array_unref);
  self->n_name_blocks = 0;
  if (self->peek == NULL)
    return;
  sqlite3_finalize (self->peek->statement);
  for (guint i = 0; i < N_PEEKED; i++)
    g_clear_pointer (&self->peek->names[i].texts, g_byte_array_unref);
  g_clear_pointer (&self->peek, g_free);
}

/* -- long names -------------------------------------------------------------------------------------------- */

char *
tt_store_long_name_of (TtStore *self, guint32 process, const TtStoredName *name)
{
  const TtProcess *p = tt_store_process (self, process);
  const char *suffix = name != NULL && name->suffix != NULL ? name->suffix : "";

  return g_strconcat (p != NULL && p->pid != NULL ? p->pid : "", "->",
                      name != NULL && name->text != NULL ? name->text : "", *suffix != '\0' ? "~>" : "", suffix, NULL);
}

char *
tt_store_long_name (TtStore *self, guint32 process, guint32 name)
{
  return tt_store_long_name_of (self, process, tt_store_name (self, name));
}

gboolean
tt_store_has_suffixes (TtStore *self, gboolean *has_suffixes, GError **error)
{
  g_autofree char *sql =
      g_strdup_printf ("SELECT 1 FROM name_row WHERE run BETWEEN %u AND %u AND suffix IS NOT NULL LIMIT 1",
                       self->first_run, self->last_run);
  gint64 found;

  if (!tt_connection_get_int (self->connection, sql, &found, error))
    return FALSE;
  *has_suffixes = found != 0;
  return TRUE;
}

/* -- names with the same text ------------------------------------------------------------------------ */

typedef struct
{
  guint64 high, low; /* hash of text and suffix: 128 bits do not meet by chance */
  guint64 id;
} NameKey;

static TtSorter *
sort_names (TtStore *self, GError **error)
{
  g_autoptr (TtSorter) sorter = tt_sorter_new (sizeof (NameKey), SORT_BYTES);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (
      self->connection, "SELECT id, text, suffix FROM name_row WHERE run BETWEEN ?1 AND ?2 ORDER BY id", error);
  GError *failure = NULL;

  if (row == NULL)
    return NULL;
  sqlite3_bind_int64 (row, 1, self->first_run);
  sqlite3_bind_int64 (row, 2, self->last_run);
  while (failure == NULL && tt_connection_step (self->connection, row, &failure))
    {
      guint32 place = tt_places_find (&self->name_places, sqlite3_column_int64 (row, 0));
      NameKey *key = tt_sorter_add (sorter);

      if (place == 0)
        tt_store_set_damaged (self, &failure, "name %" G_GINT64_FORMAT " is of another run",
                              (gint64) sqlite3_column_int64 (row, 0));

      g_string_truncate (text, 0);
      for (int column = 1; column <= 2; column++)
        {
          const char *part = (const char *) sqlite3_column_text (row, column);
          g_string_append_len (text, part != NULL ? part : "", part != NULL ? (gssize) strlen (part) + 1 : 1);
        }
      XXH128_hash_t hash = XXH3_128bits (text->str, text->len);
      *key = (NameKey){ hash.high64, hash.low64, place };
    }
  if (!tt_store_finish (failure, error) || !tt_sorter_finish (sorter, error))
    return NULL;
  return g_steal_pointer (&sorter);
}

guint32 *
tt_store_first_names (TtStore *self, GError **error)
{
  g_autoptr (TtSorter) sorter = sort_names (self, error);
  g_autofree guint32 *first = g_new0 (guint32, (gsize) self->name_places.n + 1);
  NameKey last = { 0 };
  const NameKey *key;
  GError *failure = NULL;

  if (sorter == NULL)
    return NULL;
  while ((key = tt_sorter_next (sorter, &failure)) != NULL)
    {
      if (last.id == 0 || key->high != last.high || key->low != last.low)
        last = *key;
      first[key->id] = (guint32) last.id;
    }
  return tt_store_finish (failure, error) ? g_steal_pointer (&first) : NULL;
}
