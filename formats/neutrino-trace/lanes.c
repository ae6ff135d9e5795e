/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino-trace/lanes.h"

#include "src/base/heap.h"

/* A lane and when it is free again. */
typedef struct
{
  gint64 end_ns;
  guint32 lane;
} Busy;

struct _TtNeutrinoTrack
{
  TtNeutrinoLanes *lanes;
  char *tid;
  guint32 order;
  guint epoch;        /* of the last restart that it has seen */
  GArray *threads;    /* of guint32, by lane */
  GArray *last_ns;    /* of gint64, by lane */
  GArray *busy;       /* of Busy: a heap by end_ns */
  GArray *idle;       /* of guint64, a bit for each lane; 64 words are all lanes */
  guint64 idle_words; /* a bit for each word of `idle` that has one */
};

struct _TtNeutrinoLanes
{
  TtSink *sink;
  guint32 process;
  guint epoch;
  GHashTable *tracks; /* tid -> TtNeutrinoTrack */
};

/* -- busy lanes: a heap, the first that ends on top -----------------------------------------------------------------
 * */

static gboolean
ends_before (gconstpointer a, gconstpointer b, gconstpointer data)
{
  return ((const Busy *) a)->end_ns < ((const Busy *) b)->end_ns;
}

static void
push_busy (GArray *heap, gint64 end_ns, guint32 lane)
{
  const Busy item = { end_ns, lane };

  tt_heap_push (heap, &item, sizeof item, ends_before, NULL);
}

static guint32
pop_busy (GArray *heap)
{
  Busy first;

  tt_heap_pop (heap, &first, sizeof first, ends_before, NULL);
  return first.lane;
}

/* -- idle lanes: the first is taken -------------------------------------------------------------------------------- */

G_STATIC_ASSERT (TT_NEUTRINO_MAX_LANES == 64 * 64);

static void
push_idle (TtNeutrinoTrack *track, guint32 lane)
{
  if (track->idle->len <= lane / 64)
    g_array_set_size (track->idle, lane / 64 + 1);
  g_array_index (track->idle, guint64, lane / 64) |= (guint64) 1 << lane % 64;
  track->idle_words |= (guint64) 1 << lane / 64;
}

static guint32
pop_idle (TtNeutrinoTrack *track)
{
  guint32 word = (guint32) __builtin_ctzll (track->idle_words);
  guint64 *lanes = &g_array_index (track->idle, guint64, word);
  guint32 lane = word * 64 + (guint32) __builtin_ctzll (*lanes);

  *lanes &= *lanes - 1;
  if (*lanes == 0)
    track->idle_words &= track->idle_words - 1;
  return lane;
}

/* -- tracks -------------------------------------------------------------------------------------------------------- */

static void
free_track (gpointer data)
{
  TtNeutrinoTrack *track = data;

  g_free (track->tid);
  g_array_unref (track->threads);
  g_array_unref (track->last_ns);
  g_array_unref (track->busy);
  g_array_unref (track->idle);
  g_free (track);
}

TtNeutrinoLanes *
tt_neutrino_lanes_new (TtSink *sink, guint32 process)
{
  TtNeutrinoLanes *self = g_new0 (TtNeutrinoLanes, 1);

  self->sink = sink;
  self->process = process;
  self->tracks = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, free_track);
  return self;
}

void
tt_neutrino_lanes_free (TtNeutrinoLanes *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->tracks);
  g_free (self);
}

TtNeutrinoTrack *
tt_neutrino_lanes_track (TtNeutrinoLanes *self, const char *tid, guint32 order)
{
  TtNeutrinoTrack *track = g_hash_table_lookup (self->tracks, tid);

  if (track != NULL)
    return track;
  track = g_new0 (TtNeutrinoTrack, 1);
  track->lanes = self;
  track->tid = g_strdup (tid);
  track->order = order;
  track->epoch = self->epoch;
  track->threads = g_array_new (FALSE, FALSE, sizeof (guint32));
  track->last_ns = g_array_new (FALSE, FALSE, sizeof (gint64));
  track->busy = g_array_new (FALSE, FALSE, sizeof (Busy));
  track->idle = g_array_new (FALSE, TRUE, sizeof (guint64));
  g_hash_table_insert (self->tracks, track->tid, track);
  return track;
}

void
tt_neutrino_lanes_restart (TtNeutrinoLanes *self)
{
  self->epoch++;
}

/* Every lane is busy until its last end. */
static void
restart_track (TtNeutrinoTrack *track)
{
  g_array_set_size (track->busy, 0);
  g_array_set_size (track->idle, 0);
  track->idle_words = 0;
  for (guint32 lane = 0; lane < track->last_ns->len; lane++)
    push_busy (track->busy, g_array_index (track->last_ns, gint64, lane), lane);
  track->epoch = track->lanes->epoch;
}

static guint32
add_lane (TtNeutrinoTrack *track)
{
  guint32 lane = track->threads->len;
  g_autofree char *tid = lane == 0 ? g_strdup (track->tid) : g_strdup_printf ("%s:%u", track->tid, lane);
  gint64 order = (gint64) track->order * TT_NEUTRINO_MAX_LANES + lane, none = G_MININT64;
  guint32 thread = tt_sink_thread (track->lanes->sink, track->lanes->process, tid, NULL, order);

  g_array_append_val (track->threads, thread);
  g_array_append_val (track->last_ns, none);
  return lane;
}

guint32
tt_neutrino_track_place (TtNeutrinoTrack *track, gint64 ts_ns, gint64 end_ns, gboolean *crosses)
{
  guint32 lane;

  if (track->epoch != track->lanes->epoch)
    restart_track (track);
  while (track->busy->len > 0 && g_array_index (track->busy, Busy, 0).end_ns <= ts_ns)
    push_idle (track, pop_busy (track->busy));
  *crosses = FALSE;
  if (track->idle_words != 0)
    lane = pop_idle (track);
  else if (track->threads->len < TT_NEUTRINO_MAX_LANES)
    lane = add_lane (track);
  else
    {
      *crosses = TRUE;
      return g_array_index (track->threads, guint32, TT_NEUTRINO_MAX_LANES - 1);
    }
  g_array_index (track->last_ns, gint64, lane) = end_ns;
  push_busy (track->busy, end_ns, lane);
  return g_array_index (track->threads, guint32, lane);
}

guint32
tt_neutrino_track_thread (TtNeutrinoTrack *track)
{
  if (track->threads->len == 0)
    {
      if (track->epoch != track->lanes->epoch)
        restart_track (track);
      push_idle (track, add_lane (track));
    }
  return g_array_index (track->threads, guint32, 0);
}
