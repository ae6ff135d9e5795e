/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtWaitWindow: the time in which waits are wanted.
 *
 * Waits outside can be left out before overlaps are joined: what drops or cuts a wait within overlaps it there, too, or
 * cuts it where the window has ended.
 */
#pragma once

#include <glib.h>

typedef struct
{
  gint64 first_ns, last_ns; /* G_MININT64, G_MAXINT64: open ends */
} TtWaitWindow;

#define TT_WAIT_WINDOW_ALL \
  {                        \
    G_MININT64, G_MAXINT64 \
  }

static inline gboolean
tt_wait_window_has (const TtWaitWindow *self, gint64 begin_ns, gint64 end_ns)
{
  return begin_ns < self->last_ns && end_ns > self->first_ns;
}
