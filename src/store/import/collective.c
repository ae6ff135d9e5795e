/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/import/join.h"

#include "src/store/import/call-rows.h"
#include "src/store/import/told-calls.h"

#include "src/base/id-table.h"
#include "src/base/key-sort.h"
#include "src/base/readers.h"
#include "src/base/sorter.h"
#include "src/trace/communicator.h"

#define SORT_BYTES ((gsize) 4 << 20)

/* Of spans that do not end in the order in which they begin. */
#define FLAGS_OUT_OF_ORDER (TT_FLAGS_BOUNDED | TT_FLAG_OVERLAP)

enum
{
  FIELD_FUNCTION,
  FIELD_PROCESS,
  FIELD_SEQUENCE,
  FIELD_ORDER,
  FIELD_THREAD,
  FIELD_EVENT,
  N_FIELDS,
};

enum
{
  ROW_FUNCTION,
  ROW_ORDINAL,
  ROW_PROCESS,
  ROW_THREAD,
  N_ROW_FIELDS,
};

/* Numbers of the source may come twice on a rank: the next of a kind are this far apart. */
#define SAME_SEQUENCE ((gint64) 1 << 32)
#define MAX_SAME_SEQUENCE ((gint64) 1 << 20)

/* The calls of one function, where records are lost. */
typedef struct
{
  guint64 n_least, n_most; /* of a process that lost nothing */
  guint n_whole;           /* such processes */
} Known;

typedef struct
{
  const TtLostOrder *lost;
  GHashTable *processes; /* that lost something and have calls of any function */
  guint64 *n_sure;       /* by function: rounds that are known for all; NULL: nothing is lost */
  GArray *lossy;         /* of guint64: pairs of all and sure calls, of the function so far */
  Known known;
  guint64 n, n_before; /* calls of the process so far, and those before it lost something */
} Losses;

struct _TtCollectives
{
  TtSpool *spool;
  TtCallFunctions functions;
  TtIdTable processes; /* guint32 by thread; 0: not known */
  gboolean has_roots;  /* some are told */

  /* From tt_collectives_sort() on, all of it the thread's while there is one. */
  gboolean has_old;  /* rows of the run may be there */
  TtSpool *old;      /* their calls */
  GPtrArray *ranked; /* functions in the order of the table */
  Losses losses;
  GThread *sorting; /* NULL: none is at work */
  TtKeySort *rows;  /* NULL: @failure */
  GError *failure;
};

static void
call_fields (const void *record, guint64 *fields)
{
  const TtCallRow *call = record;

  fields[FIELD_FUNCTION] = call->function;
  fields[FIELD_PROCESS] = call->process;
  fields[FIELD_SEQUENCE] = tt_sort_key (call->sequence);
  fields[FIELD_ORDER] = tt_sort_key (call->order_ns);
  fields[FIELD_THREAD] = call->thread;
  fields[FIELD_EVENT] = call->event;
}

static void
row_fields (const void *record, guint64 *fields)
{
  const TtCallRow *call = record;

  fields[ROW_FUNCTION] = call->function;
  fields[ROW_ORDINAL] = (guint64) call->ordinal;
  fields[ROW_PROCESS] = call->process;
  fields[ROW_THREAD] = call->thread;
}

TtCollectives *
tt_collectives_new (void)
{
  TtCollectives *self = g_new0 (TtCollectives, 1);

  self->spool = tt_spool_new (sizeof (TtCallRow));
  tt_call_functions_init (&self->functions);
  self->processes.row_size = sizeof (guint32);
  return self;
}

void
tt_collectives_define_thread (TtCollectives *self, guint32 thread, guint32 process)
{
  *(guint32 *) tt_id_table_at (&self->processes, thread) = process;
}

void
tt_collectives_define_name (TtCollectives *self, guint32 name, const char *op_name, gint64 comm)
{
  tt_call_functions_define (&self->functions, name, op_name, comm);
}

static void
add_call (TtCollectives *self, guint32 name, guint32 thread, gint64 ts_ns, guint32 flags, guint64 event)
{
  const TtCallFunction *function = tt_call_functions_of_name (&self->functions, name);
  guint32 process = function == NULL ? TT_NO_ID : *(guint32 *) tt_id_table_at (&self->processes, thread);

  if (process == TT_NO_ID)
    return;
  TtCallRow call = {
    .function = function->index,
    .process = process,
    .thread = thread,
    .order_ns = ts_ns,
    .keeps_order = (flags & FLAGS_OUT_OF_ORDER) != 0,
    .event = event,
    .sequence = -1,
  };
  tt_spool_add (self->spool, &call);
}

void
tt_collectives_add (TtCollectives *self, const TtBatch *batch)
{
  const TtEventColumns *events = &batch->events;

  for (guint i = 0; i < events->n; i++)
    if (G_UNLIKELY (events->flags[i] & TT_FLAG_COLLECTIVE))
      add_call (self, events->name[i], events->thread[i], events->ts_ns[i], events->flags[i], events->first_event + i);
}

/* -- what is told of calls ------------------------------------------------------------------------------ */

/* @told, of which there is some, wins over what names say. */
gboolean
tt_collectives_tell (TtCollectives *self, TtToldCalls *told, TtOwners *owners, GError **error)
{
  g_autoptr (TtSpool) spool = tt_spool_new (sizeof (TtCallRow));
  GError *failure = NULL;

  if (!tt_told_calls_sort (told, owners, error))
    return FALSE;
  for (guint64 i = 0; i < tt_spool_count (self->spool) && failure == NULL; i++)
    {
      TtCallRow call;
      tt_spool_get (self->spool, i, &call);
      const TtToldCall *of_call = tt_told_calls_find (told, call.event, &failure);
      const TtCallFunction *function = tt_call_function_at (self->functions.all, call.function);
      if (of_call != NULL)
        {
          call.root = of_call->root;
          self->has_roots |= call.root != TT_NO_ID;
          call.sequence = of_call->sequence;
        }
      if (of_call != NULL && of_call->comm >= 0 && of_call->comm != function->comm)
        call.function = tt_call_functions_find (&self->functions, function->name, function->text, of_call->comm)->index;
      tt_spool_add (spool, &call);
    }
  if (!tt_store_finish (failure, error) || !tt_spool_check (self->spool, error))
    return FALSE;
  TtSpool *before = self->spool;
  self->spool = g_steal_pointer (&spool);
  tt_spool_free (before);
  return TRUE;
}

/* -- joining -------------------------------------------------------------------------------------------- */

/* The calls of the run so far come before the new ones: their events are older. */
static gboolean
read_old_calls (TtCollectives *self, TtConnection *connection, guint32 run, TtSpool *all, GError **error)
{
  g_autoptr (sqlite3_stmt) row = tt_connection_prepare (
      connection,
      "SELECT e.name, c.process, c.thread, e.ts_ns, e.id, c.root, c.comm, c.flags & ~8 = 0, e.shape,"
      " CASE WHEN c.flags & 8 THEN c.ordinal & 0xffffffff ELSE -1 END"
      " FROM collective_row c"
      " CROSS JOIN event_row e ON e.id = c.event WHERE c.run = ?1 ORDER BY c.event",
      error);
  GError *failure = NULL;

  if (row == NULL)
    return FALSE;
  sqlite3_bind_int64 (row, 1, run);
  while (tt_connection_step (connection, row, &failure))
    {
      const TtCallFunction *function =
          tt_call_functions_of_name (&self->functions, (guint32) sqlite3_column_int64 (row, 0));
      gboolean is_told = sqlite3_column_int64 (row, 7) != 0;
      gint64 comm = sqlite3_column_int64 (row, 6);
      TtCallRow call = {
        .process = (guint32) sqlite3_column_int64 (row, 1),
        .thread = (guint32) sqlite3_column_int64 (row, 2),
        .order_ns = sqlite3_column_int64 (row, 3),
        .keeps_order = (sqlite3_column_int64 (row, 8) & FLAGS_OUT_OF_ORDER) != 0,
        .event = (guint64) sqlite3_column_int64 (row, 4),
        .root = is_told ? (guint32) sqlite3_column_int64 (row, 5) : TT_NO_ID,
        .sequence = sqlite3_column_int64 (row, 9),
      };

      if (function == NULL)
        continue;
      if (is_told && !tt_comm_has_members (function->comm) && comm != function->comm)
        function = tt_call_functions_find (&self->functions, function->name, function->text, comm);
      call.function = function->index;
      self->has_roots |= call.root != TT_NO_ID;
      tt_spool_add (all, &call);
    }
  return tt_store_finish (failure, error);
}

static void
losses_init (Losses *self, const TtLostOrder *lost, guint n_functions)
{
  *self = (Losses){ .lost = lost };
  if (!tt_lost_order_has_any (lost))
    return;
  self->processes = g_hash_table_new (NULL, NULL);
  self->lossy = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->n_sure = g_new (guint64, (gsize) n_functions + 1);
  for (guint i = 0; i < n_functions; i++)
    self->n_sure[i] = G_MAXUINT64;
}

static void
losses_clear (Losses *self)
{
  g_clear_pointer (&self->processes, g_hash_table_unref);
  g_clear_pointer (&self->lossy, g_array_unref);
  g_clear_pointer (&self->n_sure, g_free);
}

static TtKeySort *
sort_calls (TtCollectives *self,
            const GPtrArray *ranked,
            TtSpool *const *spools,
            guint n_spools,
            Losses *losses,
            GError **error)
{
  g_autoptr (GArray) highest = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autofree guint8 *is_counted = g_new0 (guint8, (gsize) ranked->len + 1); /* some call has no number of the source */
  TtKeyRange ranges[N_FIELDS];
  TtKeySort *sort = NULL;
  guint64 fields[N_FIELDS];
  TtCallRow call;

  for (int i = 0; i < N_FIELDS; i++)
    ranges[i] = (TtKeyRange) TT_KEY_RANGE_INIT;
  tt_key_range_add (&ranges[FIELD_SEQUENCE], tt_sort_key (-1));
  for (int pass = 0; pass < 2; pass++)
    {
      for (guint s = 0; s < n_spools; s++)
        for (guint64 i = 0; i < tt_spool_count (spools[s]); i++)
          {
            tt_spool_get (spools[s], i, &call);
            call.function = tt_call_function_at (self->functions.all, call.function)->rank;
            if (pass == 0)
              {
                is_counted[call.function] |= call.sequence < 0;
                call_fields (&call, fields);
                for (int f = 0; f < N_FIELDS; f++)
                  tt_key_range_add (&ranges[f], fields[f]);
                if (losses->processes != NULL && tt_lost_order_is_lost (losses->lost, call.process, NULL))
                  g_hash_table_add (losses->processes, GUINT_TO_POINTER (call.process));
                continue;
              }
            if (is_counted[call.function])
              call.sequence = -1;
            if (!call.keeps_order)
              call.order_ns = tt_running_max (highest, call.thread, call.order_ns);
            tt_key_sort_add (sort, &call);
          }
      if (pass == 0)
        sort = tt_key_sort_new (sizeof (TtCallRow), N_FIELDS, ranges, call_fields, SORT_BYTES);
    }
  for (guint s = 0; s < n_spools; s++)
    if (!tt_spool_check (spools[s], error))
      g_clear_pointer (&sort, tt_key_sort_free);
  return sort;
}

static void
end_process (Losses *self, guint32 process)
{
  const guint64 both[] = { self->n, self->n_before };

  if (self->n == 0)
    return;
  if (tt_lost_order_is_lost (self->lost, process, NULL))
    g_array_append_vals (self->lossy, both, 2);
  else
    {
      self->known.n_least = self->known.n_whole == 0 ? self->n : MIN (self->known.n_least, self->n);
      self->known.n_most = MAX (self->known.n_most, self->n);
      self->known.n_whole++;
    }
  self->n = self->n_before = 0;
}

/* Who made as many calls as all that lost nothing has lost none of them. */
static void
end_function (Losses *self, guint32 function, gint64 comm)
{
  const Known *known = &self->known;
  guint64 n_sure = G_MAXUINT64;

  for (guint i = 0; i < self->lossy->len; i += 2)
    {
      guint64 n = g_array_index (self->lossy, guint64, i), n_before = g_array_index (self->lossy, guint64, i + 1);
      gboolean is_proven = known->n_whole > 0 && known->n_least == known->n_most && n == known->n_most;

      if (!is_proven)
        n_sure = MIN (n_sure, n_before);
    }
  /* Of one that is not there all may be lost; who is in a communicator of its own is not known. */
  if (comm == 0 && self->lossy->len / 2 < g_hash_table_size (self->processes))
    n_sure = 0;
  self->n_sure[function] = n_sure;
  g_array_set_size (self->lossy, 0);
  self->known = (Known){ 0 };
}

static void
count_call (Losses *self, const TtCallRow *call)
{
  gint64 after_ns;

  self->n++;
  self->n_before += !tt_lost_order_is_lost (self->lost, call->process, &after_ns) || call->order_ns <= after_ns ? 1 : 0;
}

/* @last: of its process, and perhaps of its function. */
static void
end_calls (Losses *self, const GPtrArray *ranked, const TtCallRow *last, gboolean is_last_of_function)
{
  end_process (self, last->process);
  if (is_last_of_function)
    end_function (self, last->function, tt_call_function_at (ranked, last->function)->shown);
}

/* The number of @call, which comes after @last, of the same function and process. */
static gint64
next_ordinal (const TtCallRow *last, const TtCallRow *call)
{
  if (call->sequence < 0)
    return last->ordinal + 1;
  return call->sequence != last->sequence ? call->sequence
                                          : MIN (last->ordinal + SAME_SEQUENCE, MAX_SAME_SEQUENCE * SAME_SEQUENCE);
}

/* Counts the calls of each function by each process; gives them in the order of the table. */
static TtKeySort *
number_calls (TtKeySort *calls, guint64 n, const GPtrArray *ranked, Losses *losses, GError **error)
{
  guint32 n_functions = ranked->len;
  const TtKeyRange ranges[N_ROW_FIELDS] = {
    { 0, n_functions },
    { 0, MAX (n, (guint64) (TT_MAX_CALL_SEQUENCE + MAX_SAME_SEQUENCE * SAME_SEQUENCE)) },
    { 0, G_MAXUINT32 },
    { 0, G_MAXUINT32 },
  };
  g_autoptr (TtKeySort) rows = tt_key_sort_new (sizeof (TtCallRow), N_ROW_FIELDS, ranges, row_fields, SORT_BYTES);
  GError *failure = NULL;
  const TtCallRow *call;
  TtCallRow last = { .ordinal = -1 };

  if (!tt_key_sort_finish (calls, error))
    return NULL;
  while ((call = tt_key_sort_next (calls, &failure)) != NULL)
    {
      gboolean is_next = last.ordinal >= 0 && call->function == last.function && call->process == last.process;
      gint64 ordinal = is_next ? next_ordinal (&last, call) : MAX (call->sequence, 0);

      if (losses->n_sure != NULL && !is_next && last.ordinal >= 0)
        end_calls (losses, ranked, &last, call->function != last.function);
      last = *call;
      last.ordinal = ordinal;
      if (losses->n_sure != NULL)
        count_call (losses, &last);
      tt_key_sort_add (rows, &last);
    }
  if (losses->n_sure != NULL && last.ordinal >= 0)
    end_calls (losses, ranked, &last, TRUE);
  if (!tt_store_finish (failure, error) || !tt_key_sort_finish (rows, error))
    return NULL;
  return g_steal_pointer (&rows);
}

static gpointer
sort_rows (gpointer data)
{
  TtCollectives *self = data;
  TtSpool *const spools[] = { self->old, self->spool };
  guint64 n = tt_spool_count (self->old) + tt_spool_count (self->spool);
  g_autoptr (TtKeySort) calls =
      sort_calls (self, self->ranked, spools, G_N_ELEMENTS (spools), &self->losses, &self->failure);

  if (calls != NULL)
    self->rows = number_calls (calls, n, self->ranked, &self->losses, &self->failure);
  return NULL;
}

gboolean
tt_collectives_sort (TtCollectives *self,
                     TtConnection *connection,
                     guint32 run,
                     gboolean again,
                     const TtLostOrder *lost,
                     GError **error)
{
  self->has_old = again;
  self->old = tt_spool_new (sizeof (TtCallRow));
  self->ranked = g_ptr_array_new ();
  if (!tt_id_table_check (&self->processes, error))
    return FALSE;
  if (again && !read_old_calls (self, connection, run, self->old, error))
    return FALSE;
  tt_call_functions_rank (&self->functions, self->ranked);
  losses_init (&self->losses, lost, self->ranked->len);
  if (tt_readers_pay (tt_spool_count (self->old) + tt_spool_count (self->spool)))
    self->sorting = g_thread_try_new ("calls", sort_rows, self, NULL);
  if (self->sorting == NULL)
    sort_rows (self);
  return TRUE;
}

gboolean
tt_collectives_write (TtCollectives *self, TtConnection *connection, guint32 run, guint64 *n_unsure, GError **error)
{
  gint64 this_run = run;

  g_clear_pointer (&self->sorting, g_thread_join);
  if (self->rows == NULL)
    {
      g_propagate_error (error, g_steal_pointer (&self->failure));
      return FALSE;
    }
  if (self->has_old &&
      !tt_connection_exec_ints (connection, "DELETE FROM collective_row WHERE run = ?1", &this_run, 1, error))
    return FALSE;
  const TtCallRows writer = { self->ranked, self->losses.n_sure, connection, run, self->has_roots };
  return tt_call_rows_write (&writer, self->rows, n_unsure, error);
}

void
tt_collectives_free (TtCollectives *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->sorting, g_thread_join);
  g_clear_pointer (&self->rows, tt_key_sort_free);
  g_clear_error (&self->failure);
  g_clear_pointer (&self->ranked, g_ptr_array_unref);
  losses_clear (&self->losses);
  tt_spool_free (self->old);
  tt_spool_free (self->spool);
  tt_call_functions_clear (&self->functions);
  tt_id_table_clear (&self->processes);
  g_free (self);
}
