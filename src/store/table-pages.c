/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/table-pages.h"

#include <string.h>

#include "src/base/big-endian.h"
#include "src/store/page-sum.h"
#include "src/store/table-root.h"

#define MAX_LEVELS 20u /* SQLite's own limit */
#define INTERIOR_PAGE 5
#define LEAF_PAGE 13
#define INTERIOR_HEADER 12u
#define LEAF_HEADER 8u
#define MIN_OVERFLOW 35u                  /* a row as long as a page but for so many bytes goes on elsewhere */
#define MIN_TEXT 13u                      /* the type of an empty text */
#define SLACK (8u * TT_TABLE_MAX_COLUMNS) /* numbers are read as 8 bytes each, whatever their length */

typedef struct
{
  guint8 *bytes;
  guint32 number; /* 0: none */
} Page;

struct _TtTablePages
{
  sqlite3_file *file;
  guint32 page_bytes, usable_bytes, root;
  guint n_columns, reals;
  Page levels[MAX_LEVELS];  /* from the root to the leaf that was read last */
  const guint8 *leaf;       /* NULL: none */
  guint n_cells, next;      /* of the leaf; number of the cell after the one that was read last */
  guint64 next_id;          /* which that has, if no id is left out */
  guint64 gap_from, gap_to; /* ids from the first and before the second that are not there; 0, 0: none known */
};

typedef struct
{
  const guint8 *at, *end;
} Bytes;

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

TtTablePages *
tt_table_pages_new (TtStore *store, const char *table, guint n_columns)
{
  TtTableRoot root;

  g_return_val_if_fail (n_columns <= TT_TABLE_MAX_COLUMNS, NULL);

  if (!tt_table_root_find (store, table, &root))
    return NULL;
  TtTablePages *self = g_new0 (TtTablePages, 1);
  self->file = root.file;
  self->page_bytes = root.page_bytes;
  self->usable_bytes = self->page_bytes - TT_PAGE_CHECKSUM_BYTES;
  self->root = root.number;
  self->n_columns = n_columns;
  return self;
}

void
tt_table_pages_free (TtTablePages *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < MAX_LEVELS; i++)
    g_free (self->levels[i].bytes);
  g_free (self);
}

void
tt_table_pages_pass_reals (TtTablePages *self, guint columns)
{
  self->reals = columns;
}

/* -- from the root to a leaf --------------------------------------------------------------------------------- */

static const guint8 *
read_page (TtTablePages *self, guint depth, guint32 number)
{
  Page *page = &self->levels[depth];
  sqlite3_int64 offset = (sqlite3_int64) (number - 1) * self->page_bytes;

  if (page->number == number)
    return page->bytes;
  if (page->bytes == NULL)
    page->bytes = g_malloc0 (self->page_bytes + SLACK);
  page->number = 0;
  if (number == 0 || self->file->pMethods->xRead (self->file, page->bytes, (int) self->page_bytes, offset) != SQLITE_OK)
    return NULL;
  page->number = number;
  return page->bytes;
}

/* What cell @i of a page holds, up to the end of the page. FALSE: it lies outside. */
static inline gboolean
find_cell (const TtTablePages *self, const guint8 *page, guint header, guint n, guint i, Bytes *cell)
{
  guint offset = tt_get_be16 (page + header + 2 * i);

  if (offset < header + 2 * n || offset >= self->usable_bytes)
    return FALSE;
  *cell = (Bytes){ page + offset, page + self->usable_bytes };
  return TRUE;
}

/* How many cells a page has; 0 also where there is no room for so many. */
static inline guint
count_cells (const TtTablePages *self, const guint8 *page, guint header)
{
  guint n = tt_get_be16 (page + 3);

  return header + 2 * n <= self->usable_bytes ? n : 0;
}

/* The page below that has row @id: the first whose last row is not before it. 0: none. *@place: which of them. */
static guint32
find_child (const TtTablePages *self, const guint8 *page, gint64 id, guint *place)
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
      if ((gint64) last < id)
        low = middle + 1;
      else
        high = middle;
    }
  *place = low;
  if (low == n)
    return tt_get_be32 (page + 8);
  return find_cell (self, page, INTERIOR_HEADER, n, low, &cell) && cell.end - cell.at >= 4 ? tt_get_be32 (cell.at) : 0;
}

static const guint8 *
find_leaf (TtTablePages *self, guint64 id)
{
  guint32 page = self->root;
  guint place;

  for (guint depth = 0; depth < MAX_LEVELS; depth++)
    {
      const guint8 *bytes = read_page (self, depth, page);

      if (bytes == NULL || bytes[0] != INTERIOR_PAGE)
        return bytes == NULL || bytes[0] != LEAF_PAGE ? NULL : bytes;
      page = find_child (self, bytes, (gint64) id, &place);
    }
  return NULL;
}

/* -- rows ---------------------------------------------------------------------------------------------------------- */

/* By the type of a column; that of what is no whole number has a bit besides. */
#define NO_NUMBER 128u
#define REAL 7
#define NONE_4 NO_NUMBER, NO_NUMBER, NO_NUMBER, NO_NUMBER
#define NONE_16 NONE_4, NONE_4, NONE_4, NONE_4
#define NONE_48 NONE_16, NONE_16, NONE_16
static const guint8 column_bytes[256] = {
  0, 1, 2, 3, 4, 6, 8, NO_NUMBER, 0, 0, NO_NUMBER, NO_NUMBER, NONE_4, NONE_48, NONE_48, NONE_48, NONE_48, NONE_48
};

/* Columns but the first, of which @types tells; what stands behind the row may be read, too. FALSE: one holds no whole
 * number, and is none of @reals, or they are longer than the row. */
static inline __attribute__ ((always_inline)) gboolean
read_columns (const guint8 *types,
              guint n_columns,
              guint reals,
              const guint8 *at,
              const guint8 *end,
              gint64 *values,
              guint *nulls)
{
  guint odd = 0;

  *nulls = 0;
  for (guint i = 1; i < n_columns; i++)
    {
      guint size = column_bytes[types[i]];
      guint64 word;

      if (types[i] == REAL && (reals >> i & 1) != 0)
        {
          values[i] = 0;
          at += sizeof (double);
          continue;
        }
      odd |= size;
      if (size % NO_NUMBER == 0)
        {
          values[i] = types[i] == 9;
          *nulls |= (guint) (types[i] == 0) << i;
          continue;
        }
      memcpy (&word, at, sizeof word);
      values[i] = (gint64) GUINT64_FROM_BE (word) >> (64 - 8 * size);
      at += size;
    }
  return odd < NO_NUMBER && at <= end;
}

/* The id stands beside the row, and as null in it. */
static inline __attribute__ ((always_inline)) gboolean
read_row (const TtTablePages *self, guint n_columns, guint reals, Bytes cell, guint64 id, gint64 *values, guint *nulls)
{
  guint64 n_bytes, own_id;

  if (!get_varint (&cell, &n_bytes) || !get_varint (&cell, &own_id) || own_id != id ||
      n_bytes > (guint64) (cell.end - cell.at) || n_bytes > self->usable_bytes - MIN_OVERFLOW ||
      n_bytes < n_columns + 1 || cell.at[0] != n_columns + 1 || cell.at[1] != 0)
    return FALSE;
  values[0] = (gint64) id;
  return read_columns (cell.at + 1, n_columns, reals, cell.at + n_columns + 1, cell.at + n_bytes, values, nulls);
}

/* The id of the row in cell @i of the leaf. FALSE: there is none. */
static gboolean
read_id (const TtTablePages *self, guint i, guint64 *id)
{
  Bytes cell;
  guint64 n_bytes;

  return find_cell (self, self->leaf, LEAF_HEADER, self->n_cells, i, &cell) && get_varint (&cell, &n_bytes) &&
         get_varint (&cell, id);
}

/* In the leaf that was read last. FALSE: it is not there. Looked for first where it is if none before it was removed. */
static gboolean
find_in_leaf (TtTablePages *self, guint64 id)
{
  guint low = 0, high = self->n_cells;
  guint64 first_id, guessed_id;

  self->next_id = id;
  if (high > 0 && read_id (self, 0, &first_id) && id >= first_id && id - first_id < high &&
      read_id (self, (guint) (id - first_id), &guessed_id) && guessed_id == id)
    {
      self->next = (guint) (id - first_id);
      return TRUE;
    }

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      guint64 own_id;

      if (!read_id (self, middle, &own_id))
        return FALSE;
      if (own_id < id)
        low = middle + 1;
      else
        high = middle;
    }
  self->next = low;
  return low < self->n_cells;
}

/* Ids follow each other but where runs were removed. */
static gboolean
find_near (TtTablePages *self, guint64 id)
{
  guint64 own_id;

  if (self->leaf == NULL || id < self->next_id || id - self->next_id >= self->n_cells - self->next ||
      !read_id (self, self->next + (guint) (id - self->next_id), &own_id) || own_id != id)
    return FALSE;
  self->next += (guint) (id - self->next_id);
  self->next_id = id;
  return TRUE;
}

/* The cell of row @id. FALSE: there is none. */
static inline gboolean
find_row (TtTablePages *self, guint64 id, Bytes *cell)
{
  if (G_UNLIKELY (id != self->next_id || self->next >= self->n_cells) && !find_near (self, id))
    {
      self->leaf = find_leaf (self, id);
      self->n_cells = self->leaf == NULL ? 0 : count_cells (self, self->leaf, LEAF_HEADER);
      if (!find_in_leaf (self, id))
        return FALSE;
    }
  return find_cell (self, self->leaf, LEAF_HEADER, self->n_cells, self->next, cell);
}

static inline void
pass_row (TtTablePages *self)
{
  self->next++;
  self->next_id++;
}

gboolean
tt_table_pages_row (TtTablePages *self, guint64 id, gint64 *values, guint *nulls)
{
  Bytes cell;

  if (!find_row (self, id, &cell))
    return FALSE;
  /* Rows of events are the most: the compiler knows how many columns they have. */
  if (!(self->n_columns == TT_EVENT_COLUMNS ? read_row (self, TT_EVENT_COLUMNS, 0, cell, id, values, nulls)
                                            : read_row (self, self->n_columns, self->reals, cell, id, values, nulls)))
    return FALSE;
  pass_row (self);
  return TRUE;
}

/* The cell of row @id, with what stands between its id and its end. FALSE: it has another id, which those before it up to
 * @id are not there for, or goes on elsewhere. */
static inline gboolean
find_own_row (TtTablePages *self, guint64 id, Bytes *cell)
{
  guint64 n_bytes, own_id;

  if ((id >= self->gap_from && id < self->gap_to) || !find_row (self, id, cell) || !get_varint (cell, &n_bytes) ||
      !get_varint (cell, &own_id))
    return FALSE;
  if (own_id > id)
    {
      self->gap_from = id;
      self->gap_to = own_id;
    }
  if (own_id != id || n_bytes > (guint64) (cell->end - cell->at) || n_bytes > self->usable_bytes - MIN_OVERFLOW)
    return FALSE;
  cell->end = cell->at + n_bytes;
  return TRUE;
}

gboolean
tt_table_pages_short_row (TtTablePages *self, guint64 id, gint64 *values, guint *n)
{
  Bytes cell;
  guint nulls;

  if (!find_own_row (self, id, &cell) || cell.end - cell.at < 2 || cell.at[0] < 2 || cell.at[0] > self->n_columns + 1 ||
      cell.at[0] > cell.end - cell.at || cell.at[1] != 0)
    return FALSE;
  *n = cell.at[0] - 1u;
  values[0] = (gint64) id;
  if (!read_columns (cell.at + 1, *n, 0, cell.at + *n + 1, cell.end, values, &nulls))
    return FALSE;
  /* Where SQLite wrote the row, it has all columns. */
  while (*n > 1 && (nulls >> (*n - 1) & 1) != 0)
    nulls &= ~(1u << --*n);
  pass_row (self);
  return nulls == 0;
}

gboolean
tt_table_pages_text (TtTablePages *self, guint64 id, const char **text, gsize *len)
{
  guint64 n_header, type, id_type;
  Bytes cell;

  if (!find_own_row (self, id, &cell))
    return FALSE;
  const guint8 *end = cell.end, *head = cell.at;
  if (!get_varint (&cell, &n_header) || !get_varint (&cell, &id_type) || !get_varint (&cell, &type) || id_type != 0 ||
      n_header != (guint64) (cell.at - head) || type < MIN_TEXT || (type & 1) == 0 ||
      (type - MIN_TEXT) / 2 != (guint64) (end - cell.at))
    return FALSE;
  *text = (const char *) cell.at;
  *len = (gsize) (end - cell.at);
  pass_row (self);
  return TRUE;
}

/* -- a page of events at once -------------------------------------------------------------------------------------- */

/* The id after which the child at @place goes on no more: *@last. FALSE: it is the last one. */
static gboolean
read_last (const TtTablePages *self, const guint8 *page, guint place, gint64 *last)
{
  guint n = count_cells (self, page, INTERIOR_HEADER);
  Bytes cell;

  return place < n && find_cell (self, page, INTERIOR_HEADER, n, place, &cell) && cell.end - cell.at >= 4 &&
         (cell.at += 4, get_varint (&cell, (guint64 *) last));
}

static const guint8 *
find_bounded_leaf (TtTablePages *self, gint64 id, TtEventLeaf *leaf)
{
  guint32 number = self->root;

  leaf->has_below = leaf->has_above = FALSE;
  for (guint depth = 0; depth < MAX_LEVELS && number != 0; depth++)
    {
      const guint8 *page = read_page (self, depth, number);
      gint64 last;
      guint place;

      if (page == NULL || page[0] != INTERIOR_PAGE)
        return page == NULL || page[0] != LEAF_PAGE ? NULL : page;
      if (count_cells (self, page, INTERIOR_HEADER) == 0)
        return NULL;
      number = find_child (self, page, id, &place);
      if (place > 0 && read_last (self, page, place - 1, &last))
        {
          if (leaf->has_below && last < leaf->below)
            return NULL;
          leaf->below = last;
          leaf->has_below = TRUE;
        }
      if (read_last (self, page, place, &last))
        {
          if (leaf->has_above && last > leaf->above)
            return NULL;
          leaf->above = last;
          leaf->has_above = TRUE;
        }
    }
  return NULL;
}

gboolean
tt_table_pages_leaf (TtTablePages *self, gint64 id, TtEventLeaf *leaf)
{
  g_return_val_if_fail (self->n_columns == TT_EVENT_COLUMNS, FALSE);

  const guint8 *page = find_bounded_leaf (self, id, leaf);
  gint64 before = leaf->has_below ? MAX (leaf->below, 0) : 0;

  self->leaf = NULL; /* what was read last */
  if (page == NULL || (leaf->has_below && leaf->has_above && leaf->below >= leaf->above))
    return FALSE;
  leaf->n = count_cells (self, page, LEAF_HEADER);
  if (leaf->n != tt_get_be16 (page + 3))
    return FALSE;
  if (leaf->n > leaf->max)
    {
      leaf->rows = g_renew (TtEventValues, leaf->rows, leaf->n);
      leaf->max = leaf->n;
    }
  for (guint i = 0; i < leaf->n; i++)
    {
      TtEventValues *row = &leaf->rows[i];
      guint64 n_bytes, own_id;
      Bytes cell, rest;

      if (!find_cell (self, page, LEAF_HEADER, leaf->n, i, &cell))
        return FALSE;
      rest = cell;
      if (!get_varint (&rest, &n_bytes) || !get_varint (&rest, &own_id) || (gint64) own_id <= before ||
          !read_row (self, TT_EVENT_COLUMNS, 0, cell, own_id, row->values, &row->nulls))
        return FALSE;
      before = (gint64) own_id;
    }
  return !leaf->has_above || before <= leaf->above;
}
