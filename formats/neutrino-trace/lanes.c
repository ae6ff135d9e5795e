#include "config.h"

#include "formats/neutrino-trace/lanes.h"

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

/* -- busy lanes: a heap whose first element is the least ------------------------------------------------------------ */

static void
busy_push (GArray *heap, Busy item)
{
  guint i = heap->len;

  g_array_append_val (heap, item);
  Busy *items = (Busy *) (gpointer) heap->data;
  for (; i > 0 && item.end_ns < items[(i - 1) / 2].end_ns; i = (i - 1) / 2)
    items[i] = items[(i - 1) / 2];
  items[i] = item;
}

/* The hole goes all the way down, which needs no comparison with the last element; that seldom has to rise again. */
static Busy
busy_pop (GArray *heap)
{
  Busy *items = (Busy *) (gpointer) heap->data, first = items[0], last = items[heap->len - 1];
  guint n = heap->len - 1, i = 0;

  g_array_set_size (heap, n);
  for (guint child = 1; child < n; child = 2 * i + 1)
    {
      child += child + 1 < n && items[child + 1].end_ns < items[child].end_ns;
      items[i] = items[child];
      i = child;
    }
  for (; i > 0 && last.end_ns < items[(i - 1) / 2].end_ns; i = (i - 1) / 2)
    items[i] = items[(i - 1) / 2];
  if (n > 0)
    items[i] = last;
  return first;
}

/* -- idle lanes: the first is taken -------------------------------------------------------------------------------- */

G_STATIC_ASSERT (TT_NEUTRINO_MOST_LANES == 64 * 64);

static void
idle_push (TtNeutrinoTrack *track, guint32 lane)
{
  if (track->idle->len <= lane / 64)
    g_array_set_size (track->idle, lane / 64 + 1);
  g_array_index (track->idle, guint64, lane / 64) |= (guint64) 1 << lane % 64;
  track->idle_words |= (guint64) 1 << lane / 64;
}

static guint32
idle_pop (TtNeutrinoTrack *track)
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
track_free (gpointer data)
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
  self->tracks = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, track_free);
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
restart (TtNeutrinoTrack *track)
{
  g_array_set_size (track->busy, 0);
  g_array_set_size (track->idle, 0);
  track->idle_words = 0;
  for (guint32 lane = 0; lane < track->last_ns->len; lane++)
    busy_push (track->busy, (Busy){ g_array_index (track->last_ns, gint64, lane), lane });
  track->epoch = track->lanes->epoch;
}

static guint32
add_lane (TtNeutrinoTrack *track)
{
  guint32 lane = track->threads->len;
  g_autofree char *tid = lane == 0 ? g_strdup (track->tid) : g_strdup_printf ("%s:%u", track->tid, lane);
  gint64 order = (gint64) track->order * TT_NEUTRINO_MOST_LANES + lane, none = G_MININT64;
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
    restart (track);
  while (track->busy->len > 0 && g_array_index (track->busy, Busy, 0).end_ns <= ts_ns)
    idle_push (track, busy_pop (track->busy).lane);
  *crosses = FALSE;
  if (track->idle_words != 0)
    lane = idle_pop (track);
  else if (track->threads->len < TT_NEUTRINO_MOST_LANES)
    lane = add_lane (track);
  else
    {
      *crosses = TRUE;
      return g_array_index (track->threads, guint32, TT_NEUTRINO_MOST_LANES - 1);
    }
  g_array_index (track->last_ns, gint64, lane) = end_ns;
  busy_push (track->busy, (Busy){ end_ns, lane });
  return g_array_index (track->threads, guint32, lane);
}

guint32
tt_neutrino_track_thread (TtNeutrinoTrack *track)
{
  if (track->threads->len == 0)
    {
      if (track->epoch != track->lanes->epoch)
        restart (track);
      idle_push (track, add_lane (track));
    }
  return g_array_index (track->threads, guint32, 0);
}
