/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCtfWindow: the part of a file of a stream that is in memory. A growing file is read to the size it had at opening.
 */
#pragma once

#include <glib.h>

typedef struct
{
  const char *path; /* borrowed */
  int fd;           /* -1: closed */
  guint64 size;
  guint8 *bytes;
  gsize room, filled;
  guint64 first; /* where in the file bytes begins */
} TtCtfWindow;

/* @room: bytes that it holds, until more are asked for. */
gboolean tt_ctf_window_open (TtCtfWindow *self, const char *path, gsize room, GError **error);
void tt_ctf_window_clear (TtCtfWindow *self);
/* Holds the bytes from @from on, @n or what there is. FALSE with @error. */
gboolean tt_ctf_window_hold (TtCtfWindow *self, guint64 from, gsize n, GError **error);
