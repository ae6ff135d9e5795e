/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Archives of tar: ustar, pax and GNU's, plain, .gz or .zst, unpacked into a folder.
 *
 * Files and folders only. Links and devices are left out, so that nothing that is unpacked leads out of the folder; a name
 * that would is an error. No more than 500 bytes and 64 MiB are unpacked for a byte of the archive, nor more than 2^20
 * files and folders.
 */
#pragma once

#include <glib.h>

#define TT_TAR_BLOCK 512u

/* Whether the first bytes of a file's contents are those of an archive. */
gboolean tt_tar_is_head (const guint8 *head, gsize len);

/* @folder is there, and empty. *n_left_out: links and the like. FALSE with @error, which begins with @path; what was
 * unpacked stays. */
gboolean tt_tar_unpack (const char *path, const char *folder, guint *n_left_out, GError **error);
