/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtRawInput: the bytes of an input as they lie on disk, in standard input or in memory, counted and hashed (XXH3, 128
 * bits). What they are wrapped in is for input.c, which alone uses it; src/base/input.h says what is opened.
 */
#pragma once

#include <glib.h>
#include <xxhash.h>

#include "src/base/room.h"

/* Also the piece in which plain bytes are read and hashed: it stays in the cache between the two. */
#define TT_RAW_BYTES ((gsize) TT_ROOM (262144, 4096))

typedef struct
{
  char *path;
  int fd;
  GBytes *memory; /* instead of a file; NULL: there is one */
  gboolean is_stdin, is_peek;
  gboolean is_part;   /* bytes of another input, which are read once more if anything fails: no failure is left */
  guint64 disk_bytes; /* at opening; for standard input what was read so far */
  guint64 offset;     /* bytes taken from disk */
  XXH3_state_t *hash; /* NULL: nobody wants it */
  gsize replayed;     /* of what a peek at standard input has read */

  guint8 *bytes; /* taken from disk: those from used to filled wait to be used */
  gsize used, filled;
  guint64 taken_at; /* offset of the bytes that were taken last */

  GByteArray *again; /* what tt_raw_input_put_back() left after them, from again_at on; NULL: nothing */
  gsize again_at;
  GError *again_error; /* of a read after that; NULL: none yet */
} TtRawInput;

/* @is_peek: what is read of standard input is kept for the next who opens it. */
gboolean tt_raw_input_open (TtRawInput *self, const char *path, gboolean is_peek, GError **error);
void tt_raw_input_open_bytes (TtRawInput *self, const char *path, GBytes *bytes);
/* Also after a failed opening. */
void tt_raw_input_clear (TtRawInput *self);

/* Up to @len bytes past those that wait, hashed and counted; 0 only at the end; -1: @error. */
gssize tt_raw_input_read (TtRawInput *self, guint8 *bytes, gsize len, GError **error);
/* Makes sure that bytes wait; 0 at the end; -1: @error. */
gssize tt_raw_input_fill (TtRawInput *self, GError **error);
/* The @n bytes before those that wait, and @error (taken; NULL: none) of a read after all that wait, come once more: in the
 * pieces that tt_raw_input_fill() makes of a file, so that they are unpacked as if they came for the first time. */
void tt_raw_input_put_back (TtRawInput *self, const guint8 *bytes, gsize n, GError *error);
void tt_raw_input_forgo_hash (TtRawInput *self);
/* Up to the end; 32 hex digits, or "" if it is forgone. Free it. NULL: @error, or none if *@is_stopped is set. No byte waits afterwards. */
char *tt_raw_input_hash (TtRawInput *self, const gint *is_stopped, GError **error);

static inline gsize
tt_raw_input_n_again (const TtRawInput *self)
{
  return self->again == NULL ? 0 : self->again->len - self->again_at;
}

/* Of the next byte that waits. */
static inline guint64
tt_raw_input_position (const TtRawInput *self)
{
  return self->offset - (self->filled - self->used) - tt_raw_input_n_again (self);
}

/* -1, with "cannot read PATH at byte @offset: @fault". */
gssize tt_raw_input_fail (const TtRawInput *self, guint64 offset, const char *fault, GError **error);
gssize tt_raw_input_fail_memory (const TtRawInput *self, GError **error);
