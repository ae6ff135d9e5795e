/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/sink-private.h"

#include "src/base/compare.h"
#include "src/base/readers.h"
#include "src/base/unpacked.h"

#include <string.h>

TtSink *
tt_sink_new (TtSinkBack *back, TtNames *names)
{
  TtSink *self = g_new0 (TtSink, 1);

  self->back = back;
  self->names = names;
  self->collectives = tt_names_collectives (names);
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
  if (tt_count_processors () > 1)
    self->back = tt_threaded_back_new (self->back, name, n_batches);
}

void
tt_sink_add_observer (TtSink *self, TtBatchObserver observe, gpointer data)
{
  self->back = tt_observed_back_new (self->back, observe, data);
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
  g_clear_pointer (&self->forms, g_hash_table_unref);
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
      TtBatchSummary events;
      guint64 n_moved = tt_batch_bound_times (batch, &events);

      if (G_UNLIKELY (n_moved > 0))
        tt_repairs_add_many (&self->repairs, TT_REPAIR_TIME_TOO_FAR, 0, n_moved);
      if (batch->events.n > 0)
        {
          self->first_ns = self->first_ns == TT_NO_TIME ? events.first_ns : MIN (self->first_ns, events.first_ns);
          self->last_ns = MAX (self->last_ns, events.last_ns);
        }
      self->n_instants += events.n_instants;
      self->n_spans += batch->events.n - events.n_instants;
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

TtDefinition *
tt_sink_define (TtSink *self, TtDefinitionKind kind, guint32 id, guint32 parent)
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
  TtDefinition *definition = tt_sink_define (self, TT_DEFINE_SOURCE, self->source, 0);
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
  TtDefinition *definition = tt_sink_define (self, TT_DEFINE_SOURCE_END, self->source, 0);
  definition->text[0] = tt_batch_add_text (self->batch, hash, -1);
  self->batch->repairs = self->repairs;
  list_repaired (self);
  definition->a = (gint64) bytes;
  definition->b = (gint64) (self->next_event - self->source_first_event);
  definition->c = clock;
  tt_sink_flush (self);
  self->source = TT_NO_ID;
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
