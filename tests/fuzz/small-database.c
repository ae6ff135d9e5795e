/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "tests/fuzz/small-database.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <sqlite3.h>

#include "src/store/schema.h"
#include "tests/fuzz/memory-vfs.h"

/* Ids stay, and so do the last events of each source, with what encloses them: what refers to others goes. */
static const char reduce[] =
    "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
    "UPDATE source_row SET first_event = max (first_event, last_event - 9);"
    "UPDATE source_row SET n_events = last_event - first_event + 1 WHERE n_events > 0;"
    "DELETE FROM event_row WHERE NOT EXISTS (SELECT 1 FROM source_row WHERE event_row.id BETWEEN first_event AND"
    " last_event);"
    "DELETE FROM metric_row WHERE event NOT IN (SELECT id FROM event_row);"
    "DELETE FROM activity_row WHERE event NOT IN (SELECT id FROM event_row)"
    " OR launch NOT IN (SELECT id FROM event_row);"
    "DELETE FROM flow_row WHERE from_event NOT IN (SELECT id FROM event_row)"
    " OR to_event NOT IN (SELECT id FROM event_row);"
    "DELETE FROM message_row WHERE send_event NOT IN (SELECT id FROM event_row)"
    " OR recv_event NOT IN (SELECT id FROM event_row);"
    "DELETE FROM collective_row WHERE event NOT IN (SELECT id FROM event_row);"
    "DELETE FROM args_row WHERE id NOT IN (SELECT args FROM event_row WHERE args IS NOT NULL);"
    "DELETE FROM args_filled_row WHERE id NOT IN (SELECT args FROM event_row WHERE args IS NOT NULL);"
    "DELETE FROM counter_row WHERE id % 8 <> 0;"
    "DELETE FROM statistic_row WHERE id % 5 <> 0;"
    "DELETE FROM node WHERE rowid % 4 <> 0;"
    "DELETE FROM edge WHERE src NOT IN (SELECT op_long_name FROM node)"
    " OR dst NOT IN (SELECT op_long_name FROM node);"
    /* The first run trains a model, too. */
    "UPDATE name_row SET op_cat = 'FW', text = 'FW.' || op_name WHERE run = 1 AND op_name = 'solve(Grid *, int)';"
    "UPDATE name_row SET op_cat = 'BW', text = 'BW.' || op_name WHERE run = 1 AND op_name = 'time step';"
    "UPDATE name_row SET op_cat = 'UPDATE_', text = 'UPDATE_.' || op_name WHERE run = 1 AND op_name = 'main';"
    "PRAGMA page_size = 1024; VACUUM";

static void
unpack (const char *path, const char *to)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GInputStream) packed = G_INPUT_STREAM (g_file_read (file, NULL, NULL));
  g_autoptr (GZlibDecompressor) gzip = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  g_autoptr (GFile) image = g_file_new_for_path (to);
  g_autoptr (GOutputStream) out = G_OUTPUT_STREAM (g_file_replace (image, NULL, FALSE, 0, NULL, NULL));

  g_assert (packed != NULL && out != NULL);
  g_autoptr (GInputStream) stream = g_converter_input_stream_new (packed, G_CONVERTER (gzip));
  gssize n = g_output_stream_splice (out, stream, G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET, NULL, NULL);
  g_assert (n > 0);
}

static void
reduce_database (const char *path)
{
  sqlite3 *db = NULL;
  int status = sqlite3_open_v2 (path, &db, SQLITE_OPEN_READWRITE, NULL);

  g_assert (status == SQLITE_OK);
  status = sqlite3_exec (db, reduce, NULL, NULL, NULL);
  g_assert (status == SQLITE_OK);
  sqlite3_close (db);
}

GByteArray *
fuzz_small_database_new (void)
{
  const char *srcdir = g_getenv ("SRCDIR");
  /* Of an older version every command would read the tables through views, made anew each time. */
  g_autofree char *file = g_strdup_printf ("version-%d.db.gz", TT_SCHEMA_VERSION);
  g_autofree char *kept = g_build_filename (srcdir != NULL ? srcdir : ".", "data", "databases", file, NULL);
  g_autofree char *folder = g_dir_make_tmp ("tracetool-fuzz-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "whole.db", NULL);
  char *bytes;
  gsize len;

  unpack (kept, path);
  reduce_database (path);
  gboolean is_read = g_file_get_contents (path, &bytes, &len, NULL);
  g_assert (is_read && len % FUZZ_PAGE_BYTES == 0);
  g_unlink (path);
  g_rmdir (folder);
  for (gsize at = 0; at < len; at += FUZZ_PAGE_BYTES)
    fuzz_memory_vfs_seal ((guint8 *) bytes + at);
  return g_byte_array_new_take ((guint8 *) bytes, len);
}
