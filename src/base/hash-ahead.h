/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtHashAhead: the content hashes of some files (src/base/input.h), taken by a thread of its own while the caller reads
 * these files otherwise. Hashes and errors are the same without that thread.
 */
#pragma once

#include <glib.h>

typedef struct _TtHashAhead TtHashAhead;

/* @paths: borrowed; of files, not "-". */
TtHashAhead *tt_hash_ahead_new (const GPtrArray *paths);
/* What is not asked for any more is not read on. */
void tt_hash_ahead_free (TtHashAhead *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtHashAhead, tt_hash_ahead_free)

/* A thread begins, if there is a processor for it and several MB are to be read. */
void tt_hash_ahead_start (TtHashAhead *self);
/* tt_input_hash() of the @i-th file, and *@disk_bytes; once for each. Free it. NULL: @error. */
char *tt_hash_ahead_take (TtHashAhead *self, guint i, guint64 *disk_bytes, GError **error);
