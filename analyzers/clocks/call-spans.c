/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/clocks/call-spans.h"

#include <string.h>

#include "analyzers/clocks/call-kinds.h"
#include "analyzers/spans/each-event.h"
#include "src/base/array-sort.h"
#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/base/id-table.h"
#include "src/base/sorter.h"
#include "src/trace/span.h"

typedef struct
{
  guint32 thread;
  gint64 begin_ns, end_ns;
} Barrier;

typedef struct
{
  guint64 event;
  gint64 ns;
} Moment;

struct _TtClockSpans
{
  GArray *barriers; /* of Barrier by (thread, begin) */
  guint *near;      /* by thread: the one that was found last; NULL: there is none */
  guint32 max_thread;
  GArray *completions; /* of TtClockCompletion by event */
  GArray *likely;      /* of TtClockCompletion by event, of the others */
  GArray *sends;       /* of TtClockSend by event */
  guint8 *kinds;       /* by name: TtClockCallKind */
};

/* What a thread has begun. */
typedef struct
{
  guint64 event;                 /* 0: nothing */
  gint64 done_begin_ns, done_ns; /* of the call that did last; TT_NO_TIME: it was not completed yet */
  gboolean is_ambiguous;         /* which of several was completed */
  TtClockCompletion likely;      /* by the first call that did, before anything else was begun; event 0: none did */
  gboolean has_begun_more;
} Begun;

/* OTF2 tells which request a call completed, and when. */
typedef struct
{
  guint64 event, by; /* what returned at once, and the call that completed it */
  gint64 end_ns;
} Request;

typedef struct
{
  TtClockSpans *spans;
  GHashTable *begun; /* thread -> Begun */
  GArray *parts;     /* of TtClockCompletion */
  GArray *threads;   /* of guint32, of each part */
  GArray *requests;  /* of Request; where there are any, they tell all completions */
  GArray *begins;    /* then: of Moment, of calls that complete */
} Reader;

void
tt_clock_spans_free (TtClockSpans *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->barriers);
  g_array_unref (self->completions);
  g_array_unref (self->likely);
  g_array_unref (self->sends);
  g_free (self->kinds);
  g_free (self->near);
  g_free (self);
}

/* -- names -------------------------------------------------------------------------------------------------------- */

typedef struct
{
  TtClockSpans *spans;
  TtClockCallNames names;
} NameReader;

static gboolean
take_name (const TtStoredName *name, gpointer data)
{
  NameReader *self = data;
  TtClockCallKind kind = tt_clock_call_kind (name->op_name);

  self->spans->kinds[name->id] = (guint8) kind;
  tt_clock_call_note (&self->names, kind, name->op_name);
  return TRUE;
}

/* -- observing ---------------------------------------------------------------------------------------------------- */

typedef struct
{
  TtIdTable kinds; /* guint8, by name: TtClockCallKind; those from n_kinds on are of TT_CLOCK_CALL_OTHER */
  guint32 n_kinds;
  TtClockCallNames names;
  GArray *barriers; /* of Barrier; threads and names are rows of the database */
} Observation;

gpointer
tt_clock_spans_prepare (void)
{
  Observation *self = g_new0 (Observation, 1);

  self->kinds.row_size = sizeof (guint8);
  self->barriers = g_array_new (FALSE, FALSE, sizeof (Barrier));
  return self;
}

void
tt_clock_spans_release (gpointer prepared)
{
  Observation *self = prepared;

  tt_id_table_clear (&self->kinds);
  g_array_unref (self->barriers);
  g_free (self);
}

static gboolean
is_barrier (Observation *self, guint32 name)
{
  return name < self->n_kinds && *(const guint8 *) tt_id_table_at (&self->kinds, name) == TT_CLOCK_CALL_BARRIER;
}

static void
observe_name (Observation *self, guint32 name, const char *op_name)
{
  TtClockCallKind kind = tt_clock_call_kind (op_name);

  if (kind == TT_CLOCK_CALL_OTHER)
    return;
  *(guint8 *) tt_id_table_at (&self->kinds, name) = (guint8) kind;
  self->n_kinds = MAX (self->n_kinds, name + 1);
  tt_clock_call_note (&self->names, kind, op_name);
}

void
tt_clock_spans_observe (const TtBatch *batch, gpointer prepared)
{
  Observation *self = prepared;
  const TtEventColumns *events = &batch->events;

  for (guint i = 0; i < batch->definitions->len; i++)
    {
      const TtDefinition *definition = &g_array_index (batch->definitions, TtDefinition, i);

      if (definition->kind == TT_DEFINE_NAME)
        observe_name (self, definition->id, tt_batch_text (batch, definition->text[TT_NAME_OP_NAME]));
    }
  if (!self->names.has_barriers)
    return;
  for (guint i = 0; i < events->n; i++)
    if (events->dur_ns[i] != TT_NO_TIME && is_barrier (self, events->name[i]))
      {
        const Barrier barrier = { events->thread[i], events->ts_ns[i],
                                  tt_span_end (events->ts_ns[i], events->dur_ns[i]) };

        g_array_append_val (self->barriers, barrier);
      }
}

/* They are taken from @observed, for there may be as many as there are calls. */
static gboolean
use_observed (TtClockSpans *self, Observation *observed, TtStore *store, GError **error)
{
  GArray *barriers = observed->barriers;
  guint n = 0;

  for (guint i = 0; i < barriers->len; i++)
    {
      Barrier barrier = g_array_index (barriers, Barrier, i);

      barrier.thread = tt_store_thread_of_row (store, barrier.thread);
      if (barrier.thread != TT_NO_ID)
        g_array_index (barriers, Barrier, n++) = barrier;
    }
  g_array_set_size (barriers, n);
  observed->barriers = self->barriers;
  self->barriers = barriers;
  return tt_id_table_check (&observed->kinds, error);
}

/* -- reading ------------------------------------------------------------------------------------------------------ */

static Begun *
find_begun (Reader *self, guint32 thread)
{
  Begun *begun = g_hash_table_lookup (self->begun, GUINT_TO_POINTER (thread));

  if (begun == NULL)
    {
      begun = g_new0 (Begun, 1);
      g_hash_table_insert (self->begun, GUINT_TO_POINTER (thread), begun);
    }
  return begun;
}

static void
end_part (Reader *self, guint32 thread, Begun *begun)
{
  const TtClockCompletion part = { begun->event, begun->done_begin_ns, begun->done_ns };

  if (begun->likely.event != 0)
    g_array_append_val (self->spans->likely, begun->likely);
  begun->likely.event = 0;
  begun->has_begun_more = FALSE;
  begun->is_ambiguous |= begun->event != 0 && begun->done_ns == TT_NO_TIME;
  if (begun->event == 0 || begun->is_ambiguous)
    return;
  g_array_append_val (self->parts, part);
  g_array_append_val (self->threads, thread);
}

static void
take_begin (Reader *self, const TtEvent *event)
{
  Begun *begun = find_begun (self, event->thread);

  end_part (self, event->thread, begun);
  begun->event = event->id;
  begun->done_ns = TT_NO_TIME;
}

static gboolean
take_event (const TtEvent *event, gpointer data, GError **error)
{
  Reader *self = data;
  TtClockCallKind kind = (TtClockCallKind) self->spans->kinds[event->name];
  gint64 end_ns;

  if (kind == TT_CLOCK_CALL_OTHER || kind == TT_CLOCK_CALL_RECEIVE || event->dur_ns == TT_NO_TIME)
    return TRUE;
  end_ns = tt_span_end (event->ts_ns, event->dur_ns);
  const Barrier barrier = { event->thread, event->ts_ns, end_ns };
  const TtClockSend send = { event->id, event->ts_ns, end_ns };
  const Moment call = { event->id, event->ts_ns };
  Begun *begun;

  switch (kind)
    {
    case TT_CLOCK_CALL_BARRIER:
      g_array_append_val (self->spans->barriers, barrier);
      break;
    case TT_CLOCK_CALL_SEND:
      g_array_append_val (self->spans->sends, send);
      break;
    case TT_CLOCK_CALL_BEGIN_COLLECTIVE:
      take_begin (self, event);
      break;
    case TT_CLOCK_CALL_BEGIN_ROOTED:
    case TT_CLOCK_CALL_BEGIN_OTHER:
      begun = find_begun (self, event->thread);
      begun->is_ambiguous = begun->has_begun_more = TRUE;
      break;
    default:
      begun = find_begun (self, event->thread);
      if (begun->event != 0 && begun->likely.event == 0 && !begun->has_begun_more)
        begun->likely = (TtClockCompletion){ begun->event, event->ts_ns, end_ns };
      begun->done_begin_ns = event->ts_ns;
      begun->done_ns = end_ns;
      if (self->requests->len > 0)
        g_array_append_val (self->begins, call);
      break;
    }
  return TRUE;
}

static TtArrayKey
key_of_barrier (gconstpointer element)
{
  const Barrier *barrier = element;

  return (TtArrayKey){ barrier->thread, tt_sort_key (barrier->begin_ns) };
}

static int
compare_barriers (gconstpointer a, gconstpointer b)
{
  const Barrier *x = a, *y = b;

  return x->thread != y->thread ? TT_COMPARE (x->thread, y->thread) : TT_COMPARE (x->begin_ns, y->begin_ns);
}

/* Of moments, completions and sends: all begin with the event. */
static int
compare_events (gconstpointer a, gconstpointer b)
{
  return TT_COMPARE (*(const guint64 *) a, *(const guint64 *) b);
}

static gconstpointer
find_event (const GArray *rows, guint64 event)
{
  return rows->len == 0
             ? NULL
             : bsearch (&event, rows->data, rows->len, g_array_get_element_size ((GArray *) rows), compare_events);
}

static gboolean
take_request (const TtFlow *flow, gpointer data)
{
  const Request request = { flow->from_event, flow->to_event, flow->to_ns };

  if (flow->to_ns != TT_NO_TIME && g_strcmp0 (flow->kind, "request") == 0)
    g_array_append_val ((GArray *) data, request);
  return TRUE;
}

static void
add_told (Reader *self)
{
  g_array_sort (self->begins, compare_events);
  for (guint i = 0; i < self->requests->len; i++)
    {
      const Request *request = &g_array_index (self->requests, Request, i);
      const Moment *begin = find_event (self->begins, request->by);
      const TtClockCompletion told = { request->event, begin == NULL ? TT_NO_TIME : begin->ns, request->end_ns };

      g_array_append_val (self->spans->completions, told);
    }
}

/* What threads were in doubt about is left out. */
static void
finish (Reader *self)
{
  GHashTableIter iter;
  gpointer thread, begun;

  g_hash_table_iter_init (&iter, self->begun);
  while (g_hash_table_iter_next (&iter, &thread, &begun))
    end_part (self, GPOINTER_TO_UINT (thread), begun);
  for (guint i = 0; self->requests->len == 0 && i < self->parts->len; i++)
    if (!find_begun (self, g_array_index (self->threads, guint32, i))->is_ambiguous)
      g_array_append_val (self->spans->completions, g_array_index (self->parts, TtClockCompletion, i));
  add_told (self);
  g_array_sort (self->spans->completions, compare_events);
  g_array_sort (self->spans->likely, compare_events);
  tt_array_sort_by_key (self->spans->barriers, key_of_barrier, NULL);
  if (self->spans->barriers->len > 0)
    self->spans->near = g_new0 (guint, (gsize) self->spans->max_thread + 1);
}

/* @observed: NULL: the names are read. */
static gboolean
find_kinds (TtClockSpans *self, Observation *observed, TtStore *store, TtClockCallNames *names, GError **error)
{
  NameReader reader = { .spans = self };

  if (observed == NULL)
    {
      gboolean is_read = tt_store_each_name (store, take_name, &reader, error);

      *names = reader.names;
      return is_read;
    }
  for (guint32 row = 0; row < observed->n_kinds; row++)
    {
      guint32 name = tt_store_name_of_row (store, row);

      if (name != TT_NO_ID)
        self->kinds[name] = *(const guint8 *) tt_id_table_at (&observed->kinds, row);
    }
  *names = observed->names;
  return tt_id_table_check (&observed->kinds, error);
}

TtClockSpans *
tt_clock_spans_new (TtStore *store, gpointer prepared, GError **error)
{
  g_autoptr (TtClockSpans) self = g_new0 (TtClockSpans, 1);
  g_autoptr (GHashTable) begun = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (TtClockCompletion));
  g_autoptr (GArray) begins = g_array_new (FALSE, FALSE, sizeof (Moment));
  g_autoptr (GArray) threads = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) requests = g_array_new (FALSE, FALSE, sizeof (Request));
  Reader reader = { self, begun, parts, threads, requests, begins };
  TtClockCallNames names;

  self->max_thread = tt_store_max_thread (store);
  self->barriers = g_array_new (FALSE, FALSE, sizeof (Barrier));
  self->completions = g_array_new (FALSE, FALSE, sizeof (TtClockCompletion));
  self->likely = g_array_new (FALSE, FALSE, sizeof (TtClockCompletion));
  self->sends = g_array_new (FALSE, FALSE, sizeof (TtClockSend));
  self->kinds = g_new0 (guint8, (gsize) tt_store_max_name (store) + 1);
  if (!find_kinds (self, prepared, store, &names, error) ||
      (names.has_requests && !tt_store_each_flow (store, take_request, requests, error)))
    return NULL;
  if (names.has_others || (names.has_barriers && prepared == NULL))
    {
      if (!tt_each_event (store, TT_SCAN_DEFAULT, take_event, &reader, error))
        return NULL;
    }
  else if (prepared != NULL && !use_observed (self, prepared, store, error))
    return NULL;
  finish (&reader);
  return g_steal_pointer (&self);
}

/* -- searching ---------------------------------------------------------------------------------------------------- */

/* Whether @i is the first barrier that is not before @key. */
static gboolean
is_place (const TtClockSpans *self, guint i, const Barrier *key)
{
  const Barrier *barriers = TT_ARRAY (self->barriers, Barrier);

  return (i == 0 || compare_barriers (&barriers[i - 1], key) < 0) &&
         (i >= self->barriers->len || compare_barriers (&barriers[i], key) >= 0);
}

/* Most are asked for twice, and in the order of time. */
static guint
find_place (const TtClockSpans *self, const Barrier *key)
{
  guint *near = &self->near[key->thread], low = 0, high = self->barriers->len;

  for (guint i = *near; i <= high && i <= *near + 1; i++)
    if (is_place (self, i, key))
      return *near = i;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (compare_barriers (&g_array_index (self->barriers, Barrier, middle), key) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  return *near = low;
}

gboolean
tt_clock_spans_find_barrier (const TtClockSpans *self, guint32 thread, gint64 *begin_ns, gint64 *end_ns)
{
  const Barrier key = { thread, *begin_ns, 0 };

  if (self->near == NULL || thread > self->max_thread)
    return FALSE;
  guint i = find_place (self, &key);
  const Barrier *found = i < self->barriers->len ? &g_array_index (self->barriers, Barrier, i) : NULL;
  if (found == NULL || found->thread != thread || found->end_ns > *end_ns)
    return FALSE;
  *begin_ns = found->begin_ns;
  *end_ns = found->end_ns;
  return TRUE;
}

const TtClockCompletion *
tt_clock_spans_find_completion (const TtClockSpans *self, guint64 event)
{
  return find_event (self->completions, event);
}

const TtClockCompletion *
tt_clock_spans_find_likely (const TtClockSpans *self, guint64 event)
{
  return find_event (self->likely, event);
}

const TtClockSend *
tt_clock_spans_find_send (const TtClockSpans *self, guint64 event)
{
  return find_event (self->sends, event);
}

gboolean
tt_clock_spans_has_sends (const TtClockSpans *self)
{
  return self->sends->len > 0;
}

gboolean
tt_clock_spans_is_receive (const TtClockSpans *self, guint32 name)
{
  return self->kinds[name] == TT_CLOCK_CALL_RECEIVE;
}
