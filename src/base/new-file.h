/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtNewFile: a file that grows beside the one whose name it will have, and takes that name when it is whole.
 *
 * While it grows it is called NAME.MARK-RANDOM, is made anew (no link and no file of another is opened in its place),
 * and is locked (flock). What a killed program left has no lock: the next one that writes the same name removes it,
 * whatever machine or container it runs in. Freed without having been published it leaves nothing.
 *
 * A symbolic link is written through: the file that it names is replaced, or made. In a folder with the sticky bit that
 * all may write (/tmp), a link of somebody else is refused.
 */
#pragma once

#include <glib.h>

typedef struct _TtNewFile TtNewFile;

/* @mark: "part". A file that stands there already gives its permissions; else they are 0666 without the umask.
 * Errors: "cannot write 'PATH': ...". */
TtNewFile *tt_new_file_open (const char *path, const char *mark, GError **error);
/* For reading and writing; belongs to @self, as the lock does. */
int tt_new_file_descriptor (const TtNewFile *self);
/* Where it grows. */
const char *tt_new_file_path (const TtNewFile *self);
/* To disk. 0, or errno. */
int tt_new_file_sync (const TtNewFile *self);
/* Takes its name, over what is there. 0, or errno. */
int tt_new_file_publish (TtNewFile *self);
/* Takes @name, in the same folder, which nobody has: EEXIST otherwise. @name NULL: its own. 0, or errno. */
int tt_new_file_publish_as_new (TtNewFile *self, const char *name);
/* Removes what killed programs left in @directory, of all files; what still grows has a lock, and stays. */
void tt_new_file_sweep (const char *directory, const char *mark);
/* Removes it if it has not been published. */
void tt_new_file_free (TtNewFile *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtNewFile, tt_new_file_free)
