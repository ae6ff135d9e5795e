/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTape: an append-only byte space for tables whose size the input decides.
 *
 * Up to a cap it lies in memory, beyond it in an unnamed temporary file. Unlike TtSpill it has no
 * page cache: a read of a few bytes anywhere costs one small system call, never a whole page, which
 * is what tables with random access want.
 * Errors of the temporary file are sticky: tt_tape_check() reports them; reads then give zeros.
 */
#pragma once

#include <glib.h>

typedef struct _TtTape TtTape;

TtTape *tt_tape_new (gsize memory_bytes);
void tt_tape_free (TtTape *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtTape, tt_tape_free)

/* Returns where the bytes are. */
guint64 tt_tape_append (TtTape *self, const void *bytes, gsize len);
guint64 tt_tape_size (const TtTape *self);
/* What lies beyond the end reads as zeros. Several threads may read while nobody appends. */
void tt_tape_read (TtTape *self, guint64 offset, void *bytes, gsize len);

/* A text with its length before it: returns where it is, and reads it again into @into, whose text it returns. */
guint64 tt_tape_append_text (TtTape *self, const char *text, gsize len);
const char *tt_tape_read_text (TtTape *self, guint64 offset, GString *into);

gboolean tt_tape_check (TtTape *self, GError **error);
