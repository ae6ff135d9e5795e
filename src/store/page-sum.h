/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The checksum of a page's bytes, as SQLite's own extension computes it: over little-endian words in pairs,
 * s1 += first + s2, s2 += second + s1, both from 0; stored as s1, s2. Which bytes of a file have one, and where it stands:
 * page-checksum.h. Used by src/store only.
 */
#pragma once

#include <glib.h>

#define TT_PAGE_CHECKSUM_BYTES 8

/* Of @n_bytes of a page, a multiple of 8: the page without its last 8. */
void tt_page_checksum_compute (const guint8 *bytes, gsize n_bytes, guint8 checksum[TT_PAGE_CHECKSUM_BYTES]);
