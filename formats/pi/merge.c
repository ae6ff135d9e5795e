/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/decode/decode.h"

#include "src/base/readers.h"
#include "src/base/sorter.h"
#include "src/trace/arrange/spikes.h"

#define SORTER_MEMORY ((gsize) 4 << 20)
#define MAX_LOOKS 64u  /* at so many files at once */
#define MAX_LOOKERS 3u /* threads besides the one that asks */
#define PAYS_FROM_BYTES ((guint64) 4 << 20)

/*
 * A heap of threads by their next call. The calls of a thread begin in the order of its file, unless threads share a
 * file or a directory was used twice: such a file is read by an index of its records.
 */

typedef struct
{
  guint64 key, record; /* begins with the sorter's key */
  guint64 offset;
} Index;

typedef struct
{
  TtPiReader *reader;
  TtPiCall call;
  TtSorter *index;         /* NULL: the file is in order */
  guint64 end, end_record; /* where the calls in the index end: nothing, a cut record, or damage */
  guint thread;
  gint64 last_start_ns;
  ArrangeWindow window;
  gboolean has_call, is_at_end;
} Lane;

/* What is seen of a lane before its calls are read. */
typedef struct
{
  Lane *lane;
  TtTimeSpread spread;
  ArrangeSpikes spikes;
  gboolean is_done, is_sorted;
} Look;

struct _TtPiMerge
{
  TtPiTrace *trace;
  Lane **lanes;
  Lane **heap;
  guint n_heap, n_lanes;
  Lane *given; /* whose call the caller has */
  TtTimeSpread spread;
  ArrangeSpikes spikes;
};

static gboolean
comes_before (const Lane *a, const Lane *b)
{
  if (a->call.start_ns != b->call.start_ns)
    return a->call.start_ns < b->call.start_ns;
  return a->thread < b->thread;
}

static void
sift_down (TtPiMerge *self, guint at)
{
  Lane *lane = self->heap[at];

  for (guint child = 2 * at + 1; child < self->n_heap; child = 2 * at + 1)
    {
      if (child + 1 < self->n_heap && comes_before (self->heap[child + 1], self->heap[child]))
        child++;
      if (!comes_before (self->heap[child], lane))
        break;
      self->heap[at] = self->heap[child];
      at = child;
    }
  self->heap[at] = lane;
}

/* -- whether files are in order --------------------------------------------------------------------------- */

static void
note_times (guint64 start_ns, guint64 end_ns, gpointer data)
{
  Look *self = data;

  self->lane->last_start_ns = (gint64) MIN (start_ns, G_MAXINT64);
  tt_time_spread_add (&self->spread, self->lane->last_start_ns);
  tt_time_spread_add (&self->spread, (gint64) MIN (MAX (start_ns, end_ns), G_MAXINT64));
  arrange_spikes_add (&self->spikes, &self->lane->window,
                      &(ArrangeSeen){ self->lane->last_start_ns, (gint64) MIN (MAX (start_ns, end_ns), G_MAXINT64) });
}

/* Whether the file's calls begin in its order; a look without an index, which a large file in order does not need. */
static gboolean
is_in_order (Look *self, TtPiTrace *trace)
{
  Lane *lane = self->lane;
  TtPiReader reader;
  guint64 last = 0;
  gboolean is_sorted = TRUE;

  tt_pi_reader_init (&reader, trace, lane->thread, TRUE);
  reader.looks_behind = TRUE;
  if (trace->generation == TT_PI_GENERATION_G3)
    is_sorted = tt_pi_protobuf_in_order (&reader, note_times, self);
  else
    while (is_sorted && tt_pi_reader_next (&reader, &lane->call, NULL))
      {
        is_sorted = reader.n_holes > 0 || lane->call.start_ns >= last;
        last = lane->call.start_ns;
        note_times (last, lane->call.end_ns, self);
      }
  tt_pi_reader_clear (&reader);
  return is_sorted;
}

static void
look_at (Look *self, TtPiTrace *trace)
{
  self->is_sorted = is_in_order (self, trace);
  if (!self->is_sorted)
    {
      *self = (Look){ .lane = self->lane };
      self->lane->window = (ArrangeWindow){ 0 };
    }
  self->is_done = TRUE;
}

/* Several lanes that threads look at, each at the next that nobody has looked at. */
typedef struct
{
  TtPiTrace *trace;
  Look *looks;
  guint n;
  gint next;
} Looks;

static gpointer
look_at_some (gpointer data)
{
  Looks *self = data;
  guint i;

  while ((i = (guint) g_atomic_int_add (&self->next, 1)) < self->n)
    look_at (&self->looks[i], self->trace);
  return NULL;
}

/* At all lanes at once, where that pays: before they are known to be in order no call can be read. */
static void
look_at_all (const TtPiMerge *self, Look *looks, guint n)
{
  Looks all = { self->trace, looks, n, 0 };
  GThread *threads[MAX_LOOKERS] = { NULL };
  guint n_threads;
  guint64 n_bytes = 0;

  for (guint i = 0; i < n; i++)
    n_bytes += ((const TtPiThread *) self->trace->threads->pdata[looks[i].lane->thread])->size;
  gboolean is_asked = tt_readers_wanted (MAX_LOOKERS, &n_threads);
  /* Other generations look with what else the trace has. */
  if (self->trace->generation != TT_PI_GENERATION_G3 || (!is_asked && n_bytes < PAYS_FROM_BYTES))
    return;
  for (guint i = 0; i < MIN (n_threads, MAX_LOOKERS) && i + 1 < all.n; i++)
    threads[i] = g_thread_try_new ("looker", look_at_some, &all, NULL);
  look_at_some (&all);
  for (guint i = 0; i < MAX_LOOKERS; i++)
    if (threads[i] != NULL)
      g_thread_join (threads[i]);
}

/* -- files out of order ---------------------------------------------------------------------------------- */

/* An index of the file of @lane by the starts of its calls. Warnings come when the calls are read again, except those
 * of their order. */
static gboolean
index_lane (TtPiMerge *self, Look *look, GError **error)
{
  TtPiTrace *trace = self->trace;
  Lane *lane = look->lane;
  TtPiReader reader;
  guint64 last = 0;

  lane->index = tt_sorter_new (sizeof (Index), SORTER_MEMORY);
  tt_pi_reader_init (&reader, trace, lane->thread, TRUE);
  reader.looks_behind = TRUE;
  reader.tells_times = TRUE;
  while (tt_pi_reader_next (&reader, &lane->call, NULL))
    {
      const TtPiPlace place = { tt_pi_trace_thread_path (trace, lane->thread), lane->call.offset, lane->call.record };

      /* What is behind damage is read on by the file. */
      if (reader.n_holes > 0)
        {
          note_times (lane->call.start_ns, lane->call.end_ns, look);
          continue;
        }
      if (lane->call.start_ns < last)
        tt_pi_trace_warn (trace, TT_PI_WARN_BACKWARDS, 0, &place,
                          "starts before the call before it: threads that share a name, or two runs in one directory");
      last = lane->call.start_ns;
      note_times (last, lane->call.end_ns, look);
      *(Index *) tt_sorter_add (lane->index) = (Index){ last, lane->call.record, lane->call.offset };
    }
  lane->end = reader.n_holes > 0 ? reader.hole_at : reader.record_at;
  lane->end_record = reader.n_holes > 0 ? reader.hole_record : reader.record;
  tt_pi_reader_clear (&reader);
  return tt_sorter_finish (lane->index, error);
}

/* To the next record by the index, or to where the records end. */
static gboolean
seek_next (Lane *lane, GError **error)
{
  g_autoptr (GError) local = NULL;
  const Index *next = tt_sorter_next (lane->index, &local);

  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  lane->is_at_end = next == NULL;
  lane->reader->record = next != NULL ? next->record : lane->end_record;
  return tt_pi_window_seek (&lane->reader->window, next != NULL ? next->offset : lane->end, error);
}

static gboolean
next_of_lane (Lane *lane, GError **error)
{
  g_autoptr (GError) local = NULL;

  lane->has_call = FALSE;
  if (lane->index != NULL && !lane->is_at_end && !seek_next (lane, error))
    return FALSE;
  lane->has_call = tt_pi_reader_next (lane->reader, &lane->call, &local);
  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  return TRUE;
}

/* -- the merge ----------------------------------------------------------------------------------------------- */

static gboolean
open_lane (TtPiMerge *self, Look *look, GError **error)
{
  Lane *lane = look->lane;

  if (!look->is_done)
    look_at (look, self->trace);
  if (!look->is_sorted && !index_lane (self, look, error))
    return FALSE;
  tt_time_spread_join (&self->spread, &look->spread);
  arrange_spikes_join (&self->spikes, &look->spikes);
  arrange_spikes_end_thread (&self->spikes, &lane->window);
  lane->reader = tt_pi_reader_open (self->trace, lane->thread, error);
  if (lane->reader != NULL)
    lane->reader->tells_times = lane->index == NULL;
  if (lane->reader == NULL || !next_of_lane (lane, error))
    return FALSE;
  if (lane->has_call)
    self->heap[self->n_heap++] = lane;
  return TRUE;
}

static gboolean
open_lanes (TtPiMerge *self, guint first, guint n, GError **error)
{
  g_autofree Look *looks = g_new0 (Look, n);

  for (guint i = 0; i < n; i++)
    {
      looks[i].lane = self->lanes[self->n_lanes++] = g_new0 (Lane, 1);
      looks[i].lane->thread = first + i;
    }
  look_at_all (self, looks, n);
  for (guint i = 0; i < n; i++)
    if (!open_lane (self, &looks[i], error))
      return FALSE;
  return TRUE;
}

TtPiMerge *
tt_pi_merge_new (TtPiTrace *trace, GError **error)
{
  g_autoptr (TtPiMerge) self = g_new0 (TtPiMerge, 1);
  guint n = tt_pi_trace_n_threads (trace);

  self->trace = trace;
  self->lanes = g_new0 (Lane *, n);
  self->heap = g_new0 (Lane *, n);
  for (guint first = 0; first < n; first += MAX_LOOKS)
    if (!open_lanes (self, first, MIN (MAX_LOOKS, n - first), error))
      return NULL;
  for (guint i = self->n_heap / 2; i > 0; i--)
    sift_down (self, i - 1);
  return g_steal_pointer (&self);
}

void
tt_pi_merge_free (TtPiMerge *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n_lanes; i++)
    {
      tt_pi_reader_free (self->lanes[i]->reader);
      g_clear_pointer (&self->lanes[i]->index, tt_sorter_free);
      g_free (self->lanes[i]);
    }
  g_free (self->lanes);
  g_free (self->heap);
  g_free (self);
}

guint64
tt_pi_merge_progress (TtPiMerge *self)
{
  guint64 done = 0;

  for (guint i = 0; i < self->n_lanes; i++)
    done += tt_pi_reader_progress (self->lanes[i]->reader);
  return done;
}

const TtPiCall *
tt_pi_merge_next (TtPiMerge *self, guint *thread, GError **error)
{
  if (self->given != NULL)
    {
      if (!next_of_lane (self->given, error))
        return NULL;
      if (!self->given->has_call)
        self->heap[0] = self->heap[--self->n_heap];
      if (self->n_heap > 0)
        sift_down (self, 0);
    }
  if (self->n_heap == 0)
    {
      self->given = NULL;
      return NULL;
    }
  self->given = self->heap[0];
  *thread = self->given->thread;
  return &self->given->call;
}

gboolean
tt_pi_merge_rest (const TtPiMerge *self, gint64 *first_ns, gint64 *last_ns)
{
  ArrangeSpikes spikes = self->spikes;

  if (tt_time_spread_rest (&self->spread, first_ns, last_ns))
    return TRUE;
  if (!arrange_spikes_finish (&spikes))
    return FALSE;
  *first_ns = spikes.first_ns;
  *last_ns = spikes.last_ns;
  return TRUE;
}

gboolean
tt_pi_merge_is_in_order (const TtPiMerge *self)
{
  return self->given->index == NULL;
}

gboolean
tt_pi_merge_is_last (const TtPiMerge *self)
{
  return self->given->index == NULL && (gint64) self->given->call.start_ns >= self->given->last_start_ns;
}
