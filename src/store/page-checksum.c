/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/page-checksum.h"

#include <string.h>

/* -- a file: what SQLite calls goes on to the file below, which lies behind this in memory --------------------- */

typedef struct
{
  sqlite3_file base;
  gboolean is_enabled;
  gboolean has_log;      /* by the header */
  gboolean may_be_stale; /* another program may have copied pages from the log */
  guint64 faulty_page;
} File;

/* Numbers up to 100 are SQLite's. */
enum
{
  CONTROL_IS_ENABLED = 7401,
  CONTROL_FAULTY_PAGE = 7402,
  CONTROL_ENABLE = 7403,
  CONTROL_IS_VERIFIED = 7404,
};

#define HEADER_BYTES 100
#define LOG_AT 18
#define HAS_LOG "\2\2"
#define RESERVED_AT 20
#define MIN_PAGE 512
/* SQLite's own files write no more than 128 KiB less a byte at once. */
#define MAX_WRITE ((gsize) 64 << 10)

static sqlite3_file *
below (sqlite3_file *file)
{
  return (sqlite3_file *) (void *) ((File *) (void *) file + 1);
}

static gboolean
is_page (int n)
{
  return n >= MIN_PAGE && (n & (n - 1)) == 0;
}

/* The checksum of a page stands in its last bytes. */
static guint8 *
seal_page (guint8 *page, int n)
{
  guint8 *checksum = page + n - TT_PAGE_CHECKSUM_BYTES;

  tt_page_checksum_compute (page, (gsize) n - TT_PAGE_CHECKSUM_BYTES, checksum);
  return checksum;
}

static gboolean
is_sound (const guint8 *page, int n)
{
  guint8 checksum[TT_PAGE_CHECKSUM_BYTES];

  tt_page_checksum_compute (page, (gsize) n - sizeof checksum, checksum);
  return memcmp (page + n - sizeof checksum, checksum, sizeof checksum) == 0;
}

/* Whether the byte that would say that there are checksums is what was damaged: then the first page's is right as
 * soon as it says so. */
static gboolean
hides_checksums (const guint8 *bytes, int n)
{
  g_autofree guint8 *page = g_memdup2 (bytes, (gsize) n);

  page[RESERVED_AT] = TT_PAGE_CHECKSUM_BYTES;
  return is_sound (page, n);
}

static gboolean
is_header (const guint8 *bytes, int n, sqlite3_int64 offset)
{
  return offset == 0 && n >= HEADER_BYTES && memcmp (bytes, "SQLite format 3", 16) == 0;
}

static void
look_at_header (File *self, const guint8 *bytes, int n)
{
  self->has_log = memcmp (bytes + LOG_AT, HAS_LOG, 2) == 0;
  self->may_be_stale |= self->has_log;
  self->is_enabled = bytes[RESERVED_AT] == TT_PAGE_CHECKSUM_BYTES || (is_page (n) && hides_checksums (bytes, n));
}

static int
read_file (sqlite3_file *file, void *bytes, int n, sqlite3_int64 offset)
{
  File *self = (File *) (void *) file;
  int code = below (file)->pMethods->xRead (below (file), bytes, n, offset);

  if (code != SQLITE_OK)
    return code;
  if (is_header (bytes, n, offset))
    look_at_header (self, bytes, n);
  if (!self->is_enabled || self->has_log || !is_page (n) || is_sound (bytes, n))
    return SQLITE_OK;
  self->faulty_page = (guint64) offset / (guint64) n + 1;
  return SQLITE_IOERR_DATA;
}

/* Makes the checksums of all pages right. SQLite does not know of them, so that this can end at any moment. */
static int
seal_file (sqlite3_file *file, int page_bytes)
{
  g_autofree guint8 *page = g_try_malloc ((gsize) page_bytes);
  sqlite3_int64 size = 0, rest = page_bytes - TT_PAGE_CHECKSUM_BYTES;
  int code = page == NULL ? SQLITE_NOMEM : file->pMethods->xFileSize (file, &size);

  for (sqlite3_int64 at = 0; code == SQLITE_OK && at + page_bytes <= size; at += page_bytes)
    {
      code = file->pMethods->xRead (file, page, page_bytes, at);
      if (code != SQLITE_OK || is_sound (page, page_bytes))
        continue;
      code = file->pMethods->xWrite (file, seal_page (page, page_bytes), TT_PAGE_CHECKSUM_BYTES, at + rest);
    }
  return code;
}

/* The first page is written: what it says of the file holds from now on. */
static int
change_header (File *self, const guint8 *bytes, int n)
{
  gboolean has_log = memcmp (bytes + LOG_AT, HAS_LOG, 2) == 0, ends_log = self->has_log && !has_log;

  self->is_enabled = bytes[RESERVED_AT] == TT_PAGE_CHECKSUM_BYTES;
  if (self->is_enabled && ends_log && self->may_be_stale && is_page (n))
    {
      int code = seal_file (below (&self->base), n);
      if (code != SQLITE_OK)
        return code;
      self->may_be_stale = FALSE;
    }
  self->has_log = has_log;
  return SQLITE_OK;
}

/* The bytes of the checksum are nobody's but ours, also in SQLite's own copy of the page. */
static int
write_file (sqlite3_file *file, const void *bytes, int n, sqlite3_int64 offset)
{
  File *self = (File *) (void *) file;
  int code = is_header (bytes, n, offset) ? change_header (self, bytes, n) : SQLITE_OK;

  if (code != SQLITE_OK)
    return code;
  if (self->is_enabled && is_page (n))
    seal_page ((guint8 *) (gpointer) bytes, n);
  return below (file)->pMethods->xWrite (below (file), bytes, n, offset);
}

static int
control_file (sqlite3_file *file, int operation, void *argument)
{
  File *self = (File *) (void *) file;

  if (operation == CONTROL_IS_ENABLED)
    *(gboolean *) argument = self->is_enabled;
  else if (operation == CONTROL_IS_VERIFIED)
    *(gboolean *) argument = self->is_enabled && !self->has_log;
  else if (operation == CONTROL_FAULTY_PAGE)
    *(guint64 *) argument = self->faulty_page;
  else if (operation == CONTROL_ENABLE)
    self->is_enabled = TRUE;
  else
    return below (file)->pMethods->xFileControl (below (file), operation, argument);
  return SQLITE_OK;
}

static int
close_file (sqlite3_file *file)
{
  return below (file)->pMethods->xClose (below (file));
}

static int
truncate_file (sqlite3_file *file, sqlite3_int64 size)
{
  return below (file)->pMethods->xTruncate (below (file), size);
}

static int
sync_file (sqlite3_file *file, int flags)
{
  return below (file)->pMethods->xSync (below (file), flags);
}

static int
file_size (sqlite3_file *file, sqlite3_int64 *size)
{
  return below (file)->pMethods->xFileSize (below (file), size);
}

static int
lock_file (sqlite3_file *file, int level)
{
  return below (file)->pMethods->xLock (below (file), level);
}

static int
unlock_file (sqlite3_file *file, int level)
{
  return below (file)->pMethods->xUnlock (below (file), level);
}

static int
check_reserved_lock (sqlite3_file *file, int *result)
{
  return below (file)->pMethods->xCheckReservedLock (below (file), result);
}

static int
sector_size (sqlite3_file *file)
{
  return below (file)->pMethods->xSectorSize (below (file));
}

/* Parts of pages could not be verified. */
static int
characteristics (sqlite3_file *file)
{
  int found = below (file)->pMethods->xDeviceCharacteristics (below (file));
#ifdef SQLITE_IOCAP_SUBPAGE_READ
  found &= ~SQLITE_IOCAP_SUBPAGE_READ;
#endif
  return found;
}

static int
map_shared (sqlite3_file *file, int region, int size, int extend, void volatile **memory)
{
  return below (file)->pMethods->xShmMap (below (file), region, size, extend, memory);
}

static int
lock_shared (sqlite3_file *file, int offset, int n, int flags)
{
  return below (file)->pMethods->xShmLock (below (file), offset, n, flags);
}

static void
order_shared (sqlite3_file *file)
{
  below (file)->pMethods->xShmBarrier (below (file));
}

static int
unmap_shared (sqlite3_file *file, int remove)
{
  return below (file)->pMethods->xShmUnmap (below (file), remove);
}

/* Version 2: pages are read, never mapped. */
static const sqlite3_io_methods methods = {
  .iVersion = 2,
  .xClose = close_file,
  .xRead = read_file,
  .xWrite = write_file,
  .xTruncate = truncate_file,
  .xSync = sync_file,
  .xFileSize = file_size,
  .xLock = lock_file,
  .xUnlock = unlock_file,
  .xCheckReservedLock = check_reserved_lock,
  .xFileControl = control_file,
  .xSectorSize = sector_size,
  .xDeviceCharacteristics = characteristics,
  .xShmMap = map_shared,
  .xShmLock = lock_shared,
  .xShmBarrier = order_shared,
  .xShmUnmap = unmap_shared,
};

/* -- the layer --------------------------------------------------------------------------------------------------- */

/* Journals and temporary files have no pages of a database that lasts. */
static int
open_file (sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags)
{
  sqlite3_vfs *system = vfs->pAppData;

  if ((flags & SQLITE_OPEN_MAIN_DB) == 0)
    return system->xOpen (system, name, file, flags, out_flags);
  *(File *) (void *) file = (File){ .base.pMethods = NULL };
  int code = system->xOpen (system, name, below (file), flags, out_flags);
  /* SQLite closes what has methods, also after a failure. */
  if (below (file)->pMethods != NULL)
    file->pMethods = &methods;
  return code;
}

typedef struct
{
  const char *system; /* NULL: the default */
  sqlite3_vfs vfs;
} Layer;

/* All but opening is the system's. */
static gpointer
add_layer (gpointer data)
{
  Layer *self = data;
  sqlite3_vfs *system = sqlite3_vfs_find (self->system);
  const char *name = self->vfs.zName;

  if (system == NULL)
    return NULL;
  self->vfs = *system;
  self->vfs.pNext = NULL;
  self->vfs.zName = name;
  self->vfs.pAppData = system;
  self->vfs.szOsFile = system->szOsFile + (int) sizeof (File);
  self->vfs.xOpen = open_file;
  return sqlite3_vfs_register (&self->vfs, 0) == SQLITE_OK ? (gpointer) name : NULL;
}

const char *
tt_page_checksum_vfs (void)
{
  static Layer layer = { NULL, { .zName = "tracetool-checksums" } };
  static GOnce once = G_ONCE_INIT;

  return g_once (&once, add_layer, &layer);
}

const char *
tt_page_checksum_vfs_unlocked (void)
{
  static Layer layer = { "unix-none", { .zName = "tracetool-checksums-unlocked" } };
  static GOnce once = G_ONCE_INIT;

  return g_once (&once, add_layer, &layer);
}

void
tt_page_checksum_enable (sqlite3 *db)
{
  int n = TT_PAGE_CHECKSUM_BYTES;

  sqlite3_file_control (db, "main", SQLITE_FCNTL_RESERVE_BYTES, &n);
  /* Other pages may be written before the first one, which says so. */
  sqlite3_file_control (db, "main", CONTROL_ENABLE, NULL);
}

static gboolean
ask_file (sqlite3 *db, int control)
{
  gboolean answer = FALSE;

  return sqlite3_file_control (db, "main", control, &answer) == SQLITE_OK && answer;
}

gboolean
tt_page_checksum_is_enabled (sqlite3 *db)
{
  return ask_file (db, CONTROL_IS_ENABLED);
}

gboolean
tt_page_checksum_is_verified (sqlite3 *db)
{
  return ask_file (db, CONTROL_IS_VERIFIED);
}

guint64
tt_page_checksum_fault (sqlite3 *db)
{
  guint64 page = 0;

  return sqlite3_file_control (db, "main", CONTROL_FAULTY_PAGE, &page) == SQLITE_OK ? page : 0;
}

static int
verify_pages (sqlite3_file *file, int page_bytes, guint64 *n, TtPageFaultFunc func, gpointer data)
{
  g_autofree guint8 *page = g_try_malloc ((gsize) page_bytes);
  sqlite3_int64 size = 0;
  int code = page == NULL ? SQLITE_NOMEM : file->pMethods->xFileSize (file, &size);

  for (sqlite3_int64 at = 0; code == SQLITE_OK && at < size; at += page_bytes)
    {
      code = file->pMethods->xRead (file, page, page_bytes, at);
      ++*n;
      if (code == SQLITE_IOERR_SHORT_READ || (code == SQLITE_OK && !is_sound (page, page_bytes)))
        {
          code = SQLITE_OK;
          func (*n, data);
        }
    }
  return code;
}

int
tt_page_checksum_write (sqlite3 *db, guint32 first, guint8 *pages, guint n, int page_bytes)
{
  sqlite3_file *file = NULL;
  int code = sqlite3_file_control (db, "main", SQLITE_FCNTL_FILE_POINTER, &file);

  if (code != SQLITE_OK || file == NULL || file->pMethods != &methods || !is_page (page_bytes))
    return code == SQLITE_OK ? SQLITE_ERROR : code;
  for (guint i = 0; i < n; i++)
    seal_page (pages + (gsize) i * (gsize) page_bytes, page_bytes);
  for (gsize at = 0, size = (gsize) n * (gsize) page_bytes; at < size && code == SQLITE_OK; at += MAX_WRITE)
    code = below (file)->pMethods->xWrite (below (file), pages + at, (int) MIN (size - at, MAX_WRITE),
                                           (sqlite3_int64) (first - 1) * page_bytes + (sqlite3_int64) at);
  return code;
}

int
tt_page_checksum_verify (sqlite3 *db, guint64 *n, TtPageFaultFunc func, gpointer data)
{
  sqlite3_file *file = NULL;
  sqlite3_stmt *row = NULL;
  int code = sqlite3_prepare_v2 (db, "PRAGMA page_size", -1, &row, NULL);
  int page_bytes = code == SQLITE_OK && sqlite3_step (row) == SQLITE_ROW ? sqlite3_column_int (row, 0) : 0;

  sqlite3_finalize (row);
  if (code == SQLITE_OK)
    code = sqlite3_file_control (db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code != SQLITE_OK || file == NULL || file->pMethods != &methods || !is_page (page_bytes))
    return code == SQLITE_OK ? SQLITE_ERROR : code;
  return verify_pages (below (file), page_bytes, n, func, data);
}
