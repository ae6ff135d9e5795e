/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/event-pages.h"

#include <string.h>

#include "src/store/block.h"
#include "src/store/page-checksum.h"

#define MAX_LEVELS 20u /* SQLite's own limit */
#define INTERIOR_PAGE 5
#define LEAF_PAGE 13
#define INTERIOR_HEADER 12u
#define LEAF_HEADER 8u
#define TABLE_COLUMNS 9u /* of event_row */
#define MIN_OVERFLOW 35u /* a row as long as a page but for so many bytes goes on elsewhere */
#define SLACK 8u         /* a number is read as 8 bytes, whatever its length */

typedef struct
{
  guint8 *bytes;
  guint32 page; /* 0: none */
} Level;

struct _TtEventPages
{
  TtStore *store;
  sqlite3_file *file;
  guint32 page_bytes, usable_bytes, root;
  Level levels[MAX_LEVELS]; /* from the root to the leaf that was read last */
};

typedef struct
{
  const guint8 *at, *end;
} Bytes;

static inline guint
get_16 (const guint8 *bytes)
{
  return (guint) bytes[0] << 8 | bytes[1];
}

static inline guint32
get_32 (const guint8 *bytes)
{
  return (guint32) get_16 (bytes) << 16 | get_16 (bytes + 2);
}

/* FALSE: it goes over the end. */
static inline gboolean
get_varint (Bytes *self, guint64 *value)
{
  *value = 0;
  for (guint i = 0; i < 9 && self->at < self->end; i++)
    {
      guint8 byte = *self->at++;

      if (i == 8)
        {
          *value = *value << 8 | byte;
          return TRUE;
        }
      *value = *value << 7 | (byte & 0x7f);
      if (byte < 0x80)
        return TRUE;
    }
  return FALSE;
}

TtEventPages *
tt_event_pages_new (TtStore *store)
{
  sqlite3 *db = store->connection->db;
  gint64 root = 0, page_bytes = 0;
  sqlite3_file *file = NULL;

  /* The first statement takes the lock of the snapshot, and finds out whether there is a log. */
  if (store->version != TT_SCHEMA_VERSION || sqlite3_db_readonly (db, "main") != 1 ||
      !tt_connection_get_int (store->connection,
                              "SELECT rootpage FROM main.sqlite_schema WHERE type = 'table' AND name = 'event_row'",
                              &root, NULL) ||
      !tt_connection_get_int (store->connection, "PRAGMA main.page_size", &page_bytes, NULL) ||
      !tt_page_checksum_is_verified (db) ||
      sqlite3_file_control (db, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK || file == NULL ||
      file->pMethods == NULL)
    return NULL;
  if (root < 2 || root > G_MAXUINT32 || page_bytes < 512 || page_bytes > 65536)
    return NULL;

  TtEventPages *self = g_new0 (TtEventPages, 1);
  self->store = store;
  self->file = file;
  self->page_bytes = (guint32) page_bytes;
  self->usable_bytes = self->page_bytes - TT_PAGE_CHECKSUM_BYTES;
  self->root = (guint32) root;
  return self;
}

void
tt_event_pages_free (TtEventPages *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < MAX_LEVELS; i++)
    g_free (self->levels[i].bytes);
  g_free (self);
}

/* -- from the root to a leaf --------------------------------------------------------------------------------- */

static const guint8 *
read_page (TtEventPages *self, guint depth, guint32 page)
{
  Level *level = &self->levels[depth];
  sqlite3_int64 offset = (sqlite3_int64) (page - 1) * self->page_bytes;

  if (level->page == page)
    return level->bytes;
  if (level->bytes == NULL)
    level->bytes = g_malloc0 (self->page_bytes + SLACK);
  level->page = 0;
  if (page == 0 || self->file->pMethods->xRead (self->file, level->bytes, (int) self->page_bytes, offset) != SQLITE_OK)
    return NULL;
  level->page = page;
  return level->bytes;
}

/* What cell @i of a page holds, up to the end of the page. FALSE: it lies outside. */
static inline gboolean
find_cell (const TtEventPages *self, const guint8 *page, guint header, guint n, guint i, Bytes *cell)
{
  guint offset = get_16 (page + header + 2 * i);

  if (offset < header + 2 * n || offset >= self->usable_bytes)
    return FALSE;
  *cell = (Bytes){ page + offset, page + self->usable_bytes };
  return TRUE;
}

/* How many cells a page has; 0 also where there is no room for so many. */
static inline guint
count_cells (const TtEventPages *self, const guint8 *page, guint header)
{
  guint n = get_16 (page + 3);

  return header + 2 * n <= self->usable_bytes ? n : 0;
}

/* The page below that has row @id: the first whose last row is not before it. 0: none. */
static guint32
find_child (const TtEventPages *self, const guint8 *page, guint64 id)
{
  guint n = count_cells (self, page, INTERIOR_HEADER), low = 0, high = n;
  Bytes cell;
  guint64 last;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (!find_cell (self, page, INTERIOR_HEADER, n, middle, &cell) || cell.end - cell.at < 4)
        return 0;
      cell.at += 4;
      if (!get_varint (&cell, &last))
        return 0;
      if (last < id)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == n)
    return get_32 (page + 8);
  return find_cell (self, page, INTERIOR_HEADER, n, low, &cell) && cell.end - cell.at >= 4 ? get_32 (cell.at) : 0;
}

static const guint8 *
find_leaf (TtEventPages *self, guint64 id)
{
  guint32 page = self->root;

  for (guint depth = 0; depth < MAX_LEVELS; depth++)
    {
      const guint8 *bytes = read_page (self, depth, page);

      if (bytes == NULL || bytes[0] == LEAF_PAGE)
        return bytes;
      if (bytes[0] != INTERIOR_PAGE)
        return NULL;
      page = find_child (self, bytes, id);
    }
  return NULL;
}

/* -- rows ---------------------------------------------------------------------------------------------------------- */

/* FALSE: the column holds no whole number, or goes over the end of the row. */
static inline gboolean
read_column (Bytes *body, guint8 type, gint64 *value, guint *nulls, guint column)
{
  static const guint8 sizes[] = { 0, 1, 2, 3, 4, 6, 8, 0, 0, 0 };
  guint64 word;

  if (G_UNLIKELY (type >= G_N_ELEMENTS (sizes) || type == 7 || body->end - body->at < sizes[type]))
    return FALSE;
  if (sizes[type] == 0)
    {
      *value = type == 9;
      *nulls |= (guint) (type == 0) << column;
      return TRUE;
    }
  memcpy (&word, body->at, sizeof word);
  *value = (gint64) GUINT64_FROM_BE (word) >> (64 - 8 * sizes[type]);
  body->at += sizes[type];
  return TRUE;
}

/* The id stands beside the row, and as null in it. */
static inline gboolean
read_row (const TtEventPages *self, Bytes cell, guint64 id, TtBlock *block)
{
  gint64 values[TT_BLOCK_COLUMNS];
  guint64 n_bytes, own_id;
  guint nulls = 0;

  if (!get_varint (&cell, &n_bytes) || !get_varint (&cell, &own_id) || own_id != id ||
      n_bytes > (guint64) (cell.end - cell.at) || n_bytes > self->usable_bytes - MIN_OVERFLOW ||
      n_bytes < TABLE_COLUMNS + 1 || cell.at[0] != TABLE_COLUMNS + 1)
    return FALSE;
  const guint8 *types = cell.at + 1;
  Bytes body = { cell.at + TABLE_COLUMNS + 1, cell.at + n_bytes };
  if (types[0] != 0)
    return FALSE;
  values[TT_BLOCK_ID] = (gint64) id;
  for (guint i = TT_BLOCK_ID + 1; i < TT_BLOCK_COLUMNS; i++)
    if (!read_column (&body, types[i], &values[i], &nulls, i))
      return FALSE;
  tt_block_add (self->store, block, values, nulls);
  return TRUE;
}

/* The id of the row in cell @i. FALSE: there is none. */
static gboolean
read_id (const TtEventPages *self, const guint8 *page, guint n, guint i, guint64 *id)
{
  Bytes cell;
  guint64 n_bytes;

  return find_cell (self, page, LEAF_HEADER, n, i, &cell) && get_varint (&cell, &n_bytes) && get_varint (&cell, id);
}

/* Number of the cell of row @id, or where it would be. */
static gboolean
find_row (const TtEventPages *self, const guint8 *page, guint n, guint64 id, guint *number)
{
  guint low = 0, high = n;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      guint64 own_id;

      if (!read_id (self, page, n, middle, &own_id))
        return FALSE;
      if (own_id < id)
        low = middle + 1;
      else
        high = middle;
    }
  *number = low;
  return low < n;
}

gboolean
tt_event_pages_read (TtEventPages *self, TtBlock *block, guint64 first, guint64 last)
{
  for (guint64 id = first; id <= last;)
    {
      const guint8 *page = find_leaf (self, id);
      guint n = page == NULL ? 0 : count_cells (self, page, LEAF_HEADER), i;
      Bytes cell;

      if (!find_row (self, page, n, id, &i))
        return FALSE;
      for (; i < n && id <= last; i++, id++)
        if (!find_cell (self, page, LEAF_HEADER, n, i, &cell) || !read_row (self, cell, id, block))
          return FALSE;
    }
  return TRUE;
}
