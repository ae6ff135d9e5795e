/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One database file in memory, for every connection that SQLite opens in this process. It may be changed at will, and
 * is then as it was again for the price of the pages that were changed. No locks: one connection works at a time.
 */
#pragma once

#include <glib.h>

#define FUZZ_PAGE_BYTES ((gsize) 1024)

/* From now on the system's default layer; returns its name. */
const char *fuzz_memory_vfs (void);
/* What the file is after each reset: whole pages of FUZZ_PAGE_BYTES. Has a reference to
 * @bytes until others are set. */
void fuzz_memory_vfs_set (GByteArray *bytes);
void fuzz_memory_vfs_reset (void);

gsize fuzz_memory_vfs_n_pages (void);
/* To be changed in place; it counts as changed. */
guint8 *fuzz_memory_vfs_page (gsize page);
/* Whether bytes @from to @to, without that, of a page are not as after a reset. */
gboolean fuzz_memory_vfs_differs (gsize page, gsize from, gsize to);
/* The changed pages get the checksums that they need (src/store/page-checksum.h). */
void fuzz_memory_vfs_seal_changed (void);
void fuzz_memory_vfs_seal (guint8 *page);
/* Whether databases are opened on the disk instead, for what needs files beside them. */
void fuzz_memory_vfs_bypass (gboolean is_bypassed);
