/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/dependencies/vicinity.h"

#include "src/base/array-sort.h"
#include "src/base/array.h"
#include "src/base/map64.h"
#include "src/base/progress.h"
#include "src/base/room.h"
#include "src/trace/span.h"

/* Of all pieces in memory; one is always. */
#define READ_EVENTS TT_ROOM (32768u, 64u)
#define MAX_READ_PIECES 16u
/* Of a piece; ids of a run that was changed by hand may have such holes that nearly all events are in one. */
#define MAX_PIECE 262144u
/* Rows to keep, which scans from them sort each time. */
#define MAX_KEPT TT_ROOM (262144u, 256u)

typedef struct
{
  guint number;
  guint64 used; /* when, as reads are counted; 0: never filled */
  GArray *events;
} Piece;

struct _TtVicinity
{
  TtStore *store;
  const TtEventIndex *index;
  const TtSelection *selection;
  GArray *kept; /* of TtEvent */
  TtMap64 ids;  /* of these */
  gboolean is_sorted;
  gboolean is_incomplete;
  Piece pieces[MAX_READ_PIECES];
  guint n_pieces; /* that may be in memory */
  guint64 n_uses;
  guint64 n_read, max_read; /* events */
  TtProgress *progress;
};

TtVicinity *
tt_vicinity_new (TtStore *store, const TtEventIndex *index, const TtSelection *selection, guint64 max_read)
{
  TtVicinity *self = g_new0 (TtVicinity, 1);
  const TtEventPiece *piece = tt_event_index_piece (index, 0);

  self->store = store;
  self->index = index;
  self->selection = selection;
  self->kept = g_array_new (FALSE, FALSE, sizeof (TtEvent));
  self->n_pieces = (guint) CLAMP (READ_EVENTS / (piece->last - piece->first + 1), 2, MAX_READ_PIECES);
  self->max_read = max_read;
  self->progress = tt_progress_new ("reading", 0, "events");
  return self;
}

void
tt_vicinity_free (TtVicinity *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < MAX_READ_PIECES; i++)
    g_clear_pointer (&self->pieces[i].events, g_array_unref);
  g_array_unref (self->kept);
  tt_map64_clear (&self->ids);
  tt_progress_free (self->progress);
  g_free (self);
}

gboolean
tt_vicinity_is_complete (const TtVicinity *self)
{
  return !self->is_incomplete;
}

/* -- reading ------------------------------------------------------------------------------------------------------- */

static gboolean
fill_piece (TtVicinity *self, Piece *piece, guint number, GError **error)
{
  const TtEventPiece *wanted = tt_event_index_piece (self->index, number);
  TtEventScan *scan = tt_event_scan_new (self->store, TT_SCAN_DEFAULT, error);
  TtEvent event;

  if (scan == NULL)
    return FALSE;
  if (piece->events == NULL)
    piece->events = g_array_new (FALSE, FALSE, sizeof (TtEvent));
  g_array_set_size (piece->events, 0);
  piece->used = 0;
  tt_event_scan_limit (scan, wanted->first, wanted->last);
  while (piece->events->len < MAX_PIECE && tt_event_scan_next (scan, &event))
    g_array_append_val (piece->events, event);
  if (!tt_event_scan_finish (scan, error) || tt_cancelled (error))
    return FALSE;
  piece->number = number;
  self->n_read += piece->events->len;
  self->is_incomplete |= self->n_read > self->max_read || piece->events->len == MAX_PIECE;
  tt_progress_add (self->progress, piece->events->len);
  return TRUE;
}

/* Events by ids upwards, until the next call. NULL with @error. */
static const GArray *
read_piece (TtVicinity *self, guint number, GError **error)
{
  Piece *oldest = &self->pieces[0];

  for (guint i = 0; i < self->n_pieces; i++)
    {
      Piece *piece = &self->pieces[i];

      if (piece->used != 0 && piece->number == number)
        {
          piece->used = ++self->n_uses;
          return piece->events;
        }
      if (piece->used < oldest->used)
        oldest = piece;
    }
  if (!fill_piece (self, oldest, number, error))
    return NULL;
  oldest->used = ++self->n_uses;
  return oldest->events;
}

/* Place of the first event at @id or after it. */
static guint
find_event (const GArray *events, guint64 id)
{
  const TtEvent *all = TT_ARRAY (events, TtEvent);
  guint low = 0, high = events->len;

  while (low < high)
    {
      const guint middle = low + (high - low) / 2;

      if (all[middle].id < id)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* A walk over the spans of a thread, upwards or downwards from one of them, past pieces that have none of those wanted: in these
 * all events begin after @latest_begin_ns or end before @earliest_end_ns. */
typedef struct
{
  TtVicinity *vicinity;
  guint32 thread;
  gboolean is_up;
  guint64 at;  /* the last one */
  guint64 end; /* of the thread */
  gint64 latest_begin_ns, earliest_end_ns;
} Walk;

static gboolean
is_on_thread (const TtEvent *event, guint32 thread)
{
  return event->thread == thread && event->dur_ns != TT_NO_TIME && (event->flags & TT_FLAG_ASYNC) == 0;
}

/* FALSE: the thread is not nested, and nothing is known. */
static gboolean
walk_init (Walk *self, TtVicinity *vicinity, const TtEvent *from, gboolean is_up)
{
  guint64 first, last;

  if (!tt_event_index_thread (vicinity->index, from->thread, &first, &last))
    {
      vicinity->is_incomplete = TRUE;
      return FALSE;
    }
  *self = (Walk){ .vicinity = vicinity,
                  .thread = from->thread,
                  .is_up = is_up,
                  .at = from->id,
                  .end = is_up ? last : first,
                  .latest_begin_ns = G_MAXINT64,
                  .earliest_end_ns = G_MININT64 };
  return TRUE;
}

static gboolean
find_in_piece (Walk *self, const GArray *events, TtEvent *event)
{
  const TtEvent *all = TT_ARRAY (events, TtEvent);
  guint i = find_event (events, self->is_up ? self->at + 1 : self->at);

  for (; self->is_up && i < events->len; i++)
    if (is_on_thread (&all[i], self->thread))
      {
        *event = all[i];
        return TRUE;
      }
  for (; !self->is_up && i > 0; i--)
    if (is_on_thread (&all[i - 1], self->thread))
      {
        *event = all[i - 1];
        return TRUE;
      }
  return FALSE;
}

/* FALSE: there is none, or an error, or too much was read. */
static gboolean
walk_next (Walk *self, TtEvent *event, GError **error)
{
  TtVicinity *vicinity = self->vicinity;
  const TtEventIndex *index = vicinity->index;

  while (!vicinity->is_incomplete && (self->is_up ? self->at < self->end : self->at > self->end))
    {
      const guint number = tt_event_index_piece_of (index, self->is_up ? self->at + 1 : self->at - 1);
      const TtEventPiece *piece = tt_event_index_piece (index, number);

      if (piece->first_ns <= self->latest_begin_ns && piece->last_ns >= self->earliest_end_ns)
        {
          const GArray *events = read_piece (vicinity, number, error);

          if (events == NULL)
            return FALSE;
          if (find_in_piece (self, events, event))
            {
              self->at = event->id;
              return TRUE;
            }
        }
      self->at = self->is_up ? piece->last : piece->first;
    }
  return FALSE;
}

/* How a walk ended. @failure: taken; NULL: well. */
static gboolean
has_ended (GError *failure, GError **error)
{
  if (failure != NULL)
    g_propagate_error (error, failure);
  return failure == NULL;
}

/* -- keeping ------------------------------------------------------------------------------------------------------- */

static gboolean
is_kept (const TtVicinity *self, guint64 event)
{
  return tt_map64_get (&self->ids, event) != TT_MAP64_NONE;
}

static void
keep (TtVicinity *self, const TtEvent *event)
{
  if (is_kept (self, event->id))
    return;
  tt_map64_set (&self->ids, event->id, 0);
  g_array_append_val (self->kept, *event);
  self->is_sorted = FALSE;
  self->is_incomplete |= self->kept->len > MAX_KEPT;
}

/* Keeps @event and all spans around it. @around: these, the innermost first, may be NULL. */
static gboolean
keep_with_callers (TtVicinity *self, const TtEvent *event, GArray *around, GError **error)
{
  GError *failure = NULL;
  guint32 depth = event->depth;
  TtEvent next;
  Walk walk;

  if (around == NULL && is_kept (self, event->id))
    return TRUE;
  keep (self, event);
  if (!walk_init (&walk, self, event, TRUE))
    return TRUE;
  walk.latest_begin_ns = event->ts_ns;
  walk.earliest_end_ns = tt_span_end (event->ts_ns, event->dur_ns);
  while (depth > 0 && walk_next (&walk, &next, &failure))
    {
      if (next.depth >= depth)
        continue;
      depth = next.depth;
      walk.latest_begin_ns = next.ts_ns;
      if (around != NULL)
        g_array_append_val (around, next);
      else if (is_kept (self, next.id))
        break;
      keep (self, &next);
    }
  return has_ended (failure, error);
}

/* *@is_span: it is one on a thread, whose callers are kept, too. */
static gboolean
keep_event (TtVicinity *self, guint64 id, TtEvent *event, gboolean *is_span, GArray *around, GError **error)
{
  const guint number = tt_event_index_piece_of (self->index, id);
  const GArray *events;
  guint place;

  *is_span = FALSE;
  if (number == G_MAXUINT)
    {
      self->is_incomplete = TRUE;
      return TRUE;
    }
  events = read_piece (self, number, error);
  if (events == NULL)
    return FALSE;
  place = find_event (events, id);
  if (place == events->len || g_array_index (events, TtEvent, place).id != id)
    {
      self->is_incomplete = TRUE;
      return TRUE;
    }
  *event = g_array_index (events, TtEvent, place);
  *is_span = is_on_thread (event, event->thread);
  if (*is_span)
    return keep_with_callers (self, event, around, error);
  keep (self, event);
  return TRUE;
}

/* -- expanding ----------------------------------------------------------------------------------------------------- */

static gboolean
is_selected (const TtVicinity *self, const TtEvent *event)
{
  return self->selection == NULL || tt_selection_matches (self->selection, event);
}

/* What @event calls. Whatever is left out, and around some of that, is kept with it. */
static gboolean
keep_calls (TtVicinity *self, const TtEvent *event, GError **error)
{
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (TtEvent)); /* left out, around what is next */
  GError *failure = NULL;
  guint64 passed = G_MAXUINT64; /* what is deeper is inside the call that was kept last */
  TtEvent next;
  Walk walk;

  if (!walk_init (&walk, self, event, FALSE))
    return TRUE;
  walk.earliest_end_ns = event->ts_ns;
  while (walk_next (&walk, &next, &failure))
    {
      if (next.depth <= event->depth || tt_span_end (next.ts_ns, next.dur_ns) < event->ts_ns)
        break;
      if (next.depth > passed)
        continue;
      while (open->len > 0 && g_array_index (open, TtEvent, open->len - 1).depth >= next.depth)
        g_array_set_size (open, open->len - 1);
      if (!is_selected (self, &next))
        {
          passed = G_MAXUINT64;
          walk.latest_begin_ns = G_MAXINT64;
          g_array_append_val (open, next);
          continue;
        }
      for (guint i = 0; i < open->len; i++)
        keep (self, &g_array_index (open, TtEvent, i));
      keep (self, &next);
      passed = next.depth;
      walk.latest_begin_ns = next.ts_ns;
    }
  return has_ended (failure, error);
}

/* The span before @event with the same caller, whose depth is @floor; -1: none. */
static gboolean
keep_previous (TtVicinity *self, const TtEvent *event, gint64 floor, GError **error)
{
  GError *failure = NULL;
  gboolean is_inside = TRUE;
  TtEvent next;
  Walk walk;

  if (!walk_init (&walk, self, event, FALSE))
    return TRUE;
  walk.latest_begin_ns = event->ts_ns;
  while (walk_next (&walk, &next, &failure))
    {
      if (is_inside && next.depth > event->depth)
        continue;
      is_inside = FALSE;
      walk.latest_begin_ns = G_MAXINT64;
      if ((gint64) next.depth <= floor)
        break;
      if (is_selected (self, &next))
        return keep_with_callers (self, &next, NULL, error);
    }
  return has_ended (failure, error);
}

/* The span after @event with the same caller: it is the first that ends after it, or around that. */
static gboolean
keep_next (TtVicinity *self, const TtEvent *event, gint64 floor, GError **error)
{
  GError *failure = NULL;
  TtEvent next;
  Walk walk;

  if (!walk_init (&walk, self, event, TRUE))
    return TRUE;
  while (walk_next (&walk, &next, &failure) && (gint64) next.depth > floor)
    if (is_selected (self, &next))
      return keep_with_callers (self, &next, NULL, error);
  return has_ended (failure, error);
}

/* Of the first of @around that is selected; -1: none is. */
static gint64
depth_of_caller (const TtVicinity *self, const GArray *around)
{
  for (guint i = 0; i < around->len; i++)
    if (is_selected (self, &g_array_index (around, TtEvent, i)))
      return g_array_index (around, TtEvent, i).depth;
  return -1;
}

gboolean
tt_vicinity_expand (TtVicinity *self, guint64 event, GError **error)
{
  g_autoptr (GArray) around = g_array_new (FALSE, FALSE, sizeof (TtEvent));
  TtEvent centre;
  gboolean is_span = FALSE;

  if (self->is_incomplete)
    return TRUE;
  if (!keep_event (self, event, &centre, &is_span, around, error))
    return FALSE;
  if (self->is_incomplete || !is_span || !is_selected (self, &centre))
    return TRUE;

  const gint64 floor = depth_of_caller (self, around);

  return keep_calls (self, &centre, error) && keep_previous (self, &centre, floor, error) &&
         keep_next (self, &centre, floor, error);
}

gboolean
tt_vicinity_add (TtVicinity *self, guint64 event, GError **error)
{
  TtEvent centre;
  gboolean is_span;

  return self->is_incomplete || keep_event (self, event, &centre, &is_span, NULL, error);
}

/* -- what is kept -------------------------------------------------------------------------------------------------- */

static TtArrayKey
key_of_event (gconstpointer element)
{
  return (TtArrayKey){ 0, ~((const TtEvent *) element)->id };
}

gboolean
tt_vicinity_each (TtVicinity *self, TtVicinityFunc func, gpointer data, GError **error)
{
  if (!self->is_sorted)
    tt_array_sort_by_key (self->kept, key_of_event, NULL);
  self->is_sorted = TRUE;
  for (guint i = 0; i < self->kept->len; i++)
    if (!func (&g_array_index (self->kept, TtEvent, i), data, error))
      return FALSE;
  return TRUE;
}
