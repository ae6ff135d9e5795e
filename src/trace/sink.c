/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/sink.h"

#include "src/base/compare.h"
#include "src/base/unpacked.h"
#include "src/trace/lost-order.h"

#include <string.h>

/* Of the ids: what has them; for threads, with their process. */
#define SALT_PROCESSES G_GUINT64_CONSTANT (0x100000000)
#define SALT_THREADS G_GUINT64_CONSTANT (0x200000000)
#define SALT_SERIES G_GUINT64_CONSTANT (0x300000000)
#define SALT_RANKS G_GUINT64_CONSTANT (0x400000000)

static const char *
or_empty (const char *text)
{
  return text != NULL ? text : "";
}

TtSink *
tt_sink_new (TtSinkBack *back, TtNames *names)
{
  TtSink *self = g_new0 (TtSink, 1);

  self->back = back;
  self->names = names;
  self->batch = tt_batch_new ();
  self->next_source = self->next_process = self->next_thread = self->next_series = self->next_owner = 1;
  self->next_event = self->next_args = 1;
  self->ids = tt_text_ids_new ();
  self->notes = g_ptr_array_new_with_free_func (g_free);
  self->first_ns = self->last_ns = TT_NO_TIME;
  return self;
}

TtSink *
tt_null_sink_new (TtNames *names)
{
  return tt_sink_new (tt_null_back_new (), names);
}

void
tt_sink_add_thread (TtSink *self, const char *name, guint n_batches)
{
  self->back = tt_threaded_back_new (self->back, name, n_batches);
}

void
tt_sink_add_observer (TtSink *self, TtBatchObserver observe, gpointer data)
{
  self->back = tt_observed_back_new (self->back, observe, data);
}

void
tt_sink_seed_process (TtSink *self, guint32 id, const char *pid)
{
  tt_text_ids_add (self->ids, SALT_PROCESSES, pid, strlen (pid), id);
  self->next_process = MAX (self->next_process, id + 1);
}

void
tt_sink_seed_thread (TtSink *self, guint32 id, guint32 process, const char *tid)
{
  tt_text_ids_add (self->ids, SALT_THREADS | process, tid, strlen (tid), id);
  self->next_thread = MAX (self->next_thread, id + 1);
}

void
tt_sink_seed_series (TtSink *self, guint32 id, const char *name)
{
  tt_text_ids_add (self->ids, SALT_SERIES, name, strlen (name), id);
  self->next_series = MAX (self->next_series, id + 1);
}

void
tt_sink_free (TtSink *self)
{
  if (self == NULL)
    return;
  tt_sink_back_free (self->back);
  tt_batch_free (self->batch);
  tt_names_free (self->names);
  g_clear_pointer (&self->notes, g_ptr_array_unref);
  g_clear_pointer (&self->repaired, g_hash_table_unref);
  tt_text_ids_free (self->ids);
  g_clear_pointer (&self->facts, g_hash_table_unref);
  g_clear_pointer (&self->held, tt_activity_pool_free);
  g_clear_pointer (&self->held_args, tt_held_args_free);
  g_clear_error (&self->error);
  g_free (self);
}

void
tt_sink_flush (TtSink *self)
{
  TtBatch *batch = self->batch;

  if (self->error == NULL)
    {
      const TtEventColumns *events = &batch->events;
      guint64 n_instants = 0, n_moved = tt_batch_bound_times (batch);

      if (G_UNLIKELY (n_moved > 0))
        tt_repairs_add_many (&self->repairs, TT_REPAIR_TIME_TOO_FAR, 0, n_moved);
      for (guint i = 0; i < events->n; i++)
        {
          gint64 end_ns = events->dur_ns[i] == TT_NO_TIME ? events->ts_ns[i] : events->ts_ns[i] + events->dur_ns[i];
          if (self->first_ns == TT_NO_TIME || events->ts_ns[i] < self->first_ns)
            self->first_ns = events->ts_ns[i];
          self->last_ns = MAX (self->last_ns, end_ns);
          n_instants += events->dur_ns[i] == TT_NO_TIME;
        }
      self->n_instants += n_instants;
      self->n_spans += events->n - n_instants;
      self->n_counters += batch->counters.n;
      self->n_halves += batch->halves.n;
      self->n_metrics += batch->metrics.n;

      batch->source = self->source;
      TtBatch *next = self->back->klass->write (self->back, batch, &self->error);
      if (next != NULL)
        {
          self->batch = next;
          return;
        }
    }
  tt_batch_clear (batch);
}

static TtDefinition *
define (TtSink *self, TtDefinitionKind kind, guint32 id, guint32 parent)
{
  TtBatch *batch = self->batch;

  g_array_set_size (batch->definitions, batch->definitions->len + 1);
  TtDefinition *definition = &g_array_index (batch->definitions, TtDefinition, batch->definitions->len - 1);
  memset (definition, 0, sizeof *definition);
  definition->kind = kind;
  definition->id = id;
  definition->parent = parent;
  return definition;
}

/* A batch of definitions alone must not grow without end either. */
static void
flush_if_many_definitions (TtSink *self)
{
  if (self->batch->definitions->len >= TT_BATCH_ROWS)
    tt_sink_flush (self);
}

guint32
tt_sink_begin_source (TtSink *self, const char *format, const char *path, TtClock clock)
{
  tt_sink_flush (self);
  self->source = self->next_source++;
  self->source_first_event = self->next_event;
  self->source_first_process = self->next_process;
  memset (&self->repairs, 0, sizeof self->repairs);
  if (self->repaired != NULL)
    g_hash_table_remove_all (self->repaired);

  g_autofree char *shown = tt_unpacked_show (path);
  TtDefinition *definition = define (self, TT_DEFINE_SOURCE, self->source, 0);
  definition->text[0] = tt_batch_add_text (self->batch, format, -1);
  definition->text[1] = tt_batch_add_text (self->batch, shown != NULL ? shown : path, -1);
  definition->a = clock;
  return self->source;
}

/* -- whose repairs ------------------------------------------------------------------------------------------- */

/* Of more nobody knows whose they are. */
#define MAX_REPAIRED (1u << 16)

static guint
hash_repaired (gconstpointer data)
{
  const TtProcessRepairs *repairs = data;

  return repairs->process * 0x9e3779b1u ^ repairs->kind;
}

static gboolean
equal_repaired (gconstpointer a, gconstpointer b)
{
  const TtProcessRepairs *x = a, *y = b;

  return x->process == y->process && x->kind == y->kind;
}

void
tt_sink_own_repairs (TtSink *self, guint32 process, TtRepairKind kind, guint64 n)
{
  const TtProcessRepairs wanted = { process, kind, n };

  if (self->repaired == NULL)
    self->repaired = g_hash_table_new_full (hash_repaired, equal_repaired, g_free, NULL);
  TtProcessRepairs *known = g_hash_table_lookup (self->repaired, &wanted);
  if (known != NULL)
    known->count += n;
  else if (g_hash_table_size (self->repaired) < MAX_REPAIRED)
    g_hash_table_add (self->repaired, g_memdup2 (&wanted, sizeof wanted));
}

void
tt_sink_repair_of (TtSink *self, guint32 process, TtRepairKind kind, guint64 offset)
{
  tt_sink_repair (self, kind, offset);
  tt_sink_own_repairs (self, process, kind, 1);
}

static int
compare_repaired (gconstpointer a, gconstpointer b)
{
  const TtProcessRepairs *x = a, *y = b;

  return x->process != y->process ? TT_COMPARE (x->process, y->process) : TT_COMPARE (x->kind, y->kind);
}

static void
list_repaired (TtSink *self)
{
  GHashTableIter iter;
  gpointer repairs;

  if (self->repaired == NULL)
    return;
  g_hash_table_iter_init (&iter, self->repaired);
  while (g_hash_table_iter_next (&iter, &repairs, NULL))
    g_array_append_vals (self->batch->repaired, repairs, 1);
  g_array_sort (self->batch->repaired, compare_repaired);
  g_hash_table_remove_all (self->repaired);
}

void
tt_sink_end_source (TtSink *self, guint64 bytes, const char *hash, TtClock clock)
{
  tt_sink_flush (self);
  TtDefinition *definition = define (self, TT_DEFINE_SOURCE_END, self->source, 0);
  definition->text[0] = tt_batch_add_text (self->batch, hash, -1);
  self->batch->repairs = self->repairs;
  list_repaired (self);
  definition->a = (gint64) bytes;
  definition->b = (gint64) (self->next_event - self->source_first_event);
  definition->c = clock;
  tt_sink_flush (self);
  self->source = TT_NO_ID;
}

static gboolean
knows_rank (TtSink *self, gint64 rank)
{
  return tt_text_ids_find (self->ids, SALT_RANKS, (const char *) &rank, sizeof rank) != 0;
}

gboolean
tt_sink_has_rank (TtSink *self, gint64 rank)
{
  gboolean is_known = knows_rank (self, rank);

  if (!is_known && self->diary != NULL)
    tt_sink_diary_no_rank (self->diary, rank);
  return is_known;
}

guint32
tt_sink_find_process (TtSink *self, const char *pid)
{
  return tt_text_ids_find (self->ids, SALT_PROCESSES, pid, strlen (pid));
}

guint32
tt_sink_process (TtSink *self, const char *pid, const char *label, const char *node, gint64 rank)
{
  guint32 id = tt_sink_find_process (self, pid);
  gboolean is_new = id == TT_NO_ID;

  if (is_new)
    id = self->next_process;
  if (self->filter != NULL)
    self->filter->klass->see_process (self->filter, id, rank);
  if (!is_new)
    return id;
  tt_sink_seed_process (self, id, pid);
  if (self->diary != NULL)
    tt_sink_diary_process (self->diary, pid, rank);
  TtDefinition *definition = define (self, TT_DEFINE_PROCESS, id, 0);
  definition->text[0] = tt_batch_add_text (self->batch, pid, -1);
  definition->text[1] = tt_batch_add_text (self->batch, label, -1);
  definition->text[2] = tt_batch_add_text (self->batch, node, -1);
  definition->a = rank;
  if (rank >= 0 && !knows_rank (self, rank))
    tt_text_ids_add (self->ids, SALT_RANKS, (const char *) &rank, sizeof rank, 1);
  flush_if_many_definitions (self);
  return id;
}

gboolean
tt_sink_has_process (TtSink *self, const char *pid)
{
  gboolean is_known = tt_sink_find_process (self, pid) != TT_NO_ID;

  if (!is_known && self->diary != NULL)
    tt_sink_diary_no_process (self->diary, pid);
  return is_known;
}

static guint32
find_thread (TtSink *self, guint32 process, const char *tid)
{
  return tt_text_ids_find (self->ids, SALT_THREADS | process, tid, strlen (tid));
}

guint32
tt_sink_thread (TtSink *self, guint32 process, const char *tid, const char *label, gint64 order)
{
  guint32 id = find_thread (self, process, tid);
  gboolean is_new = id == TT_NO_ID;

  if (is_new)
    id = self->next_thread;
  if (self->filter != NULL)
    self->filter->klass->see_thread (self->filter, id, process, tid);
  if (!is_new)
    return id;
  tt_sink_seed_thread (self, id, process, tid);
  if (self->diary != NULL)
    tt_sink_diary_thread (self->diary, process, tid);
  TtDefinition *definition = define (self, TT_DEFINE_THREAD, id, process);
  definition->text[0] = tt_batch_add_text (self->batch, tid, -1);
  definition->text[1] = tt_batch_add_text (self->batch, label, -1);
  definition->a = order;
  flush_if_many_definitions (self);
  return id;
}

guint32
tt_sink_find_thread (TtSink *self, guint32 process, const char *tid)
{
  guint32 id = find_thread (self, process, tid);

  if (id == TT_NO_ID && self->diary != NULL)
    tt_sink_diary_no_thread (self->diary, process, tid);
  return id;
}

guint32
tt_sink_series (TtSink *self, const char *name, const char *unit, gboolean is_monotonic)
{
  guint32 id = tt_text_ids_find (self->ids, SALT_SERIES, name, strlen (name));

  if (id != TT_NO_ID)
    return id;
  id = self->next_series;
  tt_sink_seed_series (self, id, name);
  TtDefinition *definition = define (self, TT_DEFINE_SERIES, id, 0);
  definition->text[0] = tt_batch_add_text (self->batch, name, -1);
  definition->text[1] = tt_batch_add_text (self->batch, unit, -1);
  definition->a = is_monotonic;
  flush_if_many_definitions (self);
  return id;
}

void
tt_sink_metadata (TtSink *self, guint32 process, guint32 thread, const char *key, const char *value)
{
  TtDefinition *definition = define (self, TT_DEFINE_METADATA, thread, process);

  if (self->filter != NULL)
    self->filter->klass->see_metadata (self->filter, process, thread, key, value);
  definition->text[0] = tt_batch_add_text (self->batch, or_empty (key), -1);
  definition->text[1] = tt_batch_add_text (self->batch, or_empty (value), -1);
  flush_if_many_definitions (self);
}

void
tt_sink_lose_order (TtSink *self, guint32 process, guint32 thread, gint64 after_ns)
{
  char text[24];

  g_snprintf (text, sizeof text, "%" G_GINT64_FORMAT, after_ns);
  tt_sink_metadata (self, process, thread, TT_ORDER_LOST_KEY, text);
}

void
tt_sink_label_process (TtSink *self, guint32 process, const char *label, gint64 rank)
{
  TtDefinition *definition = define (self, TT_DEFINE_PROCESS_LABEL, process, 0);

  if (self->filter != NULL)
    self->filter->klass->see_process (self->filter, process, rank);
  definition->text[0] = tt_batch_add_text (self->batch, label, -1);
  definition->a = rank;
  flush_if_many_definitions (self);
}

void
tt_sink_own_process (TtSink *self, guint32 process, guint32 owner)
{
  define (self, TT_DEFINE_PROCESS_OWNER, process, owner);
  flush_if_many_definitions (self);
}

void
tt_sink_own_new_processes (TtSink *self, guint32 owner)
{
  if (owner == TT_NO_ID)
    owner = self->source_first_process;
  if (self->diary != NULL)
    self->diary->owns_new_processes = TRUE;
  for (guint32 id = self->source_first_process; id < self->next_process; id++)
    if (id != owner)
      tt_sink_own_process (self, id, owner);
}

void
tt_sink_label_thread (TtSink *self, guint32 thread, const char *label, gint64 order)
{
  TtDefinition *definition = define (self, TT_DEFINE_THREAD_LABEL, thread, 0);

  definition->text[0] = tt_batch_add_text (self->batch, label, -1);
  definition->a = order;
  flush_if_many_definitions (self);
}

void
tt_sink_parameter (TtSink *self,
                   gint64 tensor_id,
                   const char *tensor_name,
                   const char *shape,
                   const char *dtype,
                   gint64 update_id,
                   const char *origin)
{
  TtDefinition *definition = define (self, TT_DEFINE_PARAMETER, 0, 0);
  const char *const texts[] = { tensor_name, shape, dtype, origin };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    definition->text[i] = tt_batch_add_text (self->batch, texts[i], -1);
  definition->a = tensor_id;
  definition->b = update_id;
  flush_if_many_definitions (self);
}

void
tt_sink_task (TtSink *self, guint32 process, const TtTaskNode *task)
{
  TtBatchTask row = {
    .process = process,
    .id = task->id,
    .kind = task->kind,
    .created_ns = task->created_ns,
    .begin_ns = task->begin_ns,
    .end_ns = task->end_ns,
  };

  for (guint i = 0; i < TT_N_TASK_TEXTS; i++)
    row.text[i] = tt_batch_add_text (self->batch, task->text[i], -1);
  g_array_append_val (self->batch->tasks, row);
  if (self->batch->tasks->len >= TT_BATCH_ROWS)
    tt_sink_flush (self);
}

void
tt_sink_task_edge (TtSink *self, guint32 process, const TtTaskEdge *edge)
{
  TtBatchTaskEdge row = {
    .process = process,
    .src = edge->src,
    .dst = edge->dst,
    .has_src = edge->has_src,
    .has_dst = edge->has_dst,
    .kind = tt_batch_add_text (self->batch, edge->kind, -1),
  };

  g_array_append_val (self->batch->task_edges, row);
  if (self->batch->task_edges->len >= TT_BATCH_ROWS)
    tt_sink_flush (self);
}

void
tt_sink_note (TtSink *self, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_autofree char *note = g_strdup_vprintf (format, args);
  if (!g_ptr_array_find_with_equal_func (self->notes, note, g_str_equal, NULL))
    g_ptr_array_add (self->notes, g_steal_pointer (&note));
  va_end (args);
}

guint32
tt_sink_name (TtSink *self, const TtRawName *raw)
{
  gboolean is_new = FALSE;
  guint32 id = tt_names_intern (self->names, raw, &is_new);
  TtName name;

  if (!is_new || !tt_names_get (self->names, id, &name))
    return id;

  const char *const texts[TT_N_NAME_TEXTS] = {
    [TT_NAME_OP_CAT] = name.op_cat, [TT_NAME_OP_NAME] = name.op_name, [TT_NAME_SUB_OP] = name.sub_op,
    [TT_NAME_SUFFIX] = name.suffix, [TT_NAME_TEXT] = name.text,       [TT_NAME_RAW] = name.raw,
    [TT_NAME_GROUP] = name.group,   [TT_NAME_FILE] = name.file,
  };
  if (self->diary != NULL)
    tt_sink_diary_name (self->diary, tt_names_source (self->names), raw);
  TtDefinition *definition = define (self, TT_DEFINE_NAME, id, name.text_use);
  for (int i = 0; i < TT_N_NAME_TEXTS; i++)
    definition->text[i] = tt_batch_add_text (self->batch, texts[i], -1);
  definition->a = name.line;
  definition->b = name.is_collective ? 1 + (gint64) name.communicator : 0;
  flush_if_many_definitions (self);
  return id;
}

/* -- the filter --------------------------------------------------------------------------------- */

void
tt_sink_set_filter (TtSink *self, TtSpanFilter *filter)
{
  self->filter = filter;
  self->facts = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
}

TtFilterVerdict
tt_sink_ask (TtSink *self, const TtFilterBegin *begin, guint64 args)
{
  TtSpanFilter *filter = self->filter;
  TtFilterBegin asked = *begin;
  gpointer key = NULL, read = NULL;
  TtName name;

  if (!filter->klass->knows_name (filter, begin->name) && tt_names_get (self->names, begin->name, &name))
    {
      const TtFilterName facts = {
        .op_cat = name.op_cat, .op_name = name.op_name, .sub_op = name.sub_op, .group = name.group, .file = name.file
      };
      filter->klass->see_name (filter, begin->name, &facts);
    }
  if (args != 0 && g_hash_table_steal_extended (self->facts, &args, &key, &read))
    asked.facts = read;
  TtFilterVerdict verdict = filter->klass->begin (filter, &asked);
  g_free (key);
  g_free (read);
  return verdict;
}

/* -- the end ---------------------------------------------------------------------------------------- */

gboolean
tt_sink_check (TtSink *self, guint64 bytes_done, GError **error)
{
  if (self->progress != NULL)
    tt_progress_add (self->progress, bytes_done);
  if (self->error != NULL)
    {
      g_propagate_error (error, g_error_copy (self->error));
      return FALSE;
    }
  if (!tt_text_ids_check (self->ids, error) || (self->names != NULL && !tt_names_check (self->names, error)))
    return FALSE;
  if (self->held != NULL && !tt_activity_pool_check (self->held, error))
    return FALSE;
  return !tt_cancelled (error);
}

gboolean
tt_sink_finish (TtSink *self, GError **error)
{
  tt_sink_flush (self);
  if (self->error != NULL)
    {
      g_propagate_error (error, g_error_copy (self->error));
      return FALSE;
    }
  return tt_sink_back_finish (self->back, error);
}
