/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scan goes by ids downwards, so that a span comes before those inside it; a sorter, which keeps that order among equals,
 * brings what belongs to one thread of the host together in the order of begins.
 */
#include "config.h"

#include "analyzers/states/states.h"

#include <string.h>

#include "analyzers/spans/each-event.h"
#include "analyzers/states/state-threads.h"
#include "src/base/map64.h"
#include "src/base/sorter.h"
#include "src/trace/kernel-lanes.h"

#define SORTER_MEMORY ((gsize) 32 << 20)

typedef enum
{
  RECORD_STATE,
  RECORD_CALL,
  RECORD_SPAN,
} RecordKind;

typedef struct
{
  guint64 subject, begin; /* the key */
  gint64 end_ns;
  guint32 name, thread;
  guint16 kind, state;
  guint8 is_shown, is_inner, padding[2];
} Record;
G_STATIC_ASSERT (sizeof (Record) == 40);

/* What a name is, by its id. */
typedef struct
{
  guint8 state; /* TT_STATE_UNKNOWN: it is none */
  guint8 is_call;
} NameFacts;

/* How long spans of a row waited in a call. */
typedef struct
{
  guint32 row, name;
  tt_int128 ns;
} Call;

struct _TtStates
{
  TtStore *store;
  const TtSelection *selection;
  TtStatesRows rows_are;
  TtStatesFacts facts;
  GArray *rows; /* of TtStatesRow */
  TtMap64 row_of, call_of;
  GArray *calls; /* of Call */
  /* While the events are read. */
  TtStateThreads *threads;
  TtSorter *sorter;
  NameFacts *names;
  guint32 *first_names;
  guint8 *has_spans; /* by thread */
  guint64 n_program_spans;
};

/* -- names ----------------------------------------------------------------------------------------------------------- */

static gboolean
note_name (const TtStoredName *name, gpointer data)
{
  static const char *const words[TT_STATE_UNKNOWN] = { [TT_STATE_RUNNING] = "running",
                                                       [TT_STATE_PREEMPTED] = "preempted",
                                                       [TT_STATE_READY] = "ready",
                                                       [TT_STATE_WAITING] = "waiting" };
  TtStates *self = data;
  NameFacts *facts = &self->names[name->id];

  facts->state = TT_STATE_UNKNOWN;
  facts->is_call = name->group == NULL && name->raw != NULL && g_str_has_prefix (name->raw, "syscall_");
  if (g_strcmp0 (name->op_name, TT_LANES_NAME) == 0)
    for (guint8 state = 0; state < TT_STATE_UNKNOWN; state++)
      if (g_strcmp0 (name->sub_op, words[state]) == 0)
        facts->state = state;
  return TRUE;
}

static gboolean
read_names (TtStates *self, GError **error)
{
  self->names = g_new0 (NameFacts, (gsize) tt_store_max_name (self->store) + 1);
  self->first_names = tt_store_first_names (self->store, error);
  return self->first_names != NULL && tt_store_each_name (self->store, note_name, self, error);
}

/* -- events ---------------------------------------------------------------------------------------------------------- */

static void
note_thread (TtStates *self, const TtEvent *event, gboolean has_lane)
{
  if (!self->has_spans[event->thread])
    {
      self->facts.n_threads++;
      self->facts.n_without += !has_lane;
    }
  self->has_spans[event->thread] = TRUE;
  if (has_lane)
    return;
  self->facts.without_ns += event->own_ns > 0 ? MAX (event->self_ns, 0) : 0;
  if (self->facts.first_without == TT_NO_ID || event->thread < self->facts.first_without)
    self->facts.first_without = event->thread;
}

static gboolean
on_event (const TtEvent *event, gpointer data, GError **error)
{
  TtStates *self = data;
  const TtStateThread thread = tt_state_threads_get (self->threads, event->thread);
  gint64 end_ns;

  if (event->dur_ns == TT_NO_TIME || thread.kind == TT_STATE_THREAD_OTHER ||
      (event->flags & (TT_FLAG_ASYNC | TT_FLAG_WINDOW)) != 0 || event->name > tt_store_max_name (self->store))
    return TRUE;
  const NameFacts *name = &self->names[event->name];
  gboolean is_lane = thread.kind == TT_STATE_THREAD_LANE;
  gboolean is_shown = !is_lane && tt_selection_matches (self->selection, event);

  if (is_lane && name->state == TT_STATE_UNKNOWN)
    return TRUE;
  if (!is_lane && !name->is_call)
    {
      self->n_program_spans++;
      if (is_shown)
        note_thread (self, event, thread.subject > 0);
    }
  if (thread.subject == 0)
    return TRUE;
  if (__builtin_add_overflow (event->ts_ns, MAX (event->dur_ns, 0), &end_ns))
    end_ns = G_MAXINT64;
  Record *record = tt_sorter_add (self->sorter);
  *record = (Record){ .subject = thread.subject,
                      .begin = tt_sort_key (event->ts_ns),
                      .end_ns = end_ns,
                      .name = event->name,
                      .thread = event->thread,
                      .kind = is_lane         ? RECORD_STATE
                              : name->is_call ? RECORD_CALL
                                              : RECORD_SPAN,
                      .state = name->state,
                      .is_shown = is_shown,
                      .is_inner = (event->flags & TT_FLAG_RECURSIVE) != 0 };
  return TRUE;
}

/* -- rows ------------------------------------------------------------------------------------------------------------ */

static guint32
row_of (TtStates *self, const TtStateSpan *span)
{
  guint32 id = self->first_names[span->name];

  if (self->rows_are != TT_STATES_OPERATIONS)
    id = span->thread;
  if (self->rows_are == TT_STATES_RANKS)
    {
      const TtProcess *process = tt_store_process (self->store, tt_store_process_of_thread (self->store, id));
      id = process == NULL ? TT_NO_ID : process->owner;
    }
  guint32 row = tt_map64_get (&self->row_of, id);
  if (row != TT_MAP64_NONE)
    return row;
  const TtStatesRow new = { .id = id };
  row = self->rows->len;
  g_array_append_val (self->rows, new);
  tt_map64_set (&self->row_of, id, row);
  return row;
}

static void
add_call (TtStates *self, guint32 row, guint32 name, gint64 ns)
{
  const guint64 key = (guint64) row << 32 | self->first_names[name];
  guint32 at = tt_map64_get (&self->call_of, key);

  if (at == TT_MAP64_NONE)
    {
      const Call new = { .row = row, .name = self->first_names[name] };
      at = self->calls->len;
      g_array_append_val (self->calls, new);
      tt_map64_set (&self->call_of, key, at);
    }
  g_array_index (self->calls, Call, at).ns += ns;
}

static void
on_stretch (const TtStateStretch *stretch, gpointer data)
{
  TtStates *self = data;

  if (!stretch->span->is_shown)
    return;
  guint32 row = row_of (self, stretch->span);
  g_array_index (self->rows, TtStatesRow, row).self_ns[stretch->state] += stretch->ns;
  self->facts.self_ns[stretch->state] += stretch->ns;
  if (stretch->state == TT_STATE_WAITING && stretch->call != TT_NO_ID)
    add_call (self, row, stretch->call, stretch->ns);
}

static void
on_span (const TtStateSpan *span, const gint64 *ns, gpointer data)
{
  TtStates *self = data;

  if (!span->is_shown)
    return;
  TtStatesRow *row = &g_array_index (self->rows, TtStatesRow, row_of (self, span));
  row->n_spans++;
  for (guint state = 0; !span->is_inner && state < TT_N_THREAD_STATES; state++)
    row->total_ns[state] += ns[state];
}

static void
take_record (const Record *record, gboolean calls_are_spans, TtStateSweep *sweep)
{
  gint64 begin_ns = tt_sort_value (record->begin);

  if (record->kind == RECORD_STATE)
    tt_state_sweep_state (sweep, (TtThreadState) record->state, begin_ns, record->end_ns);
  if (record->kind == RECORD_CALL)
    tt_state_sweep_call (sweep, record->name, begin_ns, record->end_ns);
  if (record->kind != RECORD_SPAN && (record->kind != RECORD_CALL || !calls_are_spans))
    return;
  const TtStateSpan span = { .begin_ns = begin_ns,
                             .end_ns = record->end_ns,
                             .name = record->name,
                             .thread = record->thread,
                             .is_shown = record->is_shown,
                             .is_inner = record->is_inner };
  tt_state_sweep_span (sweep, &span);
}

static gboolean
sweep_threads (TtStates *self, GError **error)
{
  const Record *record;
  guint64 subject = 0;
  gint64 from_ns, until_ns;
  GError *failure = NULL;

  tt_selection_window (self->selection, &from_ns, &until_ns);
  g_autoptr (TtStateSweep) sweep = tt_state_sweep_new (from_ns, until_ns, on_stretch, on_span, self);
  if (!tt_sorter_finish (self->sorter, error))
    return FALSE;
  while ((record = tt_sorter_next (self->sorter, &failure)) != NULL)
    {
      if (record->subject != subject)
        tt_state_sweep_finish (sweep);
      subject = record->subject;
      take_record (record, self->n_program_spans == 0, sweep);
    }
  if (failure != NULL)
    {
      g_propagate_error (error, failure);
      return FALSE;
    }
  tt_state_sweep_finish (sweep);
  return TRUE;
}

tt_int128
tt_states_sum (const tt_int128 *ns)
{
  tt_int128 sum = 0;

  for (guint state = 0; state < TT_N_THREAD_STATES; state++)
    sum += ns[state];
  return sum;
}

tt_int128
tt_states_lost (const tt_int128 *ns)
{
  return ns[TT_STATE_PREEMPTED] + ns[TT_STATE_READY] + ns[TT_STATE_WAITING];
}

static int
by_loss (gconstpointer a, gconstpointer b)
{
  const TtStatesRow *x = a, *y = b;
  tt_int128 lost_x = tt_states_lost (x->self_ns), lost_y = tt_states_lost (y->self_ns);
  tt_int128 all_x = tt_states_sum (x->self_ns), all_y = tt_states_sum (y->self_ns);

  if (lost_x != lost_y)
    return lost_x > lost_y ? -1 : 1;
  if (all_x != all_y)
    return all_x > all_y ? -1 : 1;
  return x->id < y->id ? -1 : x->id > y->id;
}

static void
finish_rows (TtStates *self)
{
  for (guint i = 0; i < self->calls->len; i++)
    {
      const Call *call = &g_array_index (self->calls, Call, i);
      TtStatesRow *row = &g_array_index (self->rows, TtStatesRow, call->row);

      if (call->ns < row->call_ns || (call->ns == row->call_ns && row->call != TT_NO_ID && row->call < call->name))
        continue;
      row->call = call->name;
      row->call_ns = call->ns;
    }
  g_array_sort (self->rows, by_loss);
}

/* -- all ------------------------------------------------------------------------------------------------------------- */

static gboolean
read_all (TtStates *self, GError **error)
{
  self->threads = tt_state_threads_new (self->store);
  self->facts.n_lanes = tt_state_threads_n_lanes (self->threads);
  if (self->facts.n_lanes == 0)
    return TRUE;
  self->sorter = tt_sorter_new (sizeof (Record), SORTER_MEMORY);
  self->has_spans = g_new0 (guint8, (gsize) tt_store_max_thread (self->store) + 1);
  if (!read_names (self, error) || !tt_each_event (self->store, TT_SCAN_REVERSE, on_event, self, error) ||
      !sweep_threads (self, error))
    return FALSE;
  finish_rows (self);
  return TRUE;
}

TtStates *
tt_states_new (TtStore *store, const TtSelection *selection, TtStatesRows rows, GError **error)
{
  g_autoptr (TtStates) self = g_new0 (TtStates, 1);

  self->store = store;
  self->selection = selection;
  self->rows_are = rows;
  self->rows = g_array_new (FALSE, FALSE, sizeof (TtStatesRow));
  self->calls = g_array_new (FALSE, FALSE, sizeof (Call));
  if (!read_all (self, error))
    return NULL;
  g_clear_pointer (&self->threads, tt_state_threads_free);
  g_clear_pointer (&self->sorter, tt_sorter_free);
  g_clear_pointer (&self->names, g_free);
  g_clear_pointer (&self->first_names, g_free);
  g_clear_pointer (&self->has_spans, g_free);
  return g_steal_pointer (&self);
}

void
tt_states_free (TtStates *self)
{
  if (self == NULL)
    return;
  tt_state_threads_free (self->threads);
  tt_sorter_free (self->sorter);
  g_free (self->names);
  g_free (self->first_names);
  g_free (self->has_spans);
  tt_map64_clear (&self->row_of);
  tt_map64_clear (&self->call_of);
  g_array_unref (self->rows);
  g_array_unref (self->calls);
  g_free (self);
}

const GArray *
tt_states_rows (const TtStates *self)
{
  return self->rows;
}

const TtStatesFacts *
tt_states_facts (const TtStates *self)
{
  return &self->facts;
}
