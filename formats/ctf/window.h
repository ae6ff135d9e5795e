/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCtfWindow: the part of a file of a stream that is in memory. A growing file is read to the size it had at opening.
 *
 * A compressed file is unpacked as the window moves on; where it moves back, from the beginning again. Its contents end
 * where they are cut or damaged.
 */
#pragma once

#include "src/base/input.h"

typedef struct
{
  const char *path;  /* borrowed */
  int fd;            /* -1: closed */
  TtInput *packed;   /* NULL: the file is not compressed */
  guint64 size;      /* of the contents */
  const char *fault; /* NULL; else why there are no more contents */
  guint8 *bytes;
  gsize room, filled;
  guint64 first; /* where in the file bytes begins */
} TtCtfWindow;

/* @room: bytes that it holds, until more are asked for. @known: bytes that the contents have at least, and more are not
 * asked for; 0: not known, and a compressed file is unpacked once to find them out. */
gboolean tt_ctf_window_open (TtCtfWindow *self, const char *path, gsize room, guint64 known, GError **error);
void tt_ctf_window_clear (TtCtfWindow *self);
/* Holds the bytes from @from on, @n or what there is. FALSE with @error. */
gboolean tt_ctf_window_hold (TtCtfWindow *self, guint64 from, gsize n, GError **error);
