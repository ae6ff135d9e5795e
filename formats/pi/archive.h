/*
 * The table of contents of a packed trace (pi.md section 8): u8 version 0, then entries: u8 kind (0 directory, 1 file),
 * u64 length of the name, name; of files u64 packed length and one zstd frame that says how much it holds.
 *
 * Names are safe: relative, without "..", empty parts or control characters. Nothing is unpacked.
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
/* Whether these first bytes of a file of @size bytes may be an archive. */
gboolean tt_pi_archive_probe (const guint8 *head, gsize len, guint64 size);
