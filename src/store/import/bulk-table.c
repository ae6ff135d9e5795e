/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/import/bulk-table.h"

#include <string.h>

#include "src/base/big-endian.h"
#include "src/store/import/bulk-row.h"

#define LEAF_PAGE 13
#define INTERIOR_PAGE 5
#define LEAF_HEADER 8u
#define INTERIOR_HEADER 12u
#define POINTER_BYTES 2u
#define LINK_BYTES 4u
/* Of a page with others below it: where that is, up to which row it goes. */
#define INTERIOR_CELL_MAX (LINK_BYTES + TT_VARINT_MAX_BYTES)
typedef struct
{
  TtPageRef page;
  guint64 last_id;
} Child;

struct _TtBulkTable
{
  TtBulkPages *pages;
  guint32 root;
  guint n_columns;
  guint32 page_bytes, usable_bytes;
  guint64 last_id;

  /* The page that grows: pointers from its head on, rows from its end. */
  guint8 *leaf;
  guint n_cells;
  guint32 content; /* where the rows begin */
  GArray *links;   /* of TtPageLink: of its rows */

  GArray *children; /* of Child: leaves that were added */
  GByteArray *long_row;
};

static gboolean
find_root (TtBulkTable *self, TtConnection *connection, const char *table, GError **error)
{
  g_autofree char *sql =
      g_strdup_printf ("SELECT rootpage FROM main.sqlite_schema WHERE type = 'table' AND name = '%s'", table);
  gint64 root;

  if (!tt_connection_get_int (connection, sql, &root, error))
    return FALSE;
  g_return_val_if_fail (root > 1 && root <= G_MAXUINT32, FALSE);
  self->root = (guint32) root;
  return TRUE;
}

static void
begin_leaf (TtBulkTable *self)
{
  self->n_cells = 0;
  self->content = self->usable_bytes;
  g_array_set_size (self->links, 0);
}

TtBulkTable *
tt_bulk_table_new (TtBulkPages *pages, const char *table, guint n_columns, GError **error)
{
  g_autoptr (TtBulkTable) self = g_new0 (TtBulkTable, 1);

  g_return_val_if_fail (n_columns <= TT_ROW_MAX_COLUMNS, NULL);

  self->pages = pages;
  self->n_columns = n_columns;
  self->page_bytes = tt_bulk_pages_size (pages);
  self->usable_bytes = tt_bulk_pages_usable (pages);
  self->links = g_array_new (FALSE, FALSE, sizeof (TtPageLink));
  self->children = g_array_new (FALSE, FALSE, sizeof (Child));
  self->long_row = g_byte_array_new ();
  self->leaf = g_malloc0 (self->page_bytes);
  begin_leaf (self);
  return find_root (self, tt_bulk_pages_connection (pages), table, error) ? g_steal_pointer (&self) : NULL;
}

void
tt_bulk_table_free (TtBulkTable *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->links);
  g_array_unref (self->children);
  g_byte_array_unref (self->long_row);
  g_free (self->leaf);
  g_free (self);
}

guint64
tt_bulk_table_last (const TtBulkTable *self)
{
  return self->last_id;
}

/* -- leaves ------------------------------------------------------------------------------------------------------- */

/* The head of a page. @content: 65,536 is written as 0. */
static void
put_head (guint8 *page, guint8 type, guint n_cells, guint32 content)
{
  page[0] = type;
  tt_put_be16 (page + 1, 0);
  tt_put_be16 (page + 3, (guint16) n_cells);
  tt_put_be16 (page + 5, (guint16) content);
  page[7] = 0;
}

/* What is between pointers and rows is zero. */
static void
close_leaf (TtBulkTable *self)
{
  const guint32 pointers = LEAF_HEADER + POINTER_BYTES * self->n_cells;

  put_head (self->leaf, LEAF_PAGE, self->n_cells, self->content);
  memset (self->leaf + pointers, 0, self->content - pointers);
}

static gboolean
end_leaf (TtBulkTable *self, GError **error)
{
  close_leaf (self);
  Child child = { tt_bulk_pages_add (self->pages, self->leaf, (const TtPageLink *) (gpointer) self->links->data,
                                     self->links->len, error),
                  self->last_id };

  if (child.page == 0)
    return FALSE;
  g_array_append_val (self->children, child);
  begin_leaf (self);
  return TRUE;
}

/* Room for a row of @n bytes in the page that grows. NULL: an error. */
static inline guint8 *
make_cell (TtBulkTable *self, guint n, GError **error)
{
  guint32 pointer = LEAF_HEADER + POINTER_BYTES * self->n_cells;

  if (G_UNLIKELY (self->content < pointer + POINTER_BYTES + n))
    {
      if (!end_leaf (self, error))
        return NULL;
      pointer = LEAF_HEADER;
    }
  self->content -= n;
  tt_put_be16 (self->leaf + pointer, (guint16) self->content);
  self->n_cells++;
  return self->leaf + self->content;
}

/* Lengths of what stays of a row in its page: 1.6, "Cell Payload Overflow Pages". */
static inline guint32
most_in_page (guint32 usable_bytes)
{
  return usable_bytes - 35;
}

static inline guint32
least_in_page (guint32 usable_bytes)
{
  return (usable_bytes - 12) * 32 / 255 - 23;
}

/* -- rows --------------------------------------------------------------------------------------------------------- */

/* What does not fit into its page goes on in others. The last of them is added first, as each names the next. 0: an
 * error. */
static TtPageRef
add_overflow (TtBulkTable *self, const guint8 *bytes, gsize n, GError **error)
{
  const gsize room = self->usable_bytes - LINK_BYTES;
  g_autofree guint8 *page = g_malloc0 (self->page_bytes);
  TtPageLink next = { 0, 0 };

  for (gsize i = (n + room - 1) / room; i-- > 0;)
    {
      gsize n_here = MIN (room, n - i * room);

      memcpy (page + LINK_BYTES, bytes + i * room, n_here);
      memset (page + LINK_BYTES + n_here, 0, room - n_here);
      tt_put_be32 (page, 0);
      next.page = tt_bulk_pages_add (self->pages, page, &next, next.page != 0, error);
      if (next.page == 0)
        return 0;
    }
  return next.page;
}

static gboolean
add_long (TtBulkTable *self, guint64 id, const TtBulkRow *row, const TtRowValue *values, GError **error)
{
  const guint32 usable = self->usable_bytes, least = least_in_page (usable);
  guint32 n_local = least + (guint32) ((row->n_bytes - least) % (usable - LINK_BYTES));

  if (n_local > most_in_page (usable))
    n_local = least;
  g_byte_array_set_size (self->long_row, (guint) row->n_bytes);
  tt_bulk_row_write (row, values, self->long_row->data);

  TtPageLink link = { 0, add_overflow (self, self->long_row->data + n_local, row->n_bytes - n_local, error) };
  guint n_cell = tt_varint_size (row->n_bytes) + tt_varint_size (id) + n_local + LINK_BYTES;
  guint8 *cell = link.page == 0 ? NULL : make_cell (self, n_cell, error);
  if (cell == NULL)
    return FALSE;
  memcpy (tt_put_varint (tt_put_varint (cell, row->n_bytes), id), self->long_row->data, n_local);
  link.offset = self->content + n_cell - LINK_BYTES;
  g_array_append_val (self->links, link);
  return TRUE;
}

/* Where the @n_bytes of a row go, after their number and @id. NULL: an error. */
static inline guint8 *
begin_row (TtBulkTable *self, guint64 id, guint n_bytes, GError **error)
{
  guint8 *cell = make_cell (self, tt_varint_size (n_bytes) + tt_varint_size (id) + n_bytes, error);

  return cell == NULL ? NULL : tt_put_varint (tt_put_varint (cell, n_bytes), id);
}

/* A row with a text and nothing else. */
static gboolean
add_only_text (TtBulkTable *self, guint64 id, const TtRowValue *text, GError **error)
{
  guint8 *bytes = begin_row (self, id, (guint) tt_bulk_row_text_bytes (text->n_bytes), error);

  if (bytes != NULL)
    tt_bulk_row_write_text (text, bytes);
  return bytes != NULL;
}

static gboolean
add_text (TtBulkTable *self, guint64 id, const TtRowValue *values, GError **error)
{
  TtBulkRow row;

  if (self->n_columns == 2 && tt_bulk_row_text_bytes (values[1].n_bytes) <= most_in_page (self->usable_bytes))
    return add_only_text (self, id, &values[1], error);
  tt_bulk_row_measure (&row, values, self->n_columns);
  if (row.n_bytes > most_in_page (self->usable_bytes))
    return add_long (self, id, &row, values, error);
  guint8 *bytes = begin_row (self, id, (guint) row.n_bytes, error);
  if (bytes != NULL)
    tt_bulk_row_write (&row, values, bytes);
  return bytes != NULL;
}

gboolean
tt_bulk_table_add_row (TtBulkTable *self, guint64 id, const guint8 *row, guint n_bytes, GError **error)
{
  guint8 *bytes = begin_row (self, id, n_bytes, error);

  if (bytes == NULL)
    return FALSE;
  memcpy (bytes, row, n_bytes);
  self->last_id = id;
  return TRUE;
}

gboolean
tt_bulk_table_add (TtBulkTable *self, guint64 id, const TtRowValue *values, GError **error)
{
  guint8 row[TT_BULK_ROW_SHORT_BYTES];
  const guint n_bytes = values[1].type == TT_ROW_TEXT ? 0 : tt_bulk_row_short (values, self->n_columns, row);

  if (n_bytes != 0)
    return tt_bulk_table_add_row (self, id, row, n_bytes, error);
  if (!add_text (self, id, values, error))
    return FALSE;
  self->last_id = id;
  return TRUE;
}

/* -- the pages above ---------------------------------------------------------------------------------------------- */

/* @n children, at least two; the last is named in the head. */
static void
put_interior (TtBulkTable *self, guint8 *page, const Child *children, guint n, TtPageLink *links)
{
  guint32 content = self->usable_bytes;

  memset (page, 0, self->page_bytes);
  for (guint i = 0; i + 1 < n; i++)
    {
      content -= LINK_BYTES + tt_varint_size (children[i].last_id);
      tt_put_varint (page + content + LINK_BYTES, children[i].last_id);
      tt_put_be16 (page + INTERIOR_HEADER + POINTER_BYTES * i, (guint16) content);
      links[i] = (TtPageLink){ content, children[i].page };
    }
  links[n - 1] = (TtPageLink){ LEAF_HEADER, children[n - 1].page };
  put_head (page, INTERIOR_PAGE, n - 1, content);
}

/* The pages above @children, each with as many of them, in their place. */
static gboolean
add_level (TtBulkTable *self, guint n_most, guint8 *page, TtPageLink *links, GError **error)
{
  GArray *children = self->children;
  const guint n_pages = (children->len + n_most - 1) / n_most;
  guint first = 0;

  for (guint i = 0; i < n_pages; i++)
    {
      guint end = (guint) ((guint64) children->len * (i + 1) / n_pages);
      Child child = { 0, g_array_index (children, Child, end - 1).last_id };

      put_interior (self, page, &g_array_index (children, Child, first), end - first, links);
      child.page = tt_bulk_pages_add (self->pages, page, links, end - first, error);
      if (child.page == 0)
        return FALSE;
      g_array_index (children, Child, i) = child;
      first = end;
    }
  g_array_set_size (children, n_pages);
  return TRUE;
}

/* Links of a page that is written in another's place. */
static void
resolve (TtBulkTable *self, guint8 *page, const TtPageLink *links, guint n)
{
  for (guint i = 0; i < n; i++)
    tt_put_be32 (page + links[i].offset, tt_bulk_pages_number (self->pages, links[i].page));
}

static gboolean
finish_leaf (TtBulkTable *self, GError **error)
{
  if (!tt_bulk_pages_flush (self->pages, error))
    return FALSE;
  close_leaf (self);
  resolve (self, self->leaf, (const TtPageLink *) (gpointer) self->links->data, self->links->len);
  return tt_bulk_pages_replace (self->pages, self->root, self->leaf, error);
}

gboolean
tt_bulk_table_finish (TtBulkTable *self, GError **error)
{
  const guint n_most = 1 + (self->usable_bytes - INTERIOR_HEADER) / (INTERIOR_CELL_MAX + POINTER_BYTES);

  if (self->last_id == 0)
    return TRUE;
  if (self->children->len == 0)
    return finish_leaf (self, error);

  g_autofree guint8 *page = g_malloc (self->page_bytes);
  g_autofree TtPageLink *links = g_new (TtPageLink, n_most);
  if (!end_leaf (self, error))
    return FALSE;
  while (self->children->len > n_most)
    if (!add_level (self, n_most, page, links, error))
      return FALSE;
  if (!tt_bulk_pages_flush (self->pages, error))
    return FALSE;
  put_interior (self, page, (const Child *) (gpointer) self->children->data, self->children->len, links);
  resolve (self, page, links, self->children->len);
  return tt_bulk_pages_replace (self->pages, self->root, page, error);
}
