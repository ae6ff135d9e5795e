/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/import.h"
#include "formats/trace-event/rows.h"
#include "formats/horovod/tensors.h"
#include "formats/model/tensor-names.h"
#include "formats/trace-event/operator-rows.h"
#include "src/base/sorter.h"
#include "src/trace/span.h"

#include <string.h>

/*
 * A Horovod timeline outside a job. Processes are tensors: each becomes a thread of one process. In the process Sync of
 * a patched Horovod the waits of all tensors are written; those that begin together are those of fused tensors: one span.
 * A stock Horovod has relative times and says in the head when they begin.
 */

#define SORTER_MEMORY ((gsize) 4 << 20)
#define MOST_OPEN 65536u

typedef struct
{
  guint64 ts_key;
  guint64 order;
  gint64 dur_ns;
  guint64 offset;
  guint32 word; /* the id of its tensor */
  guint32 flags;
} Wait;

typedef struct
{
  TtTraceEventImport *import;
  TtHorovodTensors tensors;
  TtSorter *waits;
  guint64 n_waits;
  guint32 process;
  guint n_threads;
  gint64 start_ns;
  gboolean has_start, is_shift_known;
  gint64 last_ns;
} State;

/* -- recognising ------------------------------------------------------------------------------------- */

static guint
probe (const TtClues *clues)
{
  static const char *const words[] = { "NEGOTIATE_", "MEMCPY_IN_FUSION_BUFFER", "NCCL_ALLREDUCE", "CYCLE_START" };
  GHashTableIter iter;
  gpointer key;
  gboolean has_tensor = FALSE, has_word = FALSE;

  /* What is under standard names already has been through here. */
  if (clues->n_standard * 2 > clues->n_events)
    return 0;
  g_hash_table_iter_init (&iter, clues->process_names);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      g_autofree char *tensor = NULL;
      has_tensor |= tt_horovod_process (key, &tensor) == TT_HOROVOD_TENSOR;
    }
  for (guint i = 0; i < clues->names->len; i++)
    for (guint k = 0; k < G_N_ELEMENTS (words); k++)
      has_word |= strstr (clues->names->pdata[i], words[k]) != NULL;
  if (has_tensor)
    return has_word ? 90 : 75;
  return has_word && g_hash_table_size (clues->process_names) > 0 ? 60 : 0;
}

/* -- processes and threads ---------------------------------------------------------------------------------- */

static guint32
process_of (State *self)
{
  const TtImportOptions *options = self->import->options;

  if (self->process == TT_NO_ID)
    {
      g_autofree char *pid = tt_operator_pid (options);
      self->process = tt_sink_process (self->import->sink, pid, NULL, NULL, options->rank);
    }
  return self->process;
}

static guint32
thread_of (State *self, TtHorovodTensor *tensor)
{
  if (tensor->thread == TT_NO_ID)
    {
      const char *name = tt_horovod_tensors_tensor (&self->tensors, tensor);
      g_autofree char *tid = g_strconcat ("Comm ", name == NULL ? "Sync" : name, NULL);
      const char *label = tt_horovod_tensors_raw (&self->tensors, tensor);
      tensor->thread = tt_sink_thread (self->import->sink, process_of (self), tid, label, self->n_threads++);
    }
  return tensor->thread;
}

/* Frameworks beside TensorFlow name their tensors without "horovod": in such a timeline every process is one. */
static TtHorovodTensor *
tensor_of (State *self, const TtTraceEvent *event)
{
  g_autofree char *pid = tt_json_text (&event->pid);
  guint32 number = tt_horovod_tensors_find (&self->tensors, pid);

  if (number == 0)
    number = tt_horovod_tensors_add (&self->tensors, pid);
  return tt_horovod_tensors_at (&self->tensors, number);
}

static void
name_tensor (State *self, const TtTraceEvent *event, const TtJsonValue *name)
{
  TtHorovodTensor *tensor = tensor_of (self, event);
  g_autofree char *raw = tt_json_text (name);

  tt_horovod_tensors_name (&self->tensors, tensor, raw);
  if (tensor->kind == TT_HOROVOD_OTHER)
    tensor->tensor = tensor->raw + 1;
}

/* -- metadata ----------------------------------------------------------------------------------------- */

static void
take_metadata (State *self, const TtTraceEvent *event)
{
  TtJsonValue name = { .kind = TT_JSON_NONE }, start = { .kind = TT_JSON_NONE };
  gboolean inexact;

  if (TT_SLICE_IS (event->name.raw, "process_sort_index"))
    return;
  if (event->args.kind == TT_JSON_OBJECT && TT_SLICE_IS (event->name.raw, "process_name"))
    {
      name = tt_json_get (event->args.raw, "name");
      start = tt_json_get (event->args.raw, "start_time_since_epoch_in_micros");
    }
  if (start.kind != TT_JSON_NONE)
    self->has_start = tt_json_decimal (&start, 3, &self->start_ns, &inexact);
  if (name.kind == TT_JSON_STRING)
    name_tensor (self, event, &name);
  else if (start.kind == TT_JSON_NONE)
    tt_trace_event_add_metadata (self->import, event);
}

/* The times of a stock Horovod count from the begin of its timeline. */
static gint64
shift_of (State *self, gint64 ts_ns)
{
  if (!self->is_shift_known)
    {
      self->is_shift_known = TRUE;
      if (!self->has_start || ts_ns >= TT_EPOCH_MIN_NS)
        self->start_ns = 0;
    }
  return self->start_ns;
}

/* -- waits --------------------------------------------------------------------------------------------- */

static void
put_wait (State *self, const TtHorovodBegin *begin, gint64 end_ns, guint32 flags)
{
  Wait *wait = tt_sorter_add (self->waits);

  *wait = (Wait){ .ts_key = tt_sort_key (begin->ts_ns),
                  .order = self->n_waits++,
                  .dur_ns = end_ns - begin->ts_ns,
                  .offset = begin->offset,
                  .word = begin->word,
                  .flags = flags };
}

static void
begin_wait (State *self, TtHorovodTensor *sync, const TtTraceEvent *event, gint64 ts_ns)
{
  g_autofree char *id = tt_json_text (&event->name);
  const TtHorovodBegin begin = { .ts_ns = ts_ns,
                                 .offset = event->offset,
                                 .word = tt_horovod_tensors_word (&self->tensors, id) };

  tt_horovod_tensors_push (&self->tensors, sync, &begin);
}

static void
take_wait (State *self, TtHorovodTensor *sync, const TtTraceEvent *event, gint64 ts_ns)
{
  if (event->ph == 'B')
    {
      if (sync->n_open < MOST_OPEN)
        begin_wait (self, sync, event, ts_ns);
      else
        tt_sink_repair (self->import->sink, TT_REPAIR_ODD_RECORD, event->offset);
    }
  else if (sync->n_open == 0)
    tt_sink_repair (self->import->sink, TT_REPAIR_END_WITHOUT_BEGIN, event->offset);
  else
    {
      const TtHorovodBegin begin = tt_horovod_tensors_pop (&self->tensors, sync);
      put_wait (self, &begin, ts_ns, 0);
    }
}

/* Those that are still open end with the timeline. */
static void
close_waits (State *self, TtHorovodTensor *sync)
{
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (TtHorovodBegin));

  while (sync->n_open > 0)
    {
      const TtHorovodBegin begin = tt_horovod_tensors_pop (&self->tensors, sync);
      g_array_append_val (open, begin);
    }
  for (guint i = open->len; i-- > 0;)
    {
      const TtHorovodBegin *begin = &g_array_index (open, TtHorovodBegin, i);
      tt_sink_repair (self->import->sink, TT_REPAIR_UNCLOSED, begin->offset);
      put_wait (self, begin, self->last_ns, TT_FLAG_UNCLOSED);
    }
}

static void
put_fused (State *self, GPtrArray *ids, const Wait *first, guint32 thread)
{
  g_autofree char *joined = tt_tensor_ids_join (ids);
  const TtRawName raw = { .raw = joined, .op_cat = "Comm", .sub_op = "Sync", .group = "Comm" };
  gint64 ts_ns = tt_sort_value (first->ts_key);
  const TtTraceRecord span = { .thread = thread,
                             .process = process_of (self),
                             .name = tt_sink_name (self->import->sink, &raw),
                             .flags = first->flags,
                             .step = TT_NO_STEP,
                             .ts_ns = ts_ns,
                             .dur_ns = first->dur_ns,
                             .offset = first->offset };

  tt_arrange_span (self->import->arrange, &span);
  g_ptr_array_set_size (ids, 0);
}

/* The id of @wait, once; "none" is none. */
static void
add_id (State *self, GPtrArray *ids, GHashTable *known, const Wait *wait)
{
  if (!g_hash_table_add (known, GUINT_TO_POINTER (wait->word)))
    return;
  const char *id = tt_horovod_tensors_word_text (&self->tensors, wait->word);
  if (!g_str_equal (id, "none"))
    g_ptr_array_add (ids, g_strdup (id));
}

/* Waits that begin together become one, with the duration of the first. */
static gboolean
put_waits (State *self, guint32 thread, GError **error)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL); /* words of ids */
  g_autoptr (GError) own_error = NULL;
  const Wait *wait;
  Wait first = { 0 };

  if (!tt_sorter_finish (self->waits, error))
    return FALSE;
  while ((wait = tt_sorter_next (self->waits, &own_error)) != NULL)
    {
      if (ids->len > 0 && (wait->ts_key != first.ts_key || ids->len >= MOST_OPEN))
        put_fused (self, ids, &first, thread);
      if (ids->len == 0)
        {
          first = *wait;
          g_hash_table_remove_all (known);
        }
      add_id (self, ids, known, wait);
    }
  if (ids->len > 0)
    put_fused (self, ids, &first, thread);
  if (own_error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&own_error));
  return FALSE;
}

/* -- activities ---------------------------------------------------------------------------------------- */

/* Words of activities are made of capitals; anything else could break a standard name. */
static char *
activity_of (const TtJsonValue *name)
{
  char *text = tt_json_text (name);

  for (char *p = text; *p != '\0'; p++)
    if (!g_ascii_isalnum (*p) && *p != '_')
      *p = '_';
  return text;
}

static guint32
activity_name (State *self, const TtHorovodTensor *tensor, const TtTraceEvent *event)
{
  TtRawName raw = { .raw = tt_horovod_tensors_raw (&self->tensors, tensor),
                    .op = tt_horovod_tensors_tensor (&self->tensors, tensor),
                    .op_cat = "Comm",
                    .group = "Comm" };
  g_autofree char *activity = NULL;

  if (event->name.kind != TT_JSON_STRING)
    return event->ph == 'E' ? TT_NO_ID : tt_sink_name (self->import->sink, &raw);
  activity = activity_of (&event->name);
  if (event->ph == 'X' && g_ascii_isdigit (*activity))
    {
      /* A stock Horovod ticks when a rank is ready, and names the tick by the rank. */
      raw.sub_op = "READY";
      raw.suffix = activity;
    }
  else if (*activity != '\0')
    raw.sub_op = activity;
  return tt_sink_name (self->import->sink, &raw);
}

static void
put_activity (State *self, TtHorovodTensor *tensor, const TtTraceEvent *event, gint64 ts_ns)
{
  TtArrange *arrange = self->import->arrange;
  const TtTraceRecord row = { .thread = thread_of (self, tensor),
                                  .process = process_of (self),
                                  .name = activity_name (self, tensor, event),
                                  .step = TT_NO_STEP,
                                  .ts_ns = ts_ns,
                                  .dur_ns = event->dur_ns,
                                  .args = tt_trace_event_args (self->import, event),
                                  .offset = event->offset };

  if (event->ph == 'B')
    tt_arrange_begin (arrange, &row);
  else if (event->ph == 'E')
    tt_arrange_end (arrange, &row);
  else if (event->ph == 'X' && event->dur_ns != 0)
    tt_arrange_span (arrange, &row);
  else
    tt_arrange_instant (arrange, &row);
}

static gboolean
take_event (TtTraceEventImport *import, const TtTraceEvent *event, gpointer data, GError **error)
{
  State *self = data;

  (void) error;
  if (event->ph == 'M')
    {
      take_metadata (self, event);
      return TRUE;
    }
  if (strchr ("BEXiI", event->ph) == NULL)
    {
      tt_trace_event_add (import, event, tt_trace_event_name (import, event), TT_NO_STEP, 0);
      return TRUE;
    }
  TtHorovodTensor *tensor = tensor_of (self, event);
  gint64 ts_ns;
  if (__builtin_add_overflow (event->ts_ns, shift_of (self, event->ts_ns), &ts_ns))
    {
      tt_sink_repair (import->sink, TT_REPAIR_ODD_RECORD, event->offset);
      return TRUE;
    }
  self->last_ns = MAX (self->last_ns, ts_ns);
  if (tensor->kind == TT_HOROVOD_SYNC && (event->ph == 'B' || event->ph == 'E'))
    take_wait (self, tensor, event, ts_ns);
  else
    put_activity (self, tensor, event, ts_ns);
  return TRUE;
}

/* -- begin and end --------------------------------------------------------------------------------------- */

static gpointer
begin (TtTraceEventImport *import, const TtClues *clues)
{
  State *self = g_new0 (State, 1);

  (void) clues;
  self->import = import;
  tt_horovod_tensors_init (&self->tensors);
  self->waits = tt_sorter_new (sizeof (Wait), SORTER_MEMORY);
  return self;
}

static void
release (gpointer data)
{
  State *self = data;

  tt_horovod_tensors_clear (&self->tensors);
  tt_sorter_free (self->waits);
  g_free (self);
}

static gboolean
end (TtTraceEventImport *import, gpointer data, GError **error)
{
  State *self = data;
  guint32 thread = TT_NO_ID;

  (void) import;
  for (guint32 number = 1; number <= self->tensors.n; number++)
    {
      TtHorovodTensor *sync = tt_horovod_tensors_at (&self->tensors, number);
      if (!sync->was_sync)
        continue;
      close_waits (self, sync);
      thread = thread_of (self, sync);
    }
  return (thread == TT_NO_ID || put_waits (self, thread, error)) && tt_horovod_tensors_check (&self->tensors, error);
}

const TtDialect tt_dialect_horovod = {
  .name = "horovod",
  .probe = probe,
  .begin = begin,
  .event = take_event,
  .end = end,
  .release = release,
};

TT_DIALECT_FORMAT (horovod, "timelines of Horovod");
