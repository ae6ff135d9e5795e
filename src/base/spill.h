/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSpill: a byte space for tables whose size the input decides, read and written anywhere.
 *
 * It lives in memory up to a cap and in a temporary file beyond it. Pages are cached; access to a cached page is a table
 * look-up, access to another one moves a whole page. That suits what is used again soon or in order: spools, stacks,
 * arrays by id. Tables that are only appended to and then read at random places want tape.h, which has no pages: there a
 * cache would read 16 KiB for a few bytes. The two share the file (temporary-file.h), not the way to it.
 * I/O errors of the temporary file (disk full) are sticky: tt_spill_check() reports them; reads then give zeros.
 */
#pragma once

#include <glib.h>

typedef struct _TtSpill TtSpill;

#define TT_SPILL_PAGE 16384u

/* @cache_bytes: at least 4 pages. */
TtSpill *tt_spill_new (gsize cache_bytes);
void tt_spill_free (TtSpill *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtSpill, tt_spill_free)

/* The page's bytes, zeroed when new; valid until the next call. @for_write marks it dirty. */
guint8 *tt_spill_page (TtSpill *self, guint64 page, gboolean for_write);

/* Bytes at @offset; may cross pages. */
void tt_spill_read (TtSpill *self, guint64 offset, void *bytes, gsize len);
void tt_spill_write (TtSpill *self, guint64 offset, const void *bytes, gsize len);

/* Gives back memory and file; the space is empty again. */
void tt_spill_clear (TtSpill *self);

gboolean tt_spill_check (const TtSpill *self, GError **error);
