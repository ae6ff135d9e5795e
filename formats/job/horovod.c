/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/job/horovod.h"

#include "formats/horovod/tensors.h"
#include "formats/job/events.h"
#include "formats/job/rows.h"
#include "formats/model/tensor-names.h"
#include "src/base/sorter.h"
#include "src/trace/native-groups.h"

#include <string.h>

/*
 * The timeline that a patched Horovod writes on each rank: processes are tensors, and one, Sync, has the waits of all
 * of them. Waits of one rank that begin together are those of tensors that are fused: one span. Negotiations are on a thread
 * of their own, and the model of the job leaves them out: it goes by Sync.
 */

#define THREAD_ORDER 1001      /* after the operators and the input pipeline */
#define NEGOTIATION_ORDER 1002 /* after the transfers */
#define SORT_BYTES ((gsize) 8 << 20)
/* Activities of one tensor do not nest deeper. */
#define MAX_DEPTH 4096u

typedef struct
{
  guint64 ts_key;
  guint64 order;
  gint64 dur_ns;
  guint64 offset;
  guint32 word; /* the tensor's id */
  guint32 flags;
  gint64 longest_ns; /* see TtJobImportSpan */
} Sync;

typedef struct
{
  TtJobImport *job;
  TtJobImportProcess *process;
  guint32 thread;
  guint32 negotiation; /* thread; TT_NO_ID: none yet */
  TtHorovodTensors *tensors;
  TtSorter *syncs;
  gint64 last_ns;
  gboolean has_waits_inside; /* some wait began and ended in another */
  GString *text;
} Timeline;

/* -- spans -------------------------------------------------------------------------------------------------- */

/* Tensors are negotiated while others are transferred. */
static guint32
thread_of (Timeline *self, gboolean negotiates)
{
  if (!negotiates)
    return self->thread;
  if (self->negotiation == TT_NO_ID)
    self->negotiation =
        tt_sink_thread (self->job->sink, self->process->process, TT_GROUP_NEGOTIATION, NULL, NEGOTIATION_ORDER);
  return self->negotiation;
}

/* @span: times, flags and offset; the rest is filled in here. */
static void
add_span (Timeline *self, const char *ids, const char *sub_op, TtJobImportSpan span)
{
  gboolean negotiates = tt_horovod_negotiates (sub_op, strlen (sub_op));
  const TtRawName raw = {
    .raw = ids, .op_cat = "Comm", .sub_op = sub_op, .group = negotiates ? TT_GROUP_NEGOTIATION : "Comm"
  };

  if (!tt_job_import_is_in_window (self->process, span.ts_ns))
    {
      tt_sink_repair (self->job->sink, TT_REPAIR_OUTSIDE_WINDOW, span.offset);
      return;
    }
  span.process = self->process;
  span.thread = thread_of (self, negotiates);
  span.name = tt_sink_name (self->job->sink, &raw);
  span.step = TT_NO_STEP;
  span.flags |= TT_ARRANGE_SEEN;
  tt_job_import_add_span (self->job, &span);
}

static void
end_span (Timeline *self, const TtHorovodTensor *tensor, const TtHorovodBegin *begin, gint64 ts_ns, guint32 flags)
{
  gint64 dur_ns;

  if (begin->word == 0)
    {
      tt_sink_repair (self->job->sink, TT_REPAIR_OTHER_ACTIVITY, begin->offset);
      return;
    }
  if (__builtin_sub_overflow (ts_ns, begin->ts_ns, &dur_ns))
    {
      tt_sink_repair (self->job->sink, TT_REPAIR_ODD_RECORD, begin->offset);
      return;
    }
  if (tensor->kind == TT_HOROVOD_TENSOR)
    {
      if (self->job->arrange != NULL)
        add_span (self, tt_horovod_tensors_tensor (self->tensors, tensor),
                  tt_horovod_tensors_word_text (self->tensors, begin->word),
                  (TtJobImportSpan){ .ts_ns = begin->ts_ns,
                                     .dur_ns = dur_ns,
                                     .longest_ns = dur_ns,
                                     .flags = flags,
                                     .offset = begin->offset });
      return;
    }
  Sync *sync = tt_sorter_add (self->syncs);
  *sync = (Sync){ .ts_key = tt_sort_key (begin->ts_ns),
                  .order = tt_sorter_count (self->syncs),
                  .dur_ns = dur_ns,
                  .offset = begin->offset,
                  .word = begin->word,
                  .flags = flags,
                  .longest_ns = dur_ns };
}

/* Its end was lost; it was over when the next one of its process began. */
static void
end_lost (Timeline *self, const TtHorovodTensor *tensor, const TtHorovodBegin *begin, gint64 until_ns)
{
  tt_sink_repair (self->job->sink, TT_REPAIR_BOUNDED_END, begin->offset);
  end_span (self, tensor, begin, MAX (until_ns, begin->ts_ns), TT_FLAGS_BOUNDED);
}

/* -- events ------------------------------------------------------------------------------------------------- */

static void
read_metadata (Timeline *self, const TtTraceEvent *event, const char *pid)
{
  TtJsonValue name = { 0 };

  if (!TT_SLICE_IS (event->name.raw, "process_name") || event->args.kind != TT_JSON_OBJECT)
    return;
  name = tt_json_get (event->args.raw, "name");
  if (name.kind != TT_JSON_STRING)
    return;

  guint32 number = tt_horovod_tensors_find (self->tensors, pid);
  g_autofree char *text = tt_json_text (&name);
  if (number == 0)
    number = tt_horovod_tensors_add (self->tensors, pid);
  tt_horovod_tensors_name (self->tensors, tt_horovod_tensors_at (self->tensors, number), text);
}

/* 0: not wanted. */
static guint32
find_word (Timeline *self, const TtTraceEvent *event, const TtHorovodTensor *tensor)
{
  g_autofree char *id = NULL;
  const char *word = NULL;

  if (tensor->kind == TT_HOROVOD_SYNC)
    {
      word = id = tt_json_text (&event->name);
      if (*word == '\0' || g_str_equal (word, "none"))
        return 0;
    }
  else if (tensor->kind == TT_HOROVOD_TENSOR && tt_horovod_negotiates (event->name.raw.bytes, event->name.raw.len))
    word = id = tt_json_text (&event->name);
  else if (tensor->kind == TT_HOROVOD_TENSOR)
    word = tt_horovod_activity (event->name.raw.bytes, event->name.raw.len);
  return word == NULL ? 0 : tt_horovod_tensors_word (self->tensors, word);
}

/* In Horovod's own timeline an activity of a tensor, and its negotiation, has no other one of the tensor inside it. */
static void
end_before (Timeline *self, TtHorovodTensor *tensor, gint64 ts_ns)
{
  if (tensor->kind != TT_HOROVOD_TENSOR || tensor->n_open == 0)
    return;
  const TtHorovodBegin begin = tt_horovod_tensors_pop (self->tensors, tensor);
  if (begin.word == 0)
    tt_horovod_tensors_push (self->tensors, tensor, &begin);
  else
    end_lost (self, tensor, &begin, ts_ns);
}

static gboolean
read_begin (Timeline *self, const TtTraceEvent *event, TtHorovodTensor *tensor)
{
  end_before (self, tensor, event->ts_ns);
  if (event->name.kind != TT_JSON_STRING || tensor->n_open >= MAX_DEPTH)
    return FALSE;
  const TtHorovodBegin begin = { .ts_ns = event->ts_ns,
                                 .offset = event->offset,
                                 .word = find_word (self, event, tensor) };
  tt_horovod_tensors_push (self->tensors, tensor, &begin);
  return TRUE;
}

static void
read_end (Timeline *self, const TtTraceEvent *event, TtHorovodTensor *tensor)
{
  if (tensor->n_open == 0)
    {
      tt_sink_repair (self->job->sink, TT_REPAIR_LEAVE_WITHOUT_ENTER, event->offset);
      return;
    }
  const TtHorovodBegin begin = tt_horovod_tensors_pop (self->tensors, tensor);
  self->has_waits_inside |=
      tensor->kind == TT_HOROVOD_SYNC && begin.next_ns != TT_NO_TIME && begin.next_ns < event->ts_ns;
  end_span (self, tensor, &begin, event->ts_ns, 0);
}

/* FALSE: an odd record. */
static gboolean
on_event (const TtTraceEvent *event, gpointer data)
{
  Timeline *self = data;

  g_string_truncate (self->text, 0);
  g_string_append_len (self->text, event->pid.raw.bytes, (gssize) event->pid.raw.len);
  if (event->ph == 'M')
    {
      read_metadata (self, event, self->text->str);
      return TRUE;
    }
  if (event->ph != 'B' && event->ph != 'E')
    {
      tt_sink_repair (self->job->sink, TT_REPAIR_OTHER_ACTIVITY, event->offset);
      return TRUE;
    }
  guint32 number = tt_horovod_tensors_find (self->tensors, self->text->str);
  if (number == 0 || (event->has & TT_EVENT_HAS_TS) == 0)
    return FALSE;
  TtHorovodTensor *tensor = tt_horovod_tensors_at (self->tensors, number);
  if (self->last_ns == TT_NO_TIME || event->ts_ns > self->last_ns)
    self->last_ns = event->ts_ns;
  tt_job_import_see (self->job, self->process, number, event->ts_ns, 0);
  if (event->ph == 'B')
    return read_begin (self, event, tensor);
  read_end (self, event, tensor);
  return TRUE;
}

/* -- the end ------------------------------------------------------------------------------------------------ */

/* A timeline that was cut: open spans end with it. Waits follow each other: the end of one with others behind it was
 * lost. */
static void
close_open (Timeline *self)
{
  for (guint32 number = 1; number <= self->tensors->n; number++)
    {
      TtHorovodTensor *tensor = tt_horovod_tensors_at (self->tensors, number);
      while (tensor->n_open > 0)
        {
          const TtHorovodBegin begin = tt_horovod_tensors_pop (self->tensors, tensor);
          if (tensor->kind == TT_HOROVOD_SYNC && begin.next_ns != TT_NO_TIME && !self->has_waits_inside)
            {
              end_lost (self, tensor, &begin, begin.next_ns);
              continue;
            }
          tt_sink_repair (self->job->sink, TT_REPAIR_UNCLOSED, begin.offset);
          end_span (self, tensor, &begin, self->last_ns, TT_FLAG_UNCLOSED);
        }
    }
}

static guint32
make_sync_name (Timeline *self, const char *ids)
{
  const TtRawName raw = { .raw = ids, .op_cat = "Comm", .sub_op = "Sync", .group = "Comm" };

  return tt_sink_name (self->job->sink, &raw);
}

/* Clocks are aligned by the ends of complete ones. */
static void
survey_sync (Timeline *self, const Sync *first, const char *ids)
{
  TtJobImportProcess *process = self->process;
  const TtJobImportSync sync = { .end_ns = tt_sort_value (first->ts_key) + first->dur_ns,
                                 .name = make_sync_name (self, ids) };

  if (first->flags != 0)
    return;
  guint64 at = tt_tape_append (self->job->syncs, &sync, sizeof sync);
  if (process->n_syncs++ == 0)
    process->syncs = at;
}

/* The tensors that began to wait at the time of @first, named together. */
static void
finish_sync (Timeline *self, const Sync *first, GPtrArray *ids)
{
  g_autofree char *joined = tt_tensor_ids_join (ids);

  if (self->job->arrange == NULL)
    survey_sync (self, first, joined);
  else
    add_span (self, joined, "Sync",
              (TtJobImportSpan){ .ts_ns = tt_sort_value (first->ts_key),
                                 .dur_ns = first->dur_ns,
                                 .flags = first->flags,
                                 .longest_ns = first->longest_ns,
                                 .offset = first->offset });
  g_ptr_array_set_size (ids, 0);
}

static gboolean
finish_syncs (Timeline *self, GError **error)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL); /* words of ids */
  GError *failure = NULL;
  const Sync *sync;
  Sync first = { 0 };

  if (!tt_sorter_finish (self->syncs, error))
    return FALSE;
  while ((sync = tt_sorter_next (self->syncs, &failure)) != NULL)
    {
      if (ids->len > 0 && sync->ts_key != first.ts_key)
        {
          finish_sync (self, &first, ids);
          g_hash_table_remove_all (known);
        }
      if (ids->len == 0)
        first = *sync;
      if (g_hash_table_add (known, GUINT_TO_POINTER (sync->word)))
        g_ptr_array_add (ids, g_strdup (tt_horovod_tensors_word_text (self->tensors, sync->word)));
    }
  if (failure != NULL)
    {
      g_propagate_error (error, failure);
      return FALSE;
    }
  if (ids->len > 0)
    finish_sync (self, &first, ids);
  return TRUE;
}

gboolean
tt_job_import_read_horovod (TtJobImport *job, TtJobImportProcess *process, const char *path, GError **error)
{
  g_auto (TtHorovodTensors) tensors;
  g_autoptr (TtSorter) syncs = tt_sorter_new (sizeof (Sync), SORT_BYTES);
  g_autoptr (GString) text = g_string_new (NULL);
  Timeline self = {
    .job = job,
    .process = process,
    .negotiation = TT_NO_ID,
    .tensors = &tensors,
    .syncs = syncs,
    .last_ns = TT_NO_TIME,
    .text = text,
  };

  tt_horovod_tensors_init (&tensors);
  if (job->arrange != NULL)
    self.thread = tt_sink_thread (job->sink, process->process, "Comm", NULL, THREAD_ORDER);
  if (!tt_job_import_each_event (job, path, on_event, &self, error))
    return FALSE;
  close_open (&self);
  return finish_syncs (&self, error) && tt_horovod_tensors_check (&tensors, error);
}
