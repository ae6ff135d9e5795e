/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of contents of a packed trace (pi.md section 8): u8 version 0, then entries: u8 kind (0 directory, 1 file),
 * u64 length of the name, name; of files u64 packed length and one zstd frame with the size of its contents.
 *
 * Names are safe: relative, without "..", empty parts or control characters.
 */
#pragma once

#include <glib.h>

typedef struct
{
  char *name;
  guint64 at;          /* of the frame in the archive */
  guint64 packed_size; /* of the frame */
  guint64 size;        /* of the contents */
} TtPiArchived;

/* Files in the order of the archive (GPtrArray of TtPiArchived). */
GPtrArray *tt_pi_archive_read (const char *path, GError **error);
/* Files, as above; adds the names of the directories to @directories (of char *), in the order of the archive. */
GPtrArray *tt_pi_archive_read_all (const char *path, GPtrArray *directories, GError **error);
/* Whether these first bytes of a file of @size bytes may be an archive. */
gboolean tt_pi_archive_probe (const guint8 *head, gsize len, guint64 size);

/* Writes the regular files and directories below @directory to the archive @path, sorted by name, a directory before
 * what is in it; @path appears when it is complete. What is neither (links, FIFOs) is left out: its names are added to
 * @left_out (of char *). */
gboolean tt_pi_archive_write (const char *directory, const char *path, GPtrArray *left_out, GError **error);
/* Makes @directory, which must not exist, with the contents of the archive. When it fails, nothing is left.
 * @may_be_large: even if the contents are more than 1 GiB and a thousand times the archive. */
gboolean tt_pi_archive_unpack (const char *path, const char *directory, gboolean may_be_large, GError **error);
