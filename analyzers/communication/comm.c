/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/communication/comm.h"

#include "analyzers/process-order.h"
#include "src/base/map64.h"
#include "src/base/sorter.h"
#include "src/trace/span.h"

#define SORT_MEMORY ((gsize) 32 << 20)
/* One look-up by id costs about as much as a scan of so many events. */
#define EVENTS_PER_LOOKUP 20

/* A received message whose wait is known once its receive's span is. */
typedef struct
{
  guint64 event;
  guint64 pair;
  gint64 send_ns;
} WaitRecord;

typedef struct
{
  guint32 process;
  gint64 begin_ns, end_ns;
} Arrival;

typedef struct
{
  TtComm *comm;
  TtStore *store;
  const TtSelection *selection;
  TtSorter *waits;
  guint64 first, last; /* spans whose waits count */
  GArray *processes;   /* of TtCommProcess, by id */
  /* the current collective call */
  GArray *arrivals; /* of Arrival */
  gint64 call_comm, call_ordinal;
  gboolean call_is_selected;
  GArray *n_last; /* of guint64, by process id, of the current function */
} Collector;

static TtCommProcess *
process_at (Collector *self, guint32 id)
{
  if (id >= self->processes->len)
    g_array_set_size (self->processes, id + 1);
  return &g_array_index (self->processes, TtCommProcess, id);
}

/* -- messages ------------------------------------------------------------------------------------ */

static void
add_to_sums (TtCommSums *sums, const TtMessage *message)
{
  sums->count++;
  sums->n_matched += !tt_message_is_unmatched (message);
  if (message->bytes < 0)
    return;
  sums->min_bytes = sums->n_sized == 0 ? message->bytes : MIN (sums->min_bytes, message->bytes);
  sums->max_bytes = sums->n_sized == 0 ? message->bytes : MAX (sums->max_bytes, message->bytes);
  sums->bytes += message->bytes;
  sums->n_sized++;
}

static gboolean
is_selected (const Collector *self, const TtMessage *message)
{
  if (self->selection == NULL)
    return TRUE;
  return (message->send_ns != TT_NO_TIME &&
          tt_selection_matches_point (self->selection, message->src_thread, message->send_ns)) ||
         (message->recv_ns != TT_NO_TIME &&
          tt_selection_matches_point (self->selection, message->dst_thread, message->recv_ns));
}

static TtCommPair *
pair_of (Collector *self, const TtMessage *message)
{
  GArray *pairs = self->comm->pairs;
  TtCommPair *last = pairs->len == 0 ? NULL : &g_array_index (pairs, TtCommPair, pairs->len - 1);

  if (last == NULL || last->src != message->src_process || last->dst != message->dst_process)
    {
      const TtCommPair pair = { .src = message->src_process, .dst = message->dst_process };
      g_array_append_val (pairs, pair);
      last = &g_array_index (pairs, TtCommPair, pairs->len - 1);
    }
  return last;
}

static gboolean
on_message (const TtMessage *message, gpointer data)
{
  Collector *self = data;
  gint64 bytes = MAX (message->bytes, 0);

  if (!is_selected (self, message))
    return TRUE;
  add_to_sums (&pair_of (self, message)->sums, message);
  add_to_sums (&self->comm->all, message);
  process_at (self, message->src_process)->n_messages++;
  process_at (self, message->dst_process)->n_messages++;
  if (message->send_ns != TT_NO_TIME)
    {
      TtCommProcess *src = process_at (self, message->src_process);
      src->n_sent++;
      src->bytes_sent += bytes;
    }
  if (message->recv_ns != TT_NO_TIME)
    {
      TtCommProcess *dst = process_at (self, message->dst_process);
      dst->n_received++;
      dst->bytes_received += bytes;
    }
  if (message->send_ns != TT_NO_TIME && message->recv_ns != TT_NO_TIME && message->recv_event != 0 &&
      message->recv_event >= self->first && message->recv_event <= self->last)
    {
      WaitRecord *record = tt_sorter_add (self->waits);
      *record = (WaitRecord){ message->recv_event, self->comm->pairs->len - 1, message->send_ns };
    }
  return TRUE;
}

static void
add_wait (Collector *self, const WaitRecord *record, const TtEvent *span)
{
  if (span->dur_ns == TT_NO_TIME)
    return;

  TtCommPair *pair = &g_array_index (self->comm->pairs, TtCommPair, record->pair);
  gint64 wait_ns = MAX (0, tt_time_since (MIN (record->send_ns, tt_span_end (span->ts_ns, span->dur_ns)), span->ts_ns));
  pair->sums.wait_ns += wait_ns;
  self->comm->all.wait_ns += wait_ns;
  process_at (self, pair->dst)->message_wait_ns += wait_ns;
}

static gboolean
look_up_waits (Collector *self, GError **error)
{
  GError *failure = NULL;
  const WaitRecord *record;

  while ((record = tt_sorter_next (self->waits, &failure)) != NULL)
    {
      TtEvent span;
      if (!tt_store_event (self->store, record->event, &span, error))
        return FALSE;
      add_wait (self, record, &span);
    }
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

static gboolean
scan_waits (Collector *self, GError **error)
{
  TtEventScan *scan = tt_event_scan_new (self->store, TT_SCAN_DEFAULT, error);
  GError *failure = NULL;
  TtEvent span;

  if (scan == NULL)
    return FALSE;
  if (self->first > 0 || self->last < G_MAXUINT64)
    tt_event_scan_limit (scan, self->first, self->last);
  const WaitRecord *record = tt_sorter_next (self->waits, &failure);
  while (record != NULL && tt_event_scan_next (scan, &span))
    {
      for (; record != NULL && record->event == span.id; record = tt_sorter_next (self->waits, &failure))
        add_wait (self, record, &span);
      while (record != NULL && record->event < span.id)
        record = tt_sorter_next (self->waits, &failure);
    }
  if (failure != NULL)
    g_propagate_error (error, failure);
  return tt_event_scan_finish (scan, failure == NULL ? error : NULL) && failure == NULL;
}

static gboolean
collect_messages (Collector *self, GError **error)
{
  if (!tt_store_each_message (self->store, on_message, self, error) || !tt_sorter_finish (self->waits, error))
    return FALSE;
  const guint64 n_events = tt_store_n_events (self->store), n_between = self->last - self->first;
  if (tt_sorter_count (self->waits) < (n_between < n_events ? n_between + 1 : n_events) / EVENTS_PER_LOOKUP)
    return look_up_waits (self, error);
  return scan_waits (self, error);
}

/* -- collectives --------------------------------------------------------------------------------- */

static TtCommCollective *
current_collective (Collector *self)
{
  return &g_array_index (self->comm->collectives, TtCommCollective, self->comm->collectives->len - 1);
}

static void
add_spread (TtCommCollective *collective, gint64 spread_ns)
{
  collective->min_spread_ns = collective->n_spreads == 0 ? spread_ns : MIN (collective->min_spread_ns, spread_ns);
  collective->max_spread_ns = collective->n_spreads == 0 ? spread_ns : MAX (collective->max_spread_ns, spread_ns);
  collective->spread_ns += spread_ns;
  collective->n_spreads++;
}

/* All arrivals of the call are known. */
static void
end_call (Collector *self)
{
  GArray *arrivals = self->arrivals;
  guint n_processes = 0;

  if (arrivals->len == 0 || !self->call_is_selected)
    {
      g_array_set_size (arrivals, 0);
      return;
    }

  TtCommCollective *collective = current_collective (self);
  const Arrival *first = &g_array_index (arrivals, Arrival, 0), *last = first;
  for (guint i = 0; i < arrivals->len; i++)
    {
      const Arrival *arrival = &g_array_index (arrivals, Arrival, i);
      first = arrival->begin_ns < first->begin_ns ? arrival : first;
      last = arrival->begin_ns > last->begin_ns ? arrival : last;
      n_processes += i == 0 || arrival->process != (arrival - 1)->process;
    }

  collective->n_calls++;
  collective->n_processes = MAX (collective->n_processes, n_processes);
  for (guint i = 0; i < arrivals->len; i++)
    {
      const Arrival *arrival = &g_array_index (arrivals, Arrival, i);
      gint64 wait_ns = MAX (0, MIN (last->begin_ns, arrival->end_ns) - arrival->begin_ns);
      collective->wait_ns += wait_ns;
      process_at (self, arrival->process)->collective_wait_ns += wait_ns;
      process_at (self, arrival->process)->n_collectives++;
    }
  if (n_processes > 1)
    {
      add_spread (collective, tt_time_since (last->begin_ns, first->begin_ns));
      if (last->process >= self->n_last->len)
        g_array_set_size (self->n_last, last->process + 1);
      g_array_index (self->n_last, guint64, last->process)++;
    }
  g_array_set_size (arrivals, 0);
}

static void
end_function (Collector *self)
{
  end_call (self);
  if (self->comm->collectives->len == 0)
    return;

  TtCommCollective *collective = current_collective (self);
  for (guint32 process = 0; process < self->n_last->len; process++)
    {
      guint64 n = g_array_index (self->n_last, guint64, process);
      if (n > collective->n_last)
        {
          collective->n_last = n;
          collective->last_process = process;
        }
    }
  g_array_set_size (self->n_last, 0);
  if (collective->n_calls == 0)
    {
      g_free (collective->function);
      g_array_set_size (self->comm->collectives, self->comm->collectives->len - 1);
    }
}

static gboolean
on_collective (const TtCollective *row, gpointer data)
{
  Collector *self = data;
  GArray *collectives = self->comm->collectives;

  if (collectives->len == 0 || !g_str_equal (current_collective (self)->function, row->function))
    {
      end_function (self);
      const TtCommCollective collective = { .function = g_strdup (row->function) };
      g_array_append_val (collectives, collective);
      self->call_is_selected = FALSE;
    }
  else if (row->comm != self->call_comm || row->ordinal != self->call_ordinal)
    {
      end_call (self);
      self->call_is_selected = FALSE;
    }

  const Arrival arrival = {
    .process = row->process,
    .begin_ns = row->ts_ns,
    .end_ns = row->dur_ns == TT_NO_TIME ? row->ts_ns : row->ts_ns + row->dur_ns,
  };
  g_array_append_val (self->arrivals, arrival);
  self->call_comm = row->comm;
  self->call_ordinal = row->ordinal;
  self->call_is_selected |=
      self->selection == NULL || tt_selection_matches_point (self->selection, row->thread, row->ts_ns);
  return TRUE;
}

/* -- public -------------------------------------------------------------------------------------- */

/* By rank, those without one last. */
static int
compare_processes (gconstpointer a, gconstpointer b, gpointer data)
{
  const TtCommProcess *process_a = a, *process_b = b;

  return tt_process_order (data, process_a->process, process_b->process);
}

static void
keep_busy_processes (TtComm *comm, TtStore *store, const GArray *processes)
{
  for (guint32 id = 0; id < processes->len; id++)
    {
      TtCommProcess process = g_array_index (processes, TtCommProcess, id);

      process.process = id;
      if (process.n_messages + process.n_collectives > 0)
        g_array_append_val (comm->processes, process);
    }
  g_array_sort_with_data (comm->processes, compare_processes, store);
}

TtComm *
tt_comm_new_part (TtStore *store,
                  const TtSelection *selection,
                  guint64 first,
                  guint64 last,
                  gboolean with_collectives,
                  GError **error)
{
  g_autoptr (TtComm) comm = g_new0 (TtComm, 1);
  g_autoptr (TtSorter) waits = tt_sorter_new (sizeof (WaitRecord), SORT_MEMORY);
  g_autoptr (GArray) processes = g_array_new (FALSE, TRUE, sizeof (TtCommProcess));
  g_autoptr (GArray) arrivals = g_array_new (FALSE, FALSE, sizeof (Arrival));
  g_autoptr (GArray) n_last = g_array_new (FALSE, TRUE, sizeof (guint64));
  Collector self = {
    .comm = comm,
    .store = store,
    .selection = selection,
    .waits = waits,
    .first = first,
    .last = last,
    .processes = processes,
    .arrivals = arrivals,
    .n_last = n_last,
  };

  comm->pairs = g_array_new (FALSE, TRUE, sizeof (TtCommPair));
  comm->processes = g_array_new (FALSE, TRUE, sizeof (TtCommProcess));
  comm->collectives = g_array_new (FALSE, TRUE, sizeof (TtCommCollective));
  if (!collect_messages (&self, error) ||
      (with_collectives && !tt_store_each_collective (store, on_collective, &self, error)))
    return NULL;
  end_function (&self);
  keep_busy_processes (comm, store, processes);
  return g_steal_pointer (&comm);
}

TtComm *
tt_comm_new (TtStore *store, const TtSelection *selection, GError **error)
{
  return tt_comm_new_part (store, selection, 0, G_MAXUINT64, TRUE, error);
}

/* -- parts --------------------------------------------------------------------------------------- */

void
tt_comm_pack_waits (const TtComm *self, GByteArray *bytes)
{
  tt_pack_number (bytes, self->pairs->len);
  for (guint i = 0; i < self->pairs->len; i++)
    tt_pack_wide (bytes, (tt_uint128) g_array_index (self->pairs, TtCommPair, i).sums.wait_ns);
}

void
tt_comm_unpack_waits (TtComm *self, TtUnpack *from)
{
  TtMap64 places = { 0 };

  for (guint i = 0; i < self->processes->len; i++)
    tt_map64_set (&places, g_array_index (self->processes, TtCommProcess, i).process, i);
  from->is_bad |= tt_unpack_number (from) != self->pairs->len;
  for (guint i = 0; i < self->pairs->len && !from->is_bad; i++)
    {
      TtCommPair *pair = &g_array_index (self->pairs, TtCommPair, i);
      const tt_int128 wait_ns = (tt_int128) tt_unpack_wide (from);

      if (wait_ns == 0)
        continue;
      pair->sums.wait_ns += wait_ns;
      self->all.wait_ns += wait_ns;
      const guint32 place = tt_map64_get (&places, pair->dst);
      if (place != TT_MAP64_NONE)
        g_array_index (self->processes, TtCommProcess, place).message_wait_ns += wait_ns;
    }
  tt_map64_clear (&places);
}

void
tt_comm_free (TtComm *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->collectives->len; i++)
    g_free (g_array_index (self->collectives, TtCommCollective, i).function);
  g_array_unref (self->pairs);
  g_array_unref (self->processes);
  g_array_unref (self->collectives);
  g_free (self);
}
