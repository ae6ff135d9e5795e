/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Archives that are inputs: unpacked into a folder in $TMPDIR, which goes with the process, however that ends.
 *
 * What is read lies below that folder; what is told and kept is the place in the archive: tt_unpacked_show(). Not for
 * several threads at once.
 */
#pragma once

#include <glib.h>

/* Whether the file at @path is an archive. */
gboolean tt_unpacked_is_archive (const char *path);

/* The folder with what is in the archive @path, which is unpacked the first time. Borrowed. NULL with @error.
 * *n_left_out: as of tt_tar_unpack(). */
const char *tt_unpacked_folder (const char *path, guint *n_left_out, GError **error);

/* @text with each such folder called as its archive is; free it. NULL: it names none. */
char *tt_unpacked_show (const char *text);
/* The archive that the file at @path was unpacked from, else @path. Borrowed. */
const char *tt_unpacked_archive (const char *path);
