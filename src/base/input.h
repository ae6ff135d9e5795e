/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtInput: the bytes of one input file, whatever it is wrapped in.
 *
 * Plain, .gz and .zst (recognised by content), "-" for standard input. A FIFO, socket, device or directory
 * is refused with what to do. A growing file is read to the size it had at opening. The content hash
 * (XXH3, 128 bits) runs over the bytes as they lie on disk.
 */
#pragma once

#include <glib.h>

typedef struct _TtInput TtInput;

TtInput *tt_input_open (const char *path, GError **error);
/* Only the first @max bytes of the contents, to look ahead: the next to open standard input still gets all of it. */
TtInput *tt_input_open_head (const char *path, gsize max, GError **error);
/* Of such an input: from here on @max bytes. Standard input, which can be read once only, keeps its limit. */
void tt_input_look_on (TtInput *self, gsize max);
/* Contents that lie in memory, as if they were the file @path. */
TtInput *tt_input_open_bytes (const char *path, GBytes *bytes, GError **error);
void tt_input_free (TtInput *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtInput, tt_input_free)

/* A compressed file that is cut short ends there, as one that is not compressed does; tt_input_is_cut() tells, after the
 * end. Otherwise, and where compressed bytes are damaged, reading fails. */
void tt_input_take_cut (TtInput *self);
gboolean tt_input_is_cut (const TtInput *self);

/* To be called before the first read, where many inputs are open at once: what one takes stays small. It is unpacked by
 * who reads it, and a .zst whose window is larger than the 8 MiB that every decoder should have (RFC 8878, 3.1.1.1.2) is
 * refused. */
void tt_input_be_one_of_many (TtInput *self);
/* Of such an input, after a read that failed: whether the compressed bytes are at fault, not that they could not be read.
 * *n: sound bytes that the buffer has. */
gboolean tt_input_is_damaged (const TtInput *self, gsize *n);

/* Up to @len bytes of contents; fewer only at the end; 0 = end; -1 = error. */
gssize tt_input_read (TtInput *self, void *buffer, gsize len, GError **error);

const char *tt_input_path (const TtInput *self);
gboolean tt_input_is_compressed (const TtInput *self);
/* Size on disk at opening; 0 for standard input until its end. */
guint64 tt_input_disk_bytes (const TtInput *self);
/* Bytes of the disk file consumed since the last call: what a progress bar moves by. */
guint64 tt_input_progress (TtInput *self);
/* Offset of the next byte in the contents. */
guint64 tt_input_offset (const TtInput *self);
/* Nobody wants the content hash of what is read from here on: tt_input_hash() gives "". */
void tt_input_forgo_hash (TtInput *self);
/* Reads on to the end if need be; 32 hex digits. Free it. NULL on error. */
char *tt_input_hash (TtInput *self, GError **error);
/* The same; NULL without an error, too, once another thread has set *@is_stopped (atomically). */
char *tt_input_hash_until (TtInput *self, const gint *is_stopped, GError **error);

/* First bytes of the contents for probing (fewer for a short file, or one that is cut short), total contents size or 0 if unknown. */
gssize tt_input_peek (const char *path, guint8 *head, gsize len, guint64 *size, GError **error);
/* Why a file has no contents, in words. */
const char *tt_input_why_nothing (const char *path);
