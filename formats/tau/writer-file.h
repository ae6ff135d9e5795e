/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTauNewFile: a file that grows beside the one whose name it will have, as NAME.part-RANDOM, and takes that name when
 * it is published. What stood there stays until then; what a crash leaves is the part, with what was written so far.
 *
 * Plain C, for the library; src/base/new-file.h is the same for commands. A link of one's own is written through, one
 * that another user planted in a folder that everybody may write is refused. What is no regular file (a FIFO,
 * /dev/null) is written in place.
 */
#pragma once

#include <stdbool.h>

typedef struct
{
  int fd;     /* -1: not open */
  char *path; /* behind links */
  char *part; /* NULL: published, or written in place */
} TtTauNewFile;

/* @path may be NULL, which cannot be opened. FALSE: errno says why, and there is nothing to clear. */
bool tt_tau_new_file_open (TtTauNewFile *self, const char *path);
/* Takes its name, if it has not yet; it may be written on. */
bool tt_tau_new_file_publish (TtTauNewFile *self);
/* FALSE: the close failed. Removes what was not published. */
bool tt_tau_new_file_clear (TtTauNewFile *self);
