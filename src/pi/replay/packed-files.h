/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files that a packed recording brings with it, by the names that its program knew them by: what a replay opens in
 * their place. What belongs to the loader is left out, for the system's own starts the program.
 */
#pragma once

#include <glib.h>

/* Both: name -> path of the copy. NULL: not read. */
typedef struct
{
  GHashTable *paths;     /* as they were */
  GHashTable *libraries; /* the last part of the path of what is loaded */
} TtPiPackedFiles;

/* Those of the recording in @directory, into @self, which is zero; it is to be cleared after a failure, too. */
gboolean tt_pi_packed_files_read (TtPiPackedFiles *self, const char *directory, GError **error);
void tt_pi_packed_files_clear (TtPiPackedFiles *self);
