/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#include "src/base/failure.h"
#include "src/cli/command.h"
#include "src/store/page-checksum.h"

/*
 * Databases that are not as an import leaves them, with right checksums, under the commands that read. The first byte
 * chooses the command, the next its runs; then come changes of 8 bytes each: of values by SQL, or of a byte of a page.
 * What holds: a command ends, with an answer or an error.
 */

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);
extern void __sanitizer_set_report_fd (void *fd) __attribute__ ((weak));

#define CHANGE 8u
#define MAX_CHANGES 6u
#define PAGE_BYTES ((gsize) 16384)

static const char *const commands[] = {
  "stats",
  "stats --by tid,op_cat",
  "stats --by op_long_name --top 0 --format json",
  "info",
  "info --names",
  "info --format json",
  "comm",
  "comm --show pairs",
  "steps",
  "params",
  "nccl",
  "depgraph -o -",
  "depgraph --level task -o -",
  "critical-path",
  "critical-path --model",
  "simulate",
  "export --chrome -o -",
  "export --perfetto -o -",
  "export --folded -o -",
  "export --speedscope -o -",
  "export --template -o -",
  "export --max-size 20k -o -",
  "export --filter name~a -o -",
  "stats --filter pid=1 --time-window 0:1000",
};

typedef struct
{
  char *name;
  GPtrArray *columns; /* of char* */
} Table;

typedef struct
{
  char *folder, *path;
  GByteArray *image; /* of the whole database */
  GPtrArray *tables; /* of Table */
  int null;
} Base;

/* -- the database that is changed ------------------------------------------------------------------------------- */

static GByteArray *
unpack (const char *path)
{
  GByteArray *image = g_byte_array_new ();
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GInputStream) packed = G_INPUT_STREAM (g_file_read (file, NULL, NULL));
  g_autoptr (GZlibDecompressor) gzip = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  guint8 piece[65536];
  gssize n;

  g_assert (packed != NULL);
  g_autoptr (GInputStream) stream = g_converter_input_stream_new (packed, G_CONVERTER (gzip));
  while ((n = g_input_stream_read (stream, piece, sizeof piece, NULL, NULL)) > 0)
    g_byte_array_append (image, piece, (guint) n);
  g_assert (n == 0 && image->len % PAGE_BYTES == 0 && image->len > 0);
  return image;
}

static sqlite3 *
open_database (const Base *self)
{
  sqlite3 *db = NULL;

  g_assert (sqlite3_open_v2 (self->path, &db, SQLITE_OPEN_READWRITE, tt_page_checksum_vfs ()) == SQLITE_OK);
  return db;
}

static void
write_image (const Base *self)
{
  g_assert (g_file_set_contents_full (self->path, (const char *) self->image->data, self->image->len,
                                      G_FILE_SET_CONTENTS_NONE, 0600, NULL));
}

static void
list_columns (sqlite3 *db, Table *table)
{
  sqlite3_stmt *row = NULL;

  g_assert (sqlite3_prepare_v2 (db, "SELECT name FROM pragma_table_info (?1)", -1, &row, NULL) == SQLITE_OK);
  sqlite3_bind_text (row, 1, table->name, -1, SQLITE_STATIC);
  while (sqlite3_step (row) == SQLITE_ROW)
    g_ptr_array_add (table->columns, g_strdup ((const char *) sqlite3_column_text (row, 0)));
  sqlite3_finalize (row);
}

static void
list_tables (Base *self)
{
  sqlite3 *db = open_database (self);
  sqlite3_stmt *row = NULL;

  g_assert (sqlite3_prepare_v2 (db, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name", -1, &row,
                                NULL) == SQLITE_OK);
  while (sqlite3_step (row) == SQLITE_ROW)
    {
      Table *table = g_new0 (Table, 1);

      table->name = g_strdup ((const char *) sqlite3_column_text (row, 0));
      table->columns = g_ptr_array_new ();
      list_columns (db, table);
      g_ptr_array_add (self->tables, table);
    }
  sqlite3_finalize (row);
  sqlite3_close (db);
}

static Base base;

static void
remove_folder (void)
{
  g_unlink (base.path);
  g_rmdir (base.folder);
}

static void
prepare (void)
{
  const char *srcdir = g_getenv ("SRCDIR");
  g_autofree char *kept =
      g_build_filename (srcdir != NULL ? srcdir : ".", "data", "databases", "version-6.db.gz", NULL);

  if (base.image != NULL)
    return;
  base.folder = g_dir_make_tmp ("tracetool-fuzz-XXXXXX", NULL);
  base.path = g_build_filename (base.folder, "some.db", NULL);
  base.image = unpack (kept);
  base.tables = g_ptr_array_new ();
  base.null = open ("/dev/null", O_RDWR | O_CLOEXEC);
  g_assert (base.folder != NULL && base.null >= 0);
  write_image (&base);
  list_tables (&base);
  atexit (remove_folder);
}

/* -- changes ------------------------------------------------------------------------------------------------------ */

/* An SQL expression over the row; @column: its quoted name. Free it. */
static char *
choose_value (guint8 kind, guint8 more, const char *column)
{
  static const char *const values[] = {
    "0", "1", "-1", "NULL", "127", "2147483647", "2147483648", "4294967295", "4294967296", "9223372036854775807",
    "-9223372036854775808", "1000000000000000", "1.5", "1e300", "''", "'x'", "x'ff00ff'", "'{\"a\":1}'", "'%s%n'",
    "zeroblob (100000)", "hex (zeroblob (5000))", "char (27, 93, 7)", "CAST (x'c328' AS TEXT)", "'epoch'", "'ticks'",
  };

  if (kind < G_N_ELEMENTS (values))
    return g_strdup (values[kind]);
  switch (kind % 5)
    {
    case 0: return g_strdup_printf ("%s + %u", column, more + 1u);
    case 1: return g_strdup_printf ("%s - %u", column, more + 1u);
    case 2: return g_strdup_printf ("-%s", column);
    case 3: return g_strdup_printf ("%s << %u", column, more % 63u);
    default: return g_strdup_printf ("%u", more);
    }
}

static void
change_values (sqlite3 *db, const guint8 *change)
{
  const Table *table = g_ptr_array_index (base.tables, change[1] % base.tables->len);
  const char *name = g_ptr_array_index (table->columns, change[2] % table->columns->len);
  g_autofree char *column = g_strdup_printf ("\"%s\"", name), *value = choose_value (change[3], change[4], column);
  g_autofree char *where =
      change[5] == 0 ? g_strdup ("")
                     : g_strdup_printf (" WHERE %s %s (SELECT %s FROM %s LIMIT 1 OFFSET %u)",
                                        column, change[5] % 3 == 0 ? ">=" : "=", column, table->name,
                                        change[6] * (1u + change[7] % 8u));
  g_autofree char *sql = change[0] % 8 == 1 ? g_strdup_printf ("DELETE FROM %s%s", table->name, where)
                                            : g_strdup_printf ("UPDATE OR IGNORE %s SET %s = %s%s", table->name, column,
                                                               value, where);

  sqlite3_exec (db, sql, NULL, NULL, NULL);
}

/* Behind SQLite, with the checksum made right. */
static void
change_page (const guint8 *change)
{
  guint8 page[PAGE_BYTES];
  int fd = g_open (base.path, O_RDWR | O_CLOEXEC, 0);
  off_t at = (off_t) ((change[1] | change[2] << 8) % (base.image->len / PAGE_BYTES) * PAGE_BYTES);
  gsize offset = (gsize) (change[3] | change[4] << 8) % (PAGE_BYTES - TT_PAGE_CHECKSUM_BYTES);

  g_assert (fd >= 0);
  if (pread (fd, page, PAGE_BYTES, at) == (gssize) PAGE_BYTES)
    {
      page[offset] = change[5];
      tt_page_checksum_compute (page, PAGE_BYTES - TT_PAGE_CHECKSUM_BYTES, page + PAGE_BYTES - TT_PAGE_CHECKSUM_BYTES);
      g_assert (pwrite (fd, page, PAGE_BYTES, at) == (gssize) PAGE_BYTES);
    }
  close (fd);
}

static void
change_database (const guint8 *bytes, size_t len)
{
  sqlite3 *db = open_database (&base);
  size_t n = MIN (len / CHANGE, MAX_CHANGES);

  sqlite3_exec (db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA ignore_check_constraints = ON", NULL,
                NULL, NULL);
  for (size_t i = 0; i < n; i++)
    if (bytes[i * CHANGE] % 8 != 0)
      change_values (db, bytes + i * CHANGE);
  sqlite3_close (db);
  for (size_t i = 0; i < n; i++)
    if (bytes[i * CHANGE] % 8 == 0)
      change_page (bytes + i * CHANGE);
}

/* -- a command ------------------------------------------------------------------------------------------------------ */

static void
run_command (const char *line, const char *run)
{
  g_auto (GStrv) words = g_strsplit (line, " ", -1);
  int n = (int) g_strv_length (words);
  /* Options are taken out of it. */
  g_autofree char **argv = g_memdup2 (words, ((gsize) n + 1) * sizeof *words);
  g_autoptr (GError) error = NULL;
  TtContext context = { .db_path = base.path, .db_given = TRUE, .run = run, .commands = tt_commands };
  const TtCommand *command = tt_command_find (tt_commands, words[0]);

  g_assert (command != NULL);
  tt_command_bind (&context);
  int status = command->run (&context, n, argv, &error);
  g_assert (status != 2 && (status != -1 || error != NULL));
  tt_failure_forget ();
}

/* What commands print goes nowhere, but reports of sanitizers do not. */
static void
run_silently (const char *line, const char *run)
{
  int kept[2];

  for (int i = 0; i < 2; i++)
    {
      kept[i] = fcntl (i + 1, F_DUPFD_CLOEXEC, 3);
      fflush (i == 0 ? stdout : stderr);
      g_assert (kept[i] >= 0 && dup2 (base.null, i + 1) == i + 1);
    }
  if (__sanitizer_set_report_fd != NULL)
    __sanitizer_set_report_fd (GINT_TO_POINTER (kept[1]));
  run_command (line, run);
  for (int i = 0; i < 2; i++)
    {
      fflush (i == 0 ? stdout : stderr);
      g_assert (dup2 (kept[i], i + 1) == i + 1);
      close (kept[i]);
    }
  clearerr (stdout);
  if (__sanitizer_set_report_fd != NULL)
    __sanitizer_set_report_fd (GINT_TO_POINTER (2));
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  static const char *const runs[] = { NULL, "all", "1", "4", "5", "6", "7" };

  if (len < 2)
    return 0;
  prepare ();
  write_image (&base);
  change_database (bytes + 2, len - 2);
  run_silently (commands[bytes[0] % G_N_ELEMENTS (commands)], runs[bytes[1] % G_N_ELEMENTS (runs)]);
  return 0;
}
