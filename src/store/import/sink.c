/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "src/base/failure.h"
#include "src/store/event-blocks.h"
#include "src/store/import/private.h"
#include "src/store/import/told-calls.h"
#include "src/store/words.h"
#include "src/trace/span.h"

/* The back of the store's sink: definitions row by row, rows a batch at a time. */

#define N_FLAG_SETS (1u << TT_SCHEMA_SHAPE_BITS)

typedef struct
{
  TtSinkBack back;
  TtStoreImport *import;
} StoreBack;

static const char *const define_sql[] = {
  [TT_DEFINE_SOURCE] = "INSERT INTO source_row (id, run, format, path, clock, n_events, options, schema)"
                       " VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6, " G_STRINGIFY (TT_SCHEMA_VERSION) ")",
  [TT_DEFINE_SOURCE_END] =
      "UPDATE source_row SET bytes = ?2, hash = ?3, clock = ?4, n_events = ?5, repairs = ?6, first_event = ?7,"
      " last_event = ?8, first_counter = ?9, last_counter = ?10, first_metric = ?11, last_metric = ?12,"
      " first_flow = ?13, last_flow = ?14, first_args = ?15, last_args = ?16, first_activity = ?17,"
      " last_activity = ?18, first_ns = ?19, last_ns = ?20,"
      " n_args = ?21"
      " WHERE id = ?1",
  [TT_DEFINE_PROCESS] = "INSERT INTO process_row (id, run, pid, label, node, rank) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
  [TT_DEFINE_THREAD] = "INSERT INTO thread_row (id, process, tid, label, position) VALUES (?1, ?2, ?3, ?4, ?5)",
  [TT_DEFINE_NAME] =
      "INSERT INTO name_row (id, run, op_cat, op_name, sub_op, suffix, text, raw, native_group, file, line,"
      " is_collective) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
  [TT_DEFINE_SERIES] = "INSERT INTO series_row (id, run, name, unit, is_monotonic) VALUES (?1, ?2, ?3, ?4, ?5)",
  [TT_DEFINE_METADATA] =
      "INSERT INTO metadata_row (process, thread, key, value, source) VALUES (?1, ?2, ?3, ?4, ?5)"
      " ON CONFLICT (process, thread, key) DO UPDATE SET value = excluded.value, source = excluded.source",
  [TT_DEFINE_PROCESS_LABEL] =
      "UPDATE process_row SET label = ifnull (?3, label), rank = ifnull (?4, rank) WHERE id = ?1 AND run = ?2",
  [TT_DEFINE_PROCESS_OWNER] = "UPDATE process_row SET owner = ?3 WHERE id = ?1 AND run = ?2",
  [TT_DEFINE_THREAD_LABEL] = "UPDATE thread_row SET label = ifnull (?3, label), position = ifnull (?4, position)"
                             " WHERE id = ?1",
  [TT_DEFINE_PARAMETER] = "INSERT INTO parameter_row (run, tensor_id, update_id, tensor_name, shape, dtype, source,"
                          " source_row) VALUES (?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
};

static void
bind_or_null (sqlite3_stmt *statement, int index, gint64 value, gint64 none)
{
  if (value == none)
    sqlite3_bind_null (statement, index);
  else
    sqlite3_bind_int64 (statement, index, value);
}

static void
bind_source_end (TtStoreImport *self, const TtDefinition *definition, const TtBatch *batch, sqlite3_stmt *statement)
{
  const TtSourceState *source = &self->source;
  TtRepairs repairs = batch->repairs;
  int index = 7;

  sqlite3_bind_int64 (statement, 2, definition->a);
  tt_store_bind_text (statement, 3, tt_batch_text (batch, definition->text[0]));
  tt_store_bind_text (statement, 4, tt_clock_text ((TtClock) definition->c));
  sqlite3_bind_int64 (statement, 5, definition->b);
  tt_repairs_merge (&repairs, &self->repairs);
  sqlite3_bind_text (statement, 6, tt_repairs_to_json (&repairs), -1, g_free);
  for (int i = 0; i <= TT_INSERT_ACTIVITIES; i++)
    {
      tt_store_bind_event (statement, index++, source->first[i]);
      tt_store_bind_event (statement, index++, source->last[i]);
    }
  tt_store_bind_time (statement, index++, source->first_ns);
  tt_store_bind_time (statement, index++, source->last_ns);
  sqlite3_bind_int64 (statement, index, (gint64) source->n_args);
}

static const TtNameText name_texts[] = {
  TT_NAME_OP_CAT, TT_NAME_OP_NAME, TT_NAME_SUB_OP, TT_NAME_SUFFIX,
  TT_NAME_TEXT,   TT_NAME_RAW,     TT_NAME_GROUP,  TT_NAME_FILE,
};

static void
bind_name (const TtDefinition *definition, const TtBatch *batch, sqlite3_stmt *statement)
{
  for (guint i = 0; i < G_N_ELEMENTS (name_texts); i++)
    tt_store_bind_text (statement, 3 + (int) i, tt_batch_text (batch, definition->text[name_texts[i]]));
  bind_or_null (statement, 11, definition->a, 0);
  sqlite3_bind_int64 (statement, 12, definition->b);
}

static void
bind_definition (TtStoreImport *self, const TtDefinition *definition, const TtBatch *batch, sqlite3_stmt *statement)
{
  const char *text[3];

  for (int i = 0; i < 3; i++)
    text[i] = tt_batch_text (batch, definition->text[i]);
  sqlite3_bind_int64 (statement, 1, definition->id);
  sqlite3_bind_int64 (statement, 2, self->run);
  switch (definition->kind)
    {
    case TT_DEFINE_SOURCE:
      tt_store_bind_text (statement, 3, text[0]);
      tt_store_bind_text (statement, 4, text[1]);
      tt_store_bind_text (statement, 5, tt_clock_text ((TtClock) definition->a));
      tt_store_bind_text (statement, 6, self->options);
      break;
    case TT_DEFINE_SOURCE_END:
      bind_source_end (self, definition, batch, statement);
      break;
    case TT_DEFINE_PROCESS:
      for (int i = 0; i < 3; i++)
        tt_store_bind_text (statement, 3 + i, text[i]);
      bind_or_null (statement, 6, definition->a, -1);
      break;
    case TT_DEFINE_THREAD:
      sqlite3_bind_int64 (statement, 2, definition->parent);
      tt_store_bind_text (statement, 3, text[0]);
      tt_store_bind_text (statement, 4, text[1]);
      sqlite3_bind_int64 (statement, 5, definition->a);
      break;
    case TT_DEFINE_NAME:
      bind_name (definition, batch, statement);
      break;
    case TT_DEFINE_SERIES:
      tt_store_bind_text (statement, 3, text[0]);
      tt_store_bind_text (statement, 4, text[1]);
      sqlite3_bind_int64 (statement, 5, definition->a);
      break;
    case TT_DEFINE_METADATA:
      sqlite3_bind_int64 (statement, 1, definition->parent);
      sqlite3_bind_int64 (statement, 2, definition->id);
      tt_store_bind_text (statement, 3, text[0]);
      tt_store_bind_text (statement, 4, text[1]);
      sqlite3_bind_int64 (statement, 5, self->source.id);
      break;
    case TT_DEFINE_PROCESS_OWNER:
      sqlite3_bind_int64 (statement, 3, definition->parent);
      break;
    case TT_DEFINE_PROCESS_LABEL:
    case TT_DEFINE_THREAD_LABEL:
      tt_store_bind_text (statement, 3, text[0]);
      bind_or_null (statement, 4, definition->a, -1);
      break;
    case TT_DEFINE_PARAMETER:
      sqlite3_bind_int64 (statement, 3, definition->a);
      bind_or_null (statement, 4, definition->b, -1);
      for (int i = 0; i < 4; i++)
        tt_store_bind_text (statement, 5 + i, tt_batch_text (batch, definition->text[i]));
      sqlite3_bind_int64 (statement, 9, self->source.id);
      break;
    case TT_N_DEFINITIONS:
      g_return_if_reached ();
    }
}

/* What the other parts of an import learn from a definition. */
static void
note_definition (TtStoreImport *self, const TtDefinition *definition, const TtBatch *batch)
{
  if (definition->kind == TT_DEFINE_SOURCE)
    {
      self->source = (TtSourceState){ .id = definition->id, .first_ns = TT_NO_TIME, .last_ns = TT_NO_TIME };
      self->repairs = (TtRepairs){ 0 };
    }
  else if (definition->kind == TT_DEFINE_SOURCE_END)
    {
      TtSourceKey key = {
        .id = definition->id,
        .run = self->run,
        .bytes = (guint64) definition->a,
        .hash = g_strdup (tt_batch_text (batch, definition->text[0])),
      };
      g_array_append_val (self->keys, key);
    }
  else if (definition->kind == TT_DEFINE_THREAD)
    tt_trust_tally_thread (self->trust, definition->id, definition->parent);
}

static gboolean
write_trust (TtStoreImport *self, const TtDefinition *definition, const TtBatch *batch, GError **error)
{
  TtRepairs repairs = batch->repairs;

  tt_repairs_merge (&repairs, &self->repairs);
  return tt_trust_tally_write (self->trust, self->connection, self->run, definition->id, &repairs, batch->repaired,
                               error);
}

/* *is_taken FALSE: by the statement. */
static gboolean
write_name (TtStoreImport *self,
            const TtDefinition *definition,
            const TtBatch *batch,
            gboolean *is_taken,
            GError **error)
{
  TtRowValue values[TT_NAME_COLUMNS] = { tt_row_int (definition->id), tt_row_int (self->run) };

  for (guint i = 0; i < G_N_ELEMENTS (name_texts); i++)
    {
      const char *text = tt_batch_text (batch, definition->text[name_texts[i]]);

      if (text != NULL)
        values[2 + i] = (TtRowValue){ .type = TT_ROW_TEXT, .n_bytes = (guint32) strlen (text), .text = text };
    }
  values[10] = tt_row_int_or_null (definition->a, 0);
  values[11] = tt_row_int (definition->b);
  return tt_insert_name (self->insert, definition->id, values, is_taken, error);
}

static gboolean
take_definition (TtStoreImport *self, const TtDefinition *definition, const TtBatch *batch, GError **error)
{
  sqlite3_stmt **statement = &self->define[definition->kind];
  GError *failure = NULL;

  if (*statement == NULL)
    *statement = tt_connection_prepare (self->connection, define_sql[definition->kind], error);
  if (*statement == NULL || (definition->kind == TT_DEFINE_SOURCE_END && !tt_store_import_join_flows (self, error)))
    return FALSE;
  note_definition (self, definition, batch);
  gboolean is_taken = FALSE;
  if (definition->kind == TT_DEFINE_NAME && !write_name (self, definition, batch, &is_taken, error))
    return FALSE;
  if (is_taken)
    return TRUE;
  bind_definition (self, definition, batch, *statement);
  tt_connection_step (self->connection, *statement, &failure);
  sqlite3_reset (*statement);
  return tt_store_finish (failure, error) &&
         (definition->kind != TT_DEFINE_SOURCE_END || write_trust (self, definition, batch, error));
}

/* Every set of flags that occurs has its text in a table of its own. */
static gboolean
take_flags (TtStoreImport *self, const TtEventColumns *events, GError **error)
{
  for (guint i = 0; i < events->n; i++)
    {
      guint32 flags = events->flags[i] % N_FLAG_SETS;
      GError *failure = NULL;

      if (G_LIKELY (self->flags_known[flags]))
        continue;
      self->flags_known[flags] = 1;
      if (self->define_flags == NULL)
        self->define_flags = tt_connection_prepare (self->connection,
                                                    "INSERT OR IGNORE INTO flag_row (id, text) VALUES (?1, ?2)", error);
      if (self->define_flags == NULL)
        return FALSE;
      sqlite3_bind_int64 (self->define_flags, 1, flags);
      tt_store_bind_text (self->define_flags, 2, tt_word_of_flags (flags));
      tt_connection_step (self->connection, self->define_flags, &failure);
      sqlite3_reset (self->define_flags);
      if (failure != NULL)
        return tt_store_finish (failure, error);
    }
  return TRUE;
}

static void
widen_times (TtSourceState *source, gint64 first_ns, gint64 last_ns)
{
  source->first_ns = source->first_ns == TT_NO_TIME ? first_ns : MIN (source->first_ns, first_ns);
  source->last_ns = MAX (source->last_ns, last_ns);
}

/* First begin and last end; where there are no events the first is after the last. */
static void
find_times (const TtEventColumns *events, gint64 *first_ns, gint64 *last_ns)
{
  *first_ns = G_MAXINT64;
  *last_ns = G_MININT64;
  for (guint i = 0; i < events->n; i++)
    {
      gint64 dur_ns = events->dur_ns[i] == TT_NO_TIME ? 0 : events->dur_ns[i];

      *first_ns = MIN (*first_ns, events->ts_ns[i]);
      *last_ns = MAX (*last_ns, tt_span_end (events->ts_ns[i], dur_ns));
    }
}

/* @first_ns, @last_ns: of its events. */
static void
take_times (TtSourceState *source, const TtBatch *batch, gint64 first_ns, gint64 last_ns)
{
  for (guint i = 0; i < batch->counters.n; i++)
    {
      first_ns = MIN (first_ns, batch->counters.ts_ns[i]);
      last_ns = MAX (last_ns, batch->counters.ts_ns[i]);
    }
  for (guint i = 0; i < batch->halves.n; i++)
    {
      first_ns = MIN (first_ns, batch->halves.ts_ns[i]);
      last_ns = MAX (last_ns, batch->halves.ts_ns[i]);
    }
  if (first_ns <= last_ns)
    widen_times (source, first_ns, last_ns);
}

static gboolean
resume_args (TtStoreImport *self, GError **error)
{
  return !tt_store_args_changed (self->args) || (tt_insert_resume_kind (self->insert, TT_INSERT_ARGS, error) &&
                                                 tt_insert_resume_kind (self->insert, TT_INSERT_FILLED_ARGS, error));
}

/* What belongs to a source are all ids it used, whether their rows come here, go elsewhere or are merged. */
static gboolean
take_args (TtStoreImport *self, TtBatch *batch, GError **error)
{
  const TtArgsColumns *args = &batch->args;

  if (args->n > 0)
    tt_store_import_note_rows (&self->source, TT_INSERT_ARGS, args->id[0], args->id[args->n - 1]);
  if (tt_store_args_are_pieces (batch) && !tt_insert_settle (self->insert, error))
    return FALSE;
  if (!tt_store_args_take (self->args, batch, &self->source.n_args, error))
    return FALSE;
  return resume_args (self, error);
}

/* All but activity, which waits for the end of the source. */
static gboolean
insert_rows (TtStoreImport *self, const TtBatch *batch, GError **error)
{
  for (int kind = 0; kind < TT_N_INSERTS; kind++)
    if (kind != TT_INSERT_ACTIVITIES && !tt_store_import_insert (self, (TtInsertKind) kind, batch, error))
      return FALSE;
  for (guint i = 0; i < batch->flows.n; i++)
    tt_activity_join_link (self->activities, batch->flows.from_event[i], batch->flows.to_event[i],
                           batch->flows.kind[i]->link);
  tt_activity_join_add (self->activities, &batch->activities);
  return TRUE;
}

static gboolean
merge_args (TtStoreImport *self, const TtBatch *batch, GError **error)
{
  if (tt_store_args_wait (self->args) && (!tt_insert_settle_kind (self->insert, TT_INSERT_ARGS, error) ||
                                          !tt_insert_settle_kind (self->insert, TT_INSERT_FILLED_ARGS, error)))
    return FALSE;
  return tt_store_args_merge (self->args, batch, &self->source.n_args, error) && resume_args (self, error);
}

gboolean
tt_store_import_take (TtStoreImport *self, TtBatch *batch, GError **error)
{
  gint64 first_ns, last_ns;

  self->is_changed = TRUE;
  find_times (&batch->events, &first_ns, &last_ns);
  for (guint i = 0; i < batch->definitions->len; i++)
    if (!take_definition (self, &g_array_index (batch->definitions, TtDefinition, i), batch, error))
      return FALSE;
  if (!take_flags (self, &batch->events, error) || !take_args (self, batch, error) ||
      !insert_rows (self, batch, error) ||
      !tt_event_blocks_write (self->connection, &self->insert_block, &batch->events, first_ns, last_ns, error) ||
      !merge_args (self, batch, error))
    return FALSE;
  if (!tt_store_import_tasks (self, batch, error))
    return FALSE;
  tt_owners_add (self->owners, batch);
  tt_flow_join_add (self->flows, &batch->points);
  tt_trust_tally_add (self->trust, batch);
  take_times (&self->source, batch, first_ns, last_ns);
  return TRUE;
}

void
tt_store_import_release (TtStoreImport *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->define); i++)
    g_clear_pointer (&self->define[i], sqlite3_finalize);
  g_clear_pointer (&self->define_flags, sqlite3_finalize);
  g_clear_pointer (&self->insert_block, sqlite3_finalize);
  g_clear_pointer (&self->insert_task, sqlite3_finalize);
  g_clear_pointer (&self->insert_task_edge, sqlite3_finalize);
  g_clear_pointer (&self->args, tt_store_args_free);
  g_clear_pointer (&self->insert, tt_insert_free);
}

/* -- what is joined at the end --------------------------------------------------------------------------- */

/* A TtBatchObserver. It shares nothing with what writes rows, which may be at work on the batch before. */
static void
gather (const TtBatch *batch, gpointer data)
{
  TtStoreImport *self = data;

  for (guint i = 0; i < batch->definitions->len; i++)
    {
      const TtDefinition *definition = &g_array_index (batch->definitions, TtDefinition, i);

      if (definition->kind == TT_DEFINE_THREAD)
        tt_collectives_define_thread (self->collectives, definition->id, definition->parent);
      else if (definition->kind == TT_DEFINE_NAME && definition->b)
        tt_collectives_define_name (self->collectives, definition->id,
                                    tt_batch_text (batch, definition->text[TT_NAME_OP_NAME]), definition->b - 1);
    }
  tt_halves_add (self->halves, batch);
  tt_collectives_add (self->collectives, batch);
  tt_told_calls_add (self->told_calls, batch);
  tt_observed_spans_add (self->spans, batch);
}

/* -- the sink ------------------------------------------------------------------------------------------- */

static TtBatch *
store_write (TtSinkBack *back, TtBatch *batch, GError **error)
{
  TtStoreImport *import = ((StoreBack *) back)->import;

  g_mutex_lock (&import->lock);
  gboolean done = tt_store_import_take (import, batch, error);
  g_mutex_unlock (&import->lock);
  if (!done)
    return NULL;
  tt_batch_clear (batch);
  return batch;
}

static const TtSinkBackClass store_class = { .name = "store", .write = store_write };

static void
next_id (TtStoreImport *import, const char *table, guint32 *id)
{
  g_autofree char *sql = g_strdup_printf ("SELECT max (id) FROM %s", table);
  GError *error = NULL;
  gint64 last;

  if (tt_connection_get_int (import->connection, sql, &last, &error) && (last < 0 || last >= G_MAXINT32))
    g_set_error (&error, TT_ERROR, TT_ERROR_STORE, "'%s' is damaged: no id is left in %s; import the traces again",
                 import->path, table);
  if (error != NULL)
    tt_failure_leave (error);
  else
    *id = (guint32) last + 1;
}

static guint32
row_of (const TtPlaces *places, guint32 id)
{
  return (guint32) tt_places_id (places, id);
}

/* Importers know the rows of the run by their ids in the database. */
static void
seed (TtStoreImport *import, TtSink *sink)
{
  GError *error = NULL;
  g_autoptr (TtStore) store = tt_store_new_borrowed (import->connection, import->run, &error);
  guint n;

  if (store == NULL || !tt_store_complete (store, &error))
    {
      tt_failure_leave (error);
      return;
    }
  const TtProcess *processes = tt_store_processes (store, &n);
  for (guint i = 0; i < n; i++)
    tt_sink_seed_process (sink, row_of (&store->process_places, processes[i].id),
                          processes[i].pid != NULL ? processes[i].pid : "");
  const TtThread *threads = tt_store_threads (store, &n);
  for (guint i = 0; i < n; i++)
    {
      guint32 thread = row_of (&store->thread_places, threads[i].id);
      guint32 process = row_of (&store->process_places, threads[i].process);

      tt_sink_seed_thread (sink, thread, process, threads[i].tid != NULL ? threads[i].tid : "");
      tt_collectives_define_thread (import->collectives, thread, process);
      tt_trust_tally_thread (import->trust, thread, process);
    }
  const TtSeries *series = tt_store_series (store, &n);
  for (guint i = 0; i < n; i++)
    tt_sink_seed_series (sink, row_of (&store->series_places, series[i].id),
                         series[i].name != NULL ? series[i].name : "");
}

TtSink *
tt_store_import_sink (TtStoreImport *self)
{
  return tt_store_import_threaded_sink (self, 0);
}

TtSink *
tt_store_import_threaded_sink (TtStoreImport *self, guint n_batches)
{
  StoreBack *back = g_new0 (StoreBack, 1);
  gint64 last_event = 0, last_args = 0;

  g_mutex_lock (&self->lock);
  back->back.klass = &store_class;
  back->import = self;
  TtSink *sink = tt_sink_new (&back->back, g_steal_pointer (&self->names));
  sink->takes_forms = TRUE;
  next_id (self, "source_row", &sink->next_source);
  self->first_source = sink->next_source;
  next_id (self, "process_row", &sink->next_process);
  next_id (self, "thread_row", &sink->next_thread);
  next_id (self, "series_row", &sink->next_series);
  if (tt_connection_get_int (self->connection, "SELECT max (id) FROM event_row", &last_event, NULL))
    sink->next_event = (guint64) last_event + 1;
  if (tt_connection_get_int (self->connection, "SELECT max (last_args) FROM source_row", &last_args, NULL))
    sink->next_args = (guint64) last_args + 1;
  if (self->is_added)
    seed (self, sink);
  g_mutex_unlock (&self->lock);
  if (n_batches > 0)
    tt_sink_add_thread (sink, "writer", n_batches);
  tt_sink_add_observer (sink, gather, self);
  return sink;
}
