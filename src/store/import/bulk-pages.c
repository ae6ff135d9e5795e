/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/import/bulk-pages.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "src/base/big-endian.h"
#include "src/store/page-checksum.h"

#define PIECE_BYTES ((guint32) 2 << 20)
/* SQLite's locks would lie here: the page is left free. */
#define LOCK_OFFSET ((guint32) 1 << 30)
#define MAX_PAGES ((guint64) G_MAXUINT32 - 1)

#define CHANGES_AT 24
#define N_PAGES_AT 28
#define VALID_FOR_AT 92

/* A page of the piece that is not written yet names one of the same piece. */
typedef struct
{
  guint32 at;   /* in the piece */
  guint32 page; /* of the piece */
} Link;

struct _TtBulkPages
{
  TtConnection *connection;
  sqlite3_file *file;
  int fd; /* to say that pages are to go to disk; -1: none */
  guint32 page_bytes, usable_bytes;
  guint32 lock_offset;
  guint32 n_max; /* pages of a piece */
  guint32 n;     /* of the current one */
  guint8 *piece;
  GArray *links; /* of Link */
  GArray *bases; /* of guint32: number of the first page of each piece that was written */
  guint8 *header;
};

TtBulkPages *
tt_bulk_pages_new (TtConnection *connection, GError **error)
{
  g_autoptr (TtBulkPages) self = g_new0 (TtBulkPages, 1);
  gint64 page_bytes;

  self->connection = connection;
  self->fd = -1;
  self->links = g_array_new (FALSE, FALSE, sizeof (Link));
  self->bases = g_array_new (FALSE, FALSE, sizeof (guint32));
  if (!tt_connection_get_int (connection, "PRAGMA main.page_size", &page_bytes, error))
    return NULL;
  if (sqlite3_file_control (connection->db, "main", SQLITE_FCNTL_FILE_POINTER, &self->file) != SQLITE_OK)
    {
      tt_connection_fail (connection, "write", error);
      return NULL;
    }
  self->fd = open (sqlite3_db_filename (connection->db, "main"), O_RDONLY | O_CLOEXEC);
  self->page_bytes = (guint32) page_bytes;
  self->usable_bytes = self->page_bytes - TT_PAGE_CHECKSUM_BYTES;
  self->lock_offset = LOCK_OFFSET;
  self->n_max = PIECE_BYTES / self->page_bytes;
  self->piece = g_malloc (PIECE_BYTES);
  self->header = g_malloc (self->page_bytes);
  return g_steal_pointer (&self);
}

void
tt_bulk_pages_free (TtBulkPages *self)
{
  if (self == NULL)
    return;
  if (self->fd >= 0)
    close (self->fd);
  g_array_unref (self->links);
  g_array_unref (self->bases);
  g_free (self->piece);
  g_free (self->header);
  g_free (self);
}

TtConnection *
tt_bulk_pages_connection (const TtBulkPages *self)
{
  return self->connection;
}

guint32
tt_bulk_pages_size (const TtBulkPages *self)
{
  return self->page_bytes;
}

guint32
tt_bulk_pages_usable (const TtBulkPages *self)
{
  return self->usable_bytes;
}

void
tt_bulk_pages_set_lock_offset (TtBulkPages *self, guint32 offset)
{
  self->lock_offset = offset;
}

/* -- numbers -------------------------------------------------------------------------------------------------- */

static TtPageRef
make_ref (guint32 piece, guint32 page)
{
  return ((TtPageRef) piece + 1) << 32 | page;
}

static guint32
piece_of (TtPageRef ref)
{
  return (guint32) (ref >> 32) - 1;
}

static guint32
lock_page (const TtBulkPages *self)
{
  return self->lock_offset / self->page_bytes + 1;
}

/* Of page @page of a piece that begins with page @base of the file. */
static guint32
number_of (const TtBulkPages *self, guint32 base, guint32 page)
{
  guint32 number = base + page;

  return base < lock_page (self) && number >= lock_page (self) ? number + 1 : number;
}

guint32
tt_bulk_pages_number (const TtBulkPages *self, TtPageRef page)
{
  g_return_val_if_fail (page != 0 && piece_of (page) < self->bases->len, 0);

  return number_of (self, g_array_index (self->bases, guint32, piece_of (page)), (guint32) page);
}

/* -- gathering -------------------------------------------------------------------------------------------------- */

TtPageRef
tt_bulk_pages_add (TtBulkPages *self, const guint8 *bytes, const TtPageLink *links, guint n_links, GError **error)
{
  if (self->n == self->n_max && !tt_bulk_pages_flush (self, error))
    return 0;

  const guint32 at = self->n * self->page_bytes;
  memcpy (self->piece + at, bytes, self->page_bytes);
  for (guint i = 0; i < n_links; i++)
    if (piece_of (links[i].page) < self->bases->len)
      tt_put_be32 (self->piece + at + links[i].offset, tt_bulk_pages_number (self, links[i].page));
    else
      {
        const Link link = { at + links[i].offset, (guint32) links[i].page };
        g_array_append_val (self->links, link);
      }
  return make_ref (self->bases->len, self->n++);
}

/* -- writing ---------------------------------------------------------------------------------------------------- */

static gboolean
check_code (TtBulkPages *self, int code, GError **error)
{
  return code == SQLITE_OK || tt_connection_fail_code (self->connection, code, "write", error);
}

/* SQLite forgets what it knows of the file when the header tells of a change. */
static int
write_header (TtBulkPages *self, guint32 n_pages)
{
  guint8 *header = self->header;
  guint32 changes = tt_get_be32 (header + CHANGES_AT) + 1;

  tt_put_be32 (header + CHANGES_AT, changes);
  tt_put_be32 (header + VALID_FOR_AT, changes);
  tt_put_be32 (header + N_PAGES_AT, n_pages);
  return self->file->pMethods->xWrite (self->file, header, (int) self->page_bytes, 0);
}

static int
read_header (TtBulkPages *self)
{
  return self->file->pMethods->xRead (self->file, self->header, (int) self->page_bytes, 0);
}

/* Pages up to the one that is left free, and those behind it. */
static int
write_pages (TtBulkPages *self, guint32 base)
{
  guint32 n_first = base < lock_page (self) ? MIN (self->n, lock_page (self) - base) : self->n;
  int code = tt_page_checksum_write (self->connection->db, base, self->piece, n_first, (int) self->page_bytes);

  if (code != SQLITE_OK || n_first == self->n)
    return code;
  return tt_page_checksum_write (self->connection->db, number_of (self, base, n_first),
                                 self->piece + (gsize) n_first * self->page_bytes, self->n - n_first,
                                 (int) self->page_bytes);
}

/* The disk begins at once, so that it has less to do at the end. A file system that cannot do so does it then. */
static void
begin_to_store (const TtBulkPages *self, guint32 base)
{
#ifdef SYNC_FILE_RANGE_WRITE
  if (self->fd >= 0)
    sync_file_range (self->fd, (off64_t) (base - 1) * self->page_bytes, (off64_t) self->n * self->page_bytes,
                     SYNC_FILE_RANGE_WRITE);
#endif
}

static int
append (TtBulkPages *self)
{
  int code = read_header (self);

  if (code != SQLITE_OK)
    return code;
  guint32 base = tt_get_be32 (self->header + N_PAGES_AT) + 1;
  if (base == lock_page (self))
    base++;
  if ((guint64) base + self->n > MAX_PAGES)
    return SQLITE_FULL;
  for (guint i = 0; i < self->links->len; i++)
    {
      const Link *link = &g_array_index (self->links, Link, i);
      tt_put_be32 (self->piece + link->at, number_of (self, base, link->page));
    }
  code = write_pages (self, base);
  if (code == SQLITE_OK)
    code = write_header (self, number_of (self, base, self->n - 1));
  if (code == SQLITE_OK)
    begin_to_store (self, base);
  g_array_append_val (self->bases, base);
  g_array_set_size (self->links, 0);
  self->n = 0;
  return code;
}

gboolean
tt_bulk_pages_flush (TtBulkPages *self, GError **error)
{
  if (self->n == 0)
    return TRUE;
  return tt_connection_exec (self->connection, "COMMIT", error) && check_code (self, append (self), error) &&
         tt_connection_exec (self->connection, "BEGIN", error);
}

gboolean
tt_bulk_pages_replace (TtBulkPages *self, guint32 number, guint8 *bytes, GError **error)
{
  if (!tt_connection_exec (self->connection, "COMMIT", error))
    return FALSE;
  int code = read_header (self);
  if (code == SQLITE_OK)
    code = tt_page_checksum_write (self->connection->db, number, bytes, 1, (int) self->page_bytes);
  if (code == SQLITE_OK)
    code = write_header (self, tt_get_be32 (self->header + N_PAGES_AT));
  return check_code (self, code, error) && tt_connection_exec (self->connection, "BEGIN", error);
}
