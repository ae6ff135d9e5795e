/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/feed.h"

#include "formats/trace-event/event-numbers.h"
#include "formats/trace-event/span-order.h"
#include "src/base/apart.h"
#include "src/base/error.h"
#include "src/base/room.h"

#include <string.h>

/* A batch is small enough to be still in a cache when the other core takes it. */
#define BATCH_EVENTS TT_ROOM (1024u, 64u)
#define BATCH_BYTES ((gsize) TT_ROOM (384 << 10, 8192))
#define BATCH_HEADER_BYTES ((gsize) 4 << 20)
/* A batch that had to grow beyond this is let go, and waits until no other is on its way. */
#define MAX_KEPT_BYTES ((gsize) 1 << 20)
#define N_BATCHES 4u
#define BATCH_PLACES TT_ROOM (16384u, 64u)

typedef struct
{
  guint at; /* the event that it stands before */
  TtJsonValue key, value;
} Header;

typedef struct
{
  TtTraceEvent events[BATCH_EVENTS];
  guint n_events, next;
  GArray *headers; /* of Header, with bytes of their own */
  guint next_header;
  gsize header_bytes;
  char *bytes;
  gsize used, room;
  TtJsonMemberPlace *places; /* of arguments; BATCH_PLACES of them, NULL: none are asked for */
  guint n_places;
  TtRepairs repairs;
  guint64 progress;
  gboolean is_last;
  GError *error; /* after the events */
} Batch;

struct _TtTraceEventFeed
{
  /* The caller's. */
  TtSink *sink;
  TtHeaderFunc on_header;
  gpointer header_data;
  gboolean is_direct;    /* no batches */
  gboolean indexes_args; /* set before there is a thread */
  Batch *batch;
  GThread *thread;
  GAsyncQueue *full, *empty; /* of Batch */
  gint is_stopped;
  gboolean has_ended;

  /* Of whoever reads: the thread, while there is one. */
  char apart[TT_APART_BYTES];
  TtTraceEventReader *reader;
  TtEventNumbers *numbers;
  TtSpanOrder *order; /* NULL: any will do */
  gboolean is_unordered;
  TtTraceEvent event; /* in direct mode the one given out, else one that had no room in its batch */
  gboolean has_event;
  Batch *filling;
  char apart_after[TT_APART_BYTES];
};

/* -- batches ---------------------------------------------------------------------------------------- */

static void
header_clear (gpointer item)
{
  Header *header = item;

  g_free ((char *) header->key.raw.bytes);
  g_free ((char *) header->value.raw.bytes);
}

static void
batch_free (Batch *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->headers);
  g_clear_error (&self->error);
  g_free (self->bytes);
  g_free (self->places);
  g_free (self);
}

static Batch *
batch_new (gboolean indexes_args)
{
  Batch *self = g_new0 (Batch, 1);

  self->headers = g_array_new (FALSE, FALSE, sizeof (Header));
  g_array_set_clear_func (self->headers, header_clear);
  self->room = BATCH_BYTES;
  self->bytes = g_malloc (self->room);
  self->places = indexes_args ? g_new (TtJsonMemberPlace, BATCH_PLACES) : NULL;
  return self;
}

static void
batch_clear (Batch *self)
{
  self->n_events = self->next = self->next_header = self->n_places = 0;
  g_array_set_size (self->headers, 0);
  self->header_bytes = self->used = 0;
  self->repairs = (TtRepairs){ 0 };
  self->progress = 0;
  if (self->room <= MAX_KEPT_BYTES)
    return;
  g_free (self->bytes);
  self->room = BATCH_BYTES;
  self->bytes = g_malloc (self->room);
}

static gboolean
is_batch_full (const Batch *self)
{
  return self->n_events == BATCH_EVENTS || self->header_bytes >= BATCH_HEADER_BYTES;
}

/* FALSE: the batch has no room for its bytes, and others are in it, or there is no memory for them: self->error. */
static gboolean
make_room (Batch *self, const TtTraceEvent *event)
{
  gsize len = event->record.len;

  if (len <= self->room - self->used)
    return TRUE;
  if (self->used > 0)
    return FALSE;
  char *bytes = g_try_malloc (len);
  if (bytes == NULL)
    {
      g_set_error (&self->error, TT_ERROR, TT_ERROR_INPUT,
                   "event at byte %" G_GUINT64_FORMAT ": no memory for its %" G_GSIZE_FORMAT " bytes", event->offset,
                   len);
      return FALSE;
    }
  g_free (self->bytes);
  self->bytes = bytes;
  self->room = len;
  return TRUE;
}

/* Those that find no room are walked over by whoever wants them. */
static void
copy_places (Batch *self, TtTraceEvent *event)
{
  guint n = event->n_arg_places;

  if (self->places == NULL || n > BATCH_PLACES - self->n_places)
    {
      event->arg_places = NULL;
      return;
    }
  memcpy (self->places + self->n_places, event->arg_places, n * sizeof *event->arg_places);
  event->arg_places = self->places + self->n_places;
  self->n_places += n;
}

/* Takes the event after the last, whose values lie within its record in the scanner: with bytes of its own from here on. */
static gboolean
add_event (Batch *self)
{
  TtTraceEvent *event = &self->events[self->n_events];

  if (!make_room (self, event))
    return FALSE;

  char *bytes = self->bytes + self->used;
  gssize by = bytes - event->record.bytes;
  memcpy (bytes, event->record.bytes, event->record.len);
  self->used += event->record.len;
  event->record.bytes = bytes;
  for (guint32 held = event->held >> 1; held != 0; held &= held - 1)
    event->values[__builtin_ctz (held)].raw.bytes += by;
  if (event->arg_places != NULL)
    copy_places (self, event);
  self->n_events++;
  return TRUE;
}

static void
add_header (const TtJsonValue *key, const TtJsonValue *value, gpointer data)
{
  TtTraceEventFeed *self = data;
  Batch *batch = self->filling;
  Header header = { batch->n_events, *key, *value };

  header.key.raw.bytes = g_strndup (key->raw.bytes, key->raw.len);
  header.value.raw.bytes = g_strndup (value->raw.bytes, value->raw.len);
  g_array_append_val (batch->headers, header);
  batch->header_bytes += sizeof header + key->raw.len + value->raw.len;
  if (self->order != NULL)
    tt_span_order_take_header (self->order, key, value);
}

/* -- reading ---------------------------------------------------------------------------------------- */

/* The next event into @event; FALSE at the end or with *error. */
static gboolean
read_event (TtTraceEventFeed *self, TtTraceEvent *event, GError **error)
{
  gboolean is_there = tt_trace_event_reader_next (self->reader, event, error);

  if (G_LIKELY (is_there && event->ph != 0))
    tt_event_numbers_set (self->numbers, event);
  if (G_LIKELY (self->order == NULL) || (is_there && event->ph == 0))
    return is_there;
  if (!is_there && *error != NULL)
    return FALSE;
  if (is_there ? tt_span_order_take (self->order, event) : tt_span_order_end (self->order))
    return is_there;
  self->is_unordered = TRUE;
  g_set_error_literal (error, TT_ERROR, TT_ERROR_STORE, "spans are in no order");
  return FALSE;
}

static void
fill (TtTraceEventFeed *self, Batch *batch)
{
  batch_clear (batch);
  self->filling = batch;
  while (!is_batch_full (batch))
    {
      TtTraceEvent *event = &batch->events[batch->n_events];

      if (self->has_event)
        *event = self->event;
      else if (!read_event (self, event, &batch->error))
        {
          batch->is_last = TRUE;
          break;
        }
      self->has_event = event->ph != 0 && !add_event (batch);
      if (G_UNLIKELY (batch->error != NULL))
        {
          batch->is_last = TRUE;
          g_prefix_error (&batch->error, "%s: ", tt_input_path (tt_trace_event_reader_input (self->reader)));
        }
      if (self->has_event)
        {
          self->event = *event;
          break;
        }
    }
  tt_trace_event_reader_take_repairs (self->reader, &batch->repairs);
  batch->progress = tt_trace_event_reader_progress (self->reader);
}

/* Until all other batches have come back, so that no two long events are in memory. */
static void
wait_for_others (TtTraceEventFeed *self)
{
  Batch *others[N_BATCHES];

  for (guint i = 0; i + 1 < N_BATCHES; i++)
    others[i] = g_async_queue_pop (self->empty);
  for (guint i = 0; i + 1 < N_BATCHES; i++)
    g_async_queue_push (self->empty, others[i]);
}

static gpointer
read_ahead (gpointer data)
{
  TtTraceEventFeed *self = data;
  gboolean is_last = FALSE;

  while (!is_last && !g_atomic_int_get (&self->is_stopped))
    {
      Batch *batch = g_async_queue_pop (self->empty);

      if (g_atomic_int_get (&self->is_stopped))
        batch_clear (batch);
      else
        fill (self, batch);
      is_last = batch->is_last;
      gboolean is_long = batch->room > MAX_KEPT_BYTES && !is_last;
      g_async_queue_push (self->full, batch);
      if (is_long)
        wait_for_others (self);
    }
  return NULL;
}

static void
start (TtTraceEventFeed *self)
{
  for (guint i = 0; i + 1 < N_BATCHES; i++)
    g_async_queue_push (self->empty, batch_new (self->indexes_args));
  self->thread = g_thread_try_new ("reader", read_ahead, self, NULL);
}

/* The last batch is on its way, or nobody takes batches any more. */
static void
join (TtTraceEventFeed *self)
{
  Batch *batch;

  if (self->thread == NULL)
    return;
  g_atomic_int_set (&self->is_stopped, TRUE);
  while ((batch = g_async_queue_try_pop (self->full)) != NULL)
    g_async_queue_push (self->empty, batch);
  /* One that waits for all others finds this one, too. */
  if (self->batch != NULL)
    g_async_queue_push (self->empty, g_steal_pointer (&self->batch));
  g_thread_join (g_steal_pointer (&self->thread));
}

/* -- taking ----------------------------------------------------------------------------------------- */

TtTraceEventFeed *
tt_trace_event_feed_new (const char *path, TtSink *sink, gboolean strict, GError **error)
{
  TtTraceEventReader *reader = tt_trace_event_reader_new (path, strict ? sink : NULL, strict, error);

  if (reader == NULL)
    return NULL;
  TtTraceEventFeed *self = g_new0 (TtTraceEventFeed, 1);
  self->sink = sink;
  self->reader = reader;
  self->is_direct = strict;
  self->numbers = tt_event_numbers_new ();
  self->full = g_async_queue_new_full ((GDestroyNotify) batch_free);
  self->empty = g_async_queue_new_full ((GDestroyNotify) batch_free);
  return self;
}

void
tt_trace_event_feed_free (TtTraceEventFeed *self)
{
  if (self == NULL)
    return;
  join (self);
  batch_free (self->batch);
  g_async_queue_unref (self->full);
  g_async_queue_unref (self->empty);
  tt_trace_event_reader_free (self->reader);
  tt_event_numbers_free (self->numbers);
  tt_span_order_free (self->order);
  g_free (self);
}

void
tt_trace_event_feed_index_args (TtTraceEventFeed *self)
{
  g_return_if_fail (self->batch == NULL);

  self->indexes_args = TRUE;
  tt_trace_event_reader_index_args (self->reader);
}

void
tt_trace_event_feed_expect_order (TtTraceEventFeed *self)
{
  g_return_if_fail (!self->is_direct && self->batch == NULL);

  if (self->order == NULL)
    self->order = tt_span_order_new ();
}

gboolean
tt_trace_event_feed_is_unordered (const TtTraceEventFeed *self)
{
  return self->is_unordered;
}

void
tt_trace_event_feed_on_header (TtTraceEventFeed *self, TtHeaderFunc func, gpointer data)
{
  self->on_header = func;
  self->header_data = data;
  if (self->is_direct)
    tt_trace_event_reader_on_header (self->reader, func, data);
  else
    tt_trace_event_reader_pause_at_headers (self->reader, add_header, self);
}

TtInput *
tt_trace_event_feed_input (TtTraceEventFeed *self)
{
  return tt_trace_event_reader_input (self->reader);
}

/* The headers that stand before the next event. */
static void
give_headers (TtTraceEventFeed *self)
{
  Batch *batch = self->batch;

  while (batch->next_header < batch->headers->len)
    {
      Header *header = &g_array_index (batch->headers, Header, batch->next_header);

      if (header->at > batch->next)
        return;
      batch->next_header++;
      if (self->on_header != NULL)
        self->on_header (&header->key, &header->value, self->header_data);
    }
}

/* The first batch is read here: only what is longer is worth a thread. */
static gboolean
take_batch (TtTraceEventFeed *self, GError **error)
{
  Batch *batch = self->batch;

  if (batch == NULL)
    {
      batch = batch_new (self->indexes_args);
      fill (self, batch);
    }
  else
    {
      if (self->thread == NULL)
        start (self);
      if (self->thread == NULL)
        fill (self, batch);
      else
        {
          g_async_queue_push (self->empty, batch);
          batch = g_async_queue_pop (self->full);
        }
    }
  self->batch = batch;
  tt_repairs_merge (&self->sink->repairs, &batch->repairs);
  return tt_sink_check (self->sink, batch->progress, error);
}

/* What follows needs memory of its own. */
static void
free_batches (TtTraceEventFeed *self)
{
  Batch *batch;

  while ((batch = g_async_queue_try_pop (self->empty)) != NULL)
    batch_free (batch);
  g_clear_pointer (&self->numbers, tt_event_numbers_free);
}

static const TtTraceEvent *
end (TtTraceEventFeed *self, GError **error)
{
  GError *failed = g_steal_pointer (&self->batch->error);

  self->has_ended = TRUE;
  join (self);
  free_batches (self);
  if (failed != NULL)
    g_propagate_error (error, failed);
  return NULL;
}

/* What is not just the next event of the batch. */
static G_GNUC_NO_INLINE const TtTraceEvent *
next_slowly (TtTraceEventFeed *self, GError **error)
{
  if (self->is_direct)
    return tt_trace_event_reader_next (self->reader, &self->event, error) ? &self->event : NULL;
  while (!self->has_ended)
    {
      Batch *batch = self->batch;

      if (batch != NULL)
        {
          give_headers (self);
          if (batch->next < batch->n_events)
            return &batch->events[batch->next++];
          if (batch->is_last)
            return end (self, error);
        }
      if (!take_batch (self, error))
        return NULL;
    }
  return NULL;
}

const TtTraceEvent *
tt_trace_event_feed_next (TtTraceEventFeed *self, GError **error)
{
  Batch *batch = self->batch;

  if (G_LIKELY (batch != NULL && batch->next_header == batch->headers->len && batch->next < batch->n_events &&
                !self->has_ended))
    return &batch->events[batch->next++];
  return next_slowly (self, error);
}
