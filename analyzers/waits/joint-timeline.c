/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/joint-timeline.h"

#include "analyzers/spans/shares.h"
#include "analyzers/waits/timeline-private.h"
#include "src/base/packed.h"

/* -- others ---------------------------------------------------------------------------------------------------------- */

/* The later first, as distances: from its end to the begin of the one before, its length, its path. */
static void
pack_thread (const TtThreadLine *line, GByteArray *bytes)
{
  TtStretchCursor cursor = tt_stretches_before (&line->stretches, G_MAXINT64);
  TtStretch stretch;
  gint64 next_ns = 0;

  tt_pack_number (bytes, line->does_something != FALSE);
  tt_pack_number (bytes, line->stretches.n);
  while (tt_stretch_cursor_next (&cursor, &stretch))
    {
      tt_pack_signed (bytes, (gint64) ((guint64) next_ns - (guint64) stretch.end_ns));
      tt_pack_number (bytes, (guint64) stretch.end_ns - (guint64) stretch.begin_ns);
      tt_pack_number (bytes, stretch.path);
      next_ns = stretch.begin_ns;
    }
}

static void
pack (const TtTimeline *self, GByteArray *bytes)
{
  tt_pack_number (bytes, self->paths->len - 1);
  for (guint i = 1; i < self->paths->len; i++)
    {
      const TtTimelinePath *path = &g_array_index (self->paths, TtTimelinePath, i);

      tt_pack_number (bytes, path->parent);
      tt_pack_number (bytes, path->name);
    }
  for (guint32 i = 1; i <= self->max_thread; i++)
    if (self->threads[i].is_there)
      {
        tt_pack_number (bytes, i);
        pack_thread (&self->threads[i], bytes);
      }
  tt_pack_number (bytes, 0);
}

gboolean
tt_joint_timeline_give (TtStore *store, const TtCrew *crew, GError **error)
{
  guint64 first, last;

  tt_event_share (store, crew->n - 1, crew->rank - 1, &first, &last);
  g_autoptr (TtTimeline) self = tt_timeline_new_of (store, first, last, error);
  if (self == NULL)
    return FALSE;
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  pack (self, bytes);
  g_clear_pointer (&self, tt_timeline_free);
  crew->give (bytes);
  g_byte_array_set_size (bytes, 0);
  g_autoptr (GByteArray) nothing = crew->hear ();
  return TRUE;
}

/* -- rank 0 ------------------------------------------------------------------------------------------------------------ */

/* By a rank's number of a path, this one's; those of the first ranks are the first, as in a scan backwards. */
static GArray *
unpack_paths (TtTimeline *self, TtUnpack *from)
{
  GArray *paths = g_array_new (FALSE, FALSE, sizeof (guint32));
  const guint64 n = tt_unpack_below (from, MAX_PATHS);
  guint32 path = TT_PATH_ROOT;

  g_array_append_val (paths, path);
  for (guint64 i = 1; i <= n && !from->is_bad; i++)
    {
      const guint32 parent = (guint32) tt_unpack_below (from, i - 1);
      const guint32 name = (guint32) tt_unpack_below (from, tt_store_max_name (self->store));

      path = tt_timeline_child_path (self, g_array_index (paths, guint32, parent), name);
      g_array_append_val (paths, path);
    }
  return paths;
}

static void
unpack_thread (TtThreadLine *line, const GArray *paths, TtUnpack *from)
{
  line->is_there = TRUE;
  line->does_something = tt_unpack_below (from, 1) != 0;
  const guint64 n = tt_unpack_below (from, G_MAXUINT32);
  gint64 next_ns = 0;

  for (guint64 i = 0; i < n && !from->is_bad; i++)
    {
      const guint64 end = (guint64) next_ns - (guint64) tt_unpack_signed (from);
      const guint64 begin = end - tt_unpack_number (from);
      const guint32 path = g_array_index (paths, guint32, tt_unpack_below (from, paths->len - 1));
      const TtStretch stretch = { (gint64) begin, (gint64) end, path };

      tt_stretches_add (&line->stretches, &stretch);
      next_ns = stretch.begin_ns;
    }
}

/* *@is_apart FALSE: threads are of several ranks. */
static gboolean
unpack (TtTimeline *self, const GByteArray *bytes, gboolean *is_apart)
{
  TtUnpack from = tt_unpack_all (bytes);
  g_autoptr (GArray) paths = unpack_paths (self, &from);

  for (;;)
    {
      const guint32 thread = (guint32) tt_unpack_below (&from, self->max_thread);

      if (thread == 0 || from.is_bad)
        return !from.is_bad;
      *is_apart &= !self->threads[thread].is_there;
      unpack_thread (&self->threads[thread], paths, &from);
    }
}

TtTimeline *
tt_joint_timeline_take (TtStore *store, const TtCrew *crew, GError **error)
{
  g_autoptr (TtTimeline) self = tt_timeline_new_empty (store, error);
  gboolean is_apart = TRUE;

  if (self == NULL)
    return NULL;
  for (guint rank = 1; rank < crew->n; rank++)
    {
      g_autoptr (GByteArray) bytes = crew->take (rank, error);

      if (bytes == NULL)
        return NULL;
      if (!unpack (self, bytes, &is_apart))
        {
          tt_crew_refuse (rank, error);
          return NULL;
        }
    }
  if (!is_apart)
    return tt_timeline_new (store, error);
  tt_timeline_end (self);
  return g_steal_pointer (&self);
}
