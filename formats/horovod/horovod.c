/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/import.h"
#include "formats/trace-event/rows.h"
#include "formats/horovod/names.h"
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

/* What a pid of the timeline stands for. */
typedef struct
{
  TtHorovodKind kind;
  char *raw;    /* name of the process, or the pid */
  char *tensor; /* NULL of Sync */
  guint32 thread;
  GArray *waits; /* of Sync: open ones */
} Tensor;

typedef struct
{
  guint64 ts_key;
  guint64 order;
  gint64 dur_ns;
  guint64 offset;
  guint32 id; /* of its tensor in `ids` */
  guint32 flags;
} Wait;

typedef struct
{
  TtTraceEventImport *import;
  GHashTable *tensors; /* pid -> Tensor */
  GHashTable *id_numbers;
  GPtrArray *ids; /* tensors in waits: texts, owned by id_numbers */
  TtSorter *waits;
  guint64 n_waits;
  guint32 process;
  guint n_threads;
  gint64 start_ns;
  gboolean has_start, is_shift_known;
  gint64 last_ns;
} State;

static void
tensor_free (gpointer data)
{
  Tensor *tensor = data;

  g_free (tensor->raw);
  g_free (tensor->tensor);
  g_clear_pointer (&tensor->waits, g_array_unref);
  g_free (tensor);
}

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
thread_of (State *self, Tensor *tensor)
{
  if (tensor->thread == TT_NO_ID)
    {
      g_autofree char *tid =
          tensor->tensor == NULL ? g_strdup ("Comm Sync") : g_strconcat ("Comm ", tensor->tensor, NULL);
      guint32 process = process_of (self);
      tensor->thread = tt_sink_thread (self->import->sink, process, tid, tensor->raw, self->n_threads++);
    }
  return tensor->thread;
}

static Tensor *
tensor_of (State *self, const TtTraceEvent *event)
{
  g_autofree char *pid = tt_json_text (&event->pid);
  Tensor *tensor = g_hash_table_lookup (self->tensors, pid);

  if (tensor == NULL)
    {
      tensor = g_new0 (Tensor, 1);
      tensor->kind = TT_HOROVOD_TENSOR;
      tensor->raw = g_strdup (pid);
      tensor->tensor = g_strdup (pid);
      g_hash_table_insert (self->tensors, g_steal_pointer (&pid), tensor);
    }
  return tensor;
}

/* Frameworks beside TensorFlow name their tensors without "horovod": in such a timeline every process is one. */
static void
name_tensor (State *self, const TtTraceEvent *event, const TtJsonValue *name)
{
  Tensor *tensor = tensor_of (self, event);

  g_free (tensor->raw);
  g_free (tensor->tensor);
  tensor->raw = tt_json_text (name);
  tensor->kind = tt_horovod_process (tensor->raw, &tensor->tensor);
  if (tensor->kind == TT_HOROVOD_OTHER)
    tensor->tensor = g_strdup (tensor->raw);
  if (tensor->kind == TT_HOROVOD_SYNC && tensor->waits == NULL)
    tensor->waits = g_array_new (FALSE, FALSE, sizeof (Wait));
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

static guint32
number_of (State *self, const TtJsonValue *name)
{
  g_autofree char *text = tt_json_text (name);
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->id_numbers, text));

  if (number == 0)
    {
      g_ptr_array_add (self->ids, text);
      number = self->ids->len;
      g_hash_table_insert (self->id_numbers, g_steal_pointer (&text), GUINT_TO_POINTER (number));
    }
  return number - 1;
}

static void
put_wait (State *self, const Wait *open, gint64 end_ns, guint32 flags)
{
  Wait *wait = tt_sorter_add (self->waits);

  *wait = *open;
  wait->order = self->n_waits++;
  wait->dur_ns = end_ns - tt_sort_value (open->ts_key);
  wait->flags = flags;
}

static void
take_wait (State *self, Tensor *sync, const TtTraceEvent *event, gint64 ts_ns)
{
  if (event->ph == 'B')
    {
      const Wait wait = { .ts_key = tt_sort_key (ts_ns),
                          .offset = event->offset,
                          .id = number_of (self, &event->name) };
      if (sync->waits->len < MOST_OPEN)
        g_array_append_val (sync->waits, wait);
      else
        tt_sink_repair (self->import->sink, TT_REPAIR_ODD_RECORD, event->offset);
    }
  else if (sync->waits->len == 0)
    tt_sink_repair (self->import->sink, TT_REPAIR_END_WITHOUT_BEGIN, event->offset);
  else
    {
      put_wait (self, &g_array_index (sync->waits, Wait, sync->waits->len - 1), ts_ns, 0);
      g_array_set_size (sync->waits, sync->waits->len - 1);
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

/* Waits that begin together become one, with the duration of the first. */
static gboolean
put_waits (State *self, guint32 thread, GError **error)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();
  g_autoptr (GError) own_error = NULL;
  const Wait *wait;
  Wait first = { 0 };

  if (!tt_sorter_finish (self->waits, error))
    return FALSE;
  while ((wait = tt_sorter_next (self->waits, &own_error)) != NULL)
    {
      const char *id = self->ids->pdata[wait->id];
      if (ids->len > 0 && (wait->ts_key != first.ts_key || ids->len >= MOST_OPEN))
        put_fused (self, ids, &first, thread);
      if (ids->len == 0)
        first = *wait;
      if (!g_str_equal (id, "none") && !g_ptr_array_find (ids, id, NULL))
        g_ptr_array_add (ids, (gpointer) id);
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
activity_name (State *self, const Tensor *tensor, const TtTraceEvent *event)
{
  TtRawName raw = { .raw = tensor->raw, .op = tensor->tensor, .op_cat = "Comm", .group = "Comm" };
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
put_activity (State *self, Tensor *tensor, const TtTraceEvent *event, gint64 ts_ns)
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
  Tensor *tensor = tensor_of (self, event);
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
  self->tensors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, tensor_free);
  self->id_numbers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->ids = g_ptr_array_new ();
  self->waits = tt_sorter_new (sizeof (Wait), SORTER_MEMORY);
  return self;
}

static void
release (gpointer data)
{
  State *self = data;

  g_hash_table_unref (self->tensors);
  g_hash_table_unref (self->id_numbers);
  g_ptr_array_unref (self->ids);
  tt_sorter_free (self->waits);
  g_free (self);
}

static gboolean
end (TtTraceEventImport *import, gpointer data, GError **error)
{
  State *self = data;
  GHashTableIter iter;
  gpointer value;
  guint32 thread = TT_NO_ID;

  g_hash_table_iter_init (&iter, self->tensors);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      Tensor *sync = value;
      for (guint i = 0; sync->waits != NULL && i < sync->waits->len; i++)
        {
          const Wait *wait = &g_array_index (sync->waits, Wait, i);
          tt_sink_repair (import->sink, TT_REPAIR_UNCLOSED, wait->offset);
          put_wait (self, wait, self->last_ns, TT_FLAG_UNCLOSED);
        }
      if (sync->waits != NULL)
        thread = thread_of (self, sync);
    }
  return thread == TT_NO_ID || put_waits (self, thread, error);
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
