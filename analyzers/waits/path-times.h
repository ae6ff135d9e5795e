/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtPathTimes: how long a thread computed in each call path, and how much of that another did, too.
 *
 * Memory: 4 bytes for each path that there is, 24 for each of these.
 */
#pragma once

#include <glib.h>

typedef struct
{
  guint32 path;
  gint64 ns, other_ns;
} TtPathTime;

typedef struct
{
  GArray *times;  /* of TtPathTime; by path after tt_path_times_sort() */
  guint32 *place; /* by path: among the times, + 1; 0: none */
} TtPathTimes;

void tt_path_times_init (TtPathTimes *self, guint n_paths);
void tt_path_times_clear (TtPathTimes *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtPathTimes, tt_path_times_clear)

/* Forgets them. */
void tt_path_times_reset (TtPathTimes *self);
void tt_path_times_sort (TtPathTimes *self);
/* Forgets what the other did. */
void tt_path_times_reset_other (TtPathTimes *self);

static inline void
tt_path_times_add (TtPathTimes *self, guint32 path, gint64 ns)
{
  const TtPathTime fresh = { .path = path };

  if (self->place[path] == 0)
    {
      g_array_append_val (self->times, fresh);
      self->place[path] = self->times->len;
    }
  g_array_index (self->times, TtPathTime, self->place[path] - 1).ns += ns;
}

/* Paths in which the thread was not are not asked for. */
static inline void
tt_path_times_add_other (TtPathTimes *self, guint32 path, gint64 ns)
{
  if (self->place[path] != 0)
    g_array_index (self->times, TtPathTime, self->place[path] - 1).other_ns += ns;
}
