/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Temporary files without a name: nothing is left behind by a kill. For what spills when memory is full: spill.h,
 * tape.h, slots.h, sorter.h.
 */
#pragma once

#include <glib.h>

/* In $TMPDIR (else /var/tmp, else /tmp), as a file descriptor; -1 with @error. */
int tt_temporary_file (GError **error);

/* In @directory, which has to be there. */
int tt_temporary_file_in (const char *directory, GError **error);

/* Whole reads and writes at @offset; FALSE with @error, which may hold an error already and then keeps it: the first
 * failure is the one to report. What cannot be read becomes zeros. */
gboolean tt_file_read_at (int fd, guint64 offset, void *bytes, gsize len, GError **error);
gboolean tt_file_write_at (int fd, guint64 offset, const void *bytes, gsize len, GError **error);
/* Of a file that is no temporary one: the error says which, and where in it. @name is read in words of one's own: "the
 * shard 'x'". */
gboolean tt_file_read_named_at (int fd, const char *name, guint64 offset, void *bytes, gsize len, GError **error);
gboolean
tt_file_write_named_at (int fd, const char *name, guint64 offset, const void *bytes, gsize len, GError **error);
/* The first @len bytes of a temporary file to @fd, called @name, at @offset: within the kernel where that can be done, which takes half the time.
 * FALSE with @error: also when the user asks to end. */
gboolean tt_file_copy_named_at (int from, int fd, const char *name, guint64 offset, guint64 len, GError **error);
