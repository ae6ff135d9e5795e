/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "tests/fuzz/memory-vfs.h"

#include <sqlite3.h>
#include <string.h>

#include "src/store/page-checksum.h"
#include "tests/fuzz/unseen.h"

/* More than this a database does not grow: SQLite finds its disk full. */
#define MAX_PAGES 4096u

static GByteArray *original;
static guint8 *image;
static gsize n_bytes;
static gboolean is_changed[MAX_PAGES];
static gboolean is_on_disk;

FUZZ_UNSEEN_BEGIN

/* -- the file ----------------------------------------------------------------------------------------------------- */

void
fuzz_memory_vfs_set (GByteArray *bytes)
{
  g_assert (bytes->len > 0 && bytes->len % FUZZ_PAGE_BYTES == 0 && bytes->len <= MAX_PAGES * FUZZ_PAGE_BYTES);
  if (bytes == original)
    {
      fuzz_memory_vfs_reset ();
      return;
    }
  /* Kept, so that no other can lie where it lies. */
  if (original != NULL)
    g_byte_array_unref (original);
  original = g_byte_array_ref (bytes);
  if (image == NULL)
    image = g_malloc (MAX_PAGES * FUZZ_PAGE_BYTES);
  memset (is_changed, TRUE, sizeof is_changed);
  n_bytes = MAX_PAGES * FUZZ_PAGE_BYTES;
  fuzz_memory_vfs_reset ();
}

void
fuzz_memory_vfs_reset (void)
{
  for (gsize page = 0; page < MAX (n_bytes, original->len) / FUZZ_PAGE_BYTES; page++)
    {
      gsize at = page * FUZZ_PAGE_BYTES;

      if (is_changed[page] && at < original->len)
        memcpy (image + at, original->data + at, FUZZ_PAGE_BYTES);
      is_changed[page] = FALSE;
    }
  n_bytes = original->len;
}

gsize
fuzz_memory_vfs_n_pages (void)
{
  return n_bytes / FUZZ_PAGE_BYTES;
}

guint8 *
fuzz_memory_vfs_page (gsize page)
{
  is_changed[page] = TRUE;
  return image + page * FUZZ_PAGE_BYTES;
}

gboolean
fuzz_memory_vfs_differs (gsize page, gsize from, gsize to)
{
  gsize at = page * FUZZ_PAGE_BYTES;

  if (!is_changed[page])
    return FALSE;
  return MIN (n_bytes, original->len) < at + FUZZ_PAGE_BYTES ||
         memcmp (image + at + from, original->data + at + from, to - from) != 0;
}

void
fuzz_memory_vfs_seal (guint8 *page)
{
  gsize rest = FUZZ_PAGE_BYTES - TT_PAGE_CHECKSUM_BYTES;

  tt_page_checksum_compute (page, rest, page + rest);
}

void
fuzz_memory_vfs_seal_changed (void)
{
  for (gsize page = 0; page < fuzz_memory_vfs_n_pages (); page++)
    if (is_changed[page])
      fuzz_memory_vfs_seal (image + page * FUZZ_PAGE_BYTES);
}

void
fuzz_memory_vfs_bypass (gboolean is_bypassed)
{
  is_on_disk = is_bypassed;
}

static int
close_file (sqlite3_file *file)
{
  return SQLITE_OK;
}

static int
read_file (sqlite3_file *file, void *bytes, int n, sqlite3_int64 offset)
{
  gsize at = (gsize) offset, rest = at < n_bytes ? n_bytes - at : 0, n_read = MIN ((gsize) n, rest);

  memcpy (bytes, image + (n_read > 0 ? at : 0), n_read);
  memset ((guint8 *) bytes + n_read, 0, (gsize) n - n_read);
  return n_read == (gsize) n ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}

static int
write_file (sqlite3_file *file, const void *bytes, int n, sqlite3_int64 offset)
{
  gsize at = (gsize) offset, end = at + (gsize) n;

  if (end > MAX_PAGES * FUZZ_PAGE_BYTES)
    return SQLITE_FULL;
  if (at > n_bytes)
    memset (image + n_bytes, 0, at - n_bytes);
  memcpy (image + at, bytes, (gsize) n);
  n_bytes = MAX (n_bytes, (end + FUZZ_PAGE_BYTES - 1) / FUZZ_PAGE_BYTES * FUZZ_PAGE_BYTES);
  for (gsize page = at / FUZZ_PAGE_BYTES; page * FUZZ_PAGE_BYTES < end; page++)
    is_changed[page] = TRUE;
  return SQLITE_OK;
}

/* What is cut off is copied again at the next reset. */
static int
truncate_file (sqlite3_file *file, sqlite3_int64 size)
{
  for (gsize page = (gsize) size / FUZZ_PAGE_BYTES; page < MAX_PAGES && page * FUZZ_PAGE_BYTES < n_bytes; page++)
    is_changed[page] = TRUE;
  n_bytes = (gsize) size;
  return SQLITE_OK;
}

static int
sync_file (sqlite3_file *file, int flags)
{
  return SQLITE_OK;
}

static int
file_size (sqlite3_file *file, sqlite3_int64 *size)
{
  *size = (sqlite3_int64) n_bytes;
  return SQLITE_OK;
}

static int
lock_file (sqlite3_file *file, int level)
{
  return SQLITE_OK;
}

static int
check_reserved_lock (sqlite3_file *file, int *result)
{
  *result = 0;
  return SQLITE_OK;
}

static int
control_file (sqlite3_file *file, int operation, void *argument)
{
  return SQLITE_NOTFOUND;
}

static int
sector_size (sqlite3_file *file)
{
  return (int) FUZZ_PAGE_BYTES;
}

static int
characteristics (sqlite3_file *file)
{
  return 0;
}

/* -- the layer ---------------------------------------------------------------------------------------------------- */

static int
open_file (sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags)
{
  static const sqlite3_io_methods methods = {
    .iVersion = 1,
    .xClose = close_file,
    .xRead = read_file,
    .xWrite = write_file,
    .xTruncate = truncate_file,
    .xSync = sync_file,
    .xFileSize = file_size,
    .xLock = lock_file,
    .xUnlock = lock_file,
    .xCheckReservedLock = check_reserved_lock,
    .xFileControl = control_file,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = characteristics,
  };
  sqlite3_vfs *system = vfs->pAppData;

  if (is_on_disk || (flags & SQLITE_OPEN_MAIN_DB) == 0)
    return system->xOpen (system, name, file, flags, out_flags);
  file->pMethods = &methods;
  if (out_flags != NULL)
    *out_flags = flags;
  return SQLITE_OK;
}

/* In memory there are no files beside it. */
static int
look_for_file (sqlite3_vfs *vfs, const char *name, int flags, int *is_there)
{
  sqlite3_vfs *system = vfs->pAppData;

  if (is_on_disk)
    return system->xAccess (system, name, flags, is_there);
  *is_there = 0;
  return SQLITE_OK;
}

const char *
fuzz_memory_vfs (void)
{
  static sqlite3_vfs layer;

  if (layer.zName == NULL)
    {
      sqlite3_vfs *system = sqlite3_vfs_find (NULL);

      layer = *system;
      layer.pNext = NULL;
      layer.zName = "fuzz-memory";
      layer.pAppData = system;
      layer.xOpen = open_file;
      layer.xAccess = look_for_file;
      int status = sqlite3_vfs_register (&layer, 1);
      g_assert (status == SQLITE_OK);
    }
  return layer.zName;
}

FUZZ_UNSEEN_END
