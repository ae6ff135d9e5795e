/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/kernels/builder-private.h"

#include "analyzers/spans/each-event.h"
#include "src/base/array.h"
#include "src/trace/span.h"

#define SORT_BYTES ((gsize) 64 << 20)

/* Work of a device, by stream and begin. */
typedef struct
{
  guint64 thread, ts_key;
  gint64 end_ns;
  guint32 name, launch;
  guint32 is_kernel, config; /* config: number in the list of executions */
} Work;

/* What a span of the host says of those inside it. */
typedef struct
{
  guint32 operation; /* name, 0: none */
  guint32 annotation;
} Around;

typedef TtKernelBuilder Builder;

/* -- one scan --------------------------------------------------------------------------------------------------- */

static gboolean
look_up_definitions (Builder *self, GError **error)
{
  gsize n_threads = (gsize) tt_store_max_thread (self->store) + 1;

  if (!tt_kernel_names_load (&self->names, self->store, self->wants->by_operation, error))
    return FALSE;
  self->n_short_of_name = g_new0 (guint64, self->names.n);
  self->sized_ns_of_name = g_new0 (tt_int128, self->names.n);
  self->operators = g_new0 (TtOperatorRow, self->names.n);
  self->streams = g_new0 (TtStreamRow, n_threads);
  self->annotations = tt_annotations_new (self->names.n);
  return tt_launches_load (self->launches, &self->roles, self->store, self->part, error);
}

static void
take_work (Builder *self, const TtEvent *event, TtActivityRole role, guint32 launch)
{
  TtStreamRow *stream = &self->streams[event->thread];
  guint32 group = self->names.groups[event->name];
  Work *work = tt_sorter_add (self->work);

  *work = (Work){ event->thread,
                  tt_sort_key (event->ts_ns),
                  tt_span_end (event->ts_ns, event->dur_ns),
                  event->name,
                  launch,
                  role == TT_ACTIVITY_KERNEL,
                  0 };
  if (self->result->exec_list != NULL && role == TT_ACTIVITY_KERNEL)
    work->config = tt_exec_list_read (self->result->exec_list, event->args, event->args_len);
  if (self->wants->listing == TT_LISTING_WORK)
    tt_event_list_add (self->result->events, event, role, event->name);
  tt_spreads_add (self->result->times, group, event->dur_ns);
  stream->n_kernels += role == TT_ACTIVITY_KERNEL;
  stream->n_copies += role == TT_ACTIVITY_COPY;
  stream->n_sets += role == TT_ACTIVITY_SET;
  if (role == TT_ACTIVITY_KERNEL)
    {
      if (self->result->grids != NULL)
        tt_grids_add (self->result->grids, group, event->args, event->args_len, event->dur_ns);
      return;
    }
  gint64 bytes = self->wants->copy_bytes == NULL ? -1 : self->wants->copy_bytes (event->args, event->args_len);
  if (bytes < 0)
    {
      self->result->n_unsized++;
      return;
    }
  tt_spreads_add (self->result->sizes, group, bytes);
  self->sized_ns_of_name[group] += event->dur_ns;
}

static void
list_one_by_one (Builder *self, const TtEvent *event)
{
  guint lists = self->names.lists[event->name];
  TtListing listing = self->wants->listing;
  TtActivityRole role = tt_device_roles_of (&self->roles, event->id);

  if (role == TT_ACTIVITY_TRACER)
    return;
  if (listing == TT_LISTING_CALLS && (lists & TT_KERNEL_API) != 0 && (event->flags & TT_FLAG_ASYNC) == 0)
    tt_event_list_add (self->result->events, event, role, event->name);
  else if (listing == TT_LISTING_RANGES && (lists & TT_KERNEL_RANGES) != 0)
    tt_event_list_add (self->result->events, event, role, self->names.groups[event->name]);
}

/* Asynchronous spans are listed in groups of their own. */
static void
list_host_span (Builder *self, const TtEvent *event, TtActivityRole role)
{
  gboolean is_async = (event->flags & TT_FLAG_ASYNC) != 0,
           is_range = (self->names.lists[event->name] & TT_KERNEL_RANGES) != 0;

  if ((self->names.lists[event->name] & self->wants->host_lists) == 0)
    return;
  list_one_by_one (self, event);

  if (is_async && is_range && tt_device_roles_of (&self->roles, event->id) != TT_ACTIVITY_TRACER)
    tt_spreads_add (self->result->times, self->names.n + self->names.groups[event->name], event->dur_ns);
  else if (!is_async && role != TT_ACTIVITY_TRACER)
    tt_spreads_add (self->result->times, self->names.groups[event->name], event->dur_ns);
}

/* Finds the operation and the ranges around calls. */
static gboolean
take_host_span (Builder *self, const TtEvent *event, TtLaunch *launch, GError **error)
{
  gboolean is_range = (self->names.lists[event->name] & TT_KERNEL_RANGES) != 0;
  gboolean is_operation =
      self->names.kinds[event->name] == TT_KERNEL_NAME_OTHER && (event->flags & TT_FLAG_WINDOW) == 0;
  gpointer outer = NULL;
  Around around = { 0 };

  if ((event->flags & TT_FLAG_ASYNC) != 0)
    return TRUE;
  if (!is_range && !is_operation)
    {
      if (!tt_span_parents_pass (self->parents, event, &outer, error))
        return FALSE;
      around = outer == NULL ? around : *(const Around *) outer;
    }
  else
    {
      Around *inside = tt_span_parents_add (self->parents, event, &outer, error);
      if (inside == NULL)
        return FALSE;
      around = outer == NULL ? around : *(const Around *) outer;
      *inside = around;
      if (is_operation)
        inside->operation = event->name;
      if (is_range)
        inside->annotation =
            tt_annotations_enter (self->annotations, around.annotation, self->names.groups[event->name]);
    }
  if (launch != NULL)
    {
      launch->operation = around.operation;
      launch->annotation = around.annotation;
    }
  return TRUE;
}

static gboolean
take_event (const TtEvent *event, gpointer data, GError **error)
{
  Builder *self = data;
  TtLaunch *launch;
  guint32 number = tt_launches_see (self->launches, event, &launch);

  if (event->dur_ns == TT_NO_TIME)
    return TRUE;
  TtActivityRole role = tt_device_roles_of_event (&self->roles, event);
  gboolean is_work = tt_activity_is_work (role);
  if (!is_work && self->names.lists[event->name] == 0)
    return tt_activity_is_mark (role) || take_host_span (self, event, launch, error);
  gboolean is_chosen = self->selection == NULL || tt_selection_matches (self->selection, event);
  if (is_work)
    {
      if (is_chosen)
        take_work (self, event, role, number);
      return TRUE;
    }
  if (tt_activity_is_mark (role))
    return TRUE;
  if (is_chosen)
    list_host_span (self, event, role);
  return take_host_span (self, event, launch, error);
}

/* Where no device did anything. */
static gboolean
take_host_event (const TtEvent *event, gpointer data, GError **error)
{
  Builder *self = data;

  (void) error;
  if (event->dur_ns != TT_NO_TIME && self->names.lists[event->name] != 0 &&
      (self->selection == NULL || tt_selection_matches (self->selection, event)))
    list_host_span (self, event, tt_device_roles_of_event (&self->roles, event));
  return TRUE;
}

static gboolean
has_host_lists (const Builder *self)
{
  guint8 all = 0;

  for (guint32 name = 0; name < self->names.n; name++)
    all |= self->names.lists[name];
  return (all & self->wants->host_lists) != 0;
}

static gboolean
scan (Builder *self, GError **error)
{
  const gboolean has_activity = self->roles.by_event != NULL;
  gboolean has_args =
      (has_activity && (self->wants->copy_bytes != NULL || self->wants->config != NULL)) || self->wants->facts != NULL;
  TtEventPart part = TT_EVENT_PART_ALL;

  part.flags = TT_SCAN_REVERSE | (has_args ? TT_SCAN_ARGS : 0);
  if (self->part != NULL)
    {
      part.first = self->part->first;
      part.last = self->part->last;
    }
  if (self->selection != NULL)
    tt_selection_window (self->selection, &part.begin_ns, &part.end_ns);
  return tt_launches_widen (self->launches, self->store, self->part, &part.begin_ns, &part.end_ns, error) &&
         (part.first > part.last || (!has_activity && !has_host_lists (self)) ||
          tt_each_event_of (self->store, &part, has_activity ? take_event : take_host_event, self, error)) &&
         tt_sorter_finish (self->work, error);
}

/* -- the work of each stream, in order ---------------------------------------------------------------------------- */

static void
add_launch (Builder *self, TtStreamRow *stream, const Work *work, gint64 begin_ns, const TtLaunch *launch)
{
  guint32 group = self->names.groups[work->name];
  gboolean is_short = work->end_ns - begin_ns < launch->end_ns - launch->begin_ns;

  stream->n_launched++;
  stream->n_short += is_short;
  self->n_short_of_name[group] += is_short;
  tt_spreads_add (self->result->delays, stream->thread, begin_ns - launch->begin_ns);
  tt_spreads_add (self->result->gaps, stream->thread, MAX (begin_ns - launch->end_ns, 0));
  tt_queues_add (self->queues, stream->thread, launch->begin_ns, work->end_ns);
  tt_annotations_add (self->annotations, launch->annotation, work->end_ns - begin_ns);
  if (!work->is_kernel)
    return;
  if (self->result->exec_list != NULL)
    {
      const TtExecItem item = { .thread = launch->thread,
                                .stream = stream->thread,
                                .call = launch->name,
                                .kernel = group,
                                .api = { launch->begin_ns, launch->end_ns },
                                .work = { begin_ns, work->end_ns } };
      tt_exec_list_add (self->result->exec_list, &item, work->config);
    }
  if (self->result->execs == NULL)
    return;
  const TtExecRow key = { .thread = launch->thread,
                          .device = tt_store_thread (self->store, stream->thread)->process,
                          .call = launch->name,
                          .kernel = group };
  tt_execs_add (self->result->execs, &key, (TtExecSpan){ launch->begin_ns, launch->end_ns },
                (TtExecSpan){ begin_ns, work->end_ns });
}

static gboolean
read_work (Builder *self, GError **error)
{
  const Work *work;
  GError *failure = NULL;

  while ((work = tt_sorter_next (self->work, &failure)) != NULL)
    {
      TtStreamRow *stream = &self->streams[work->thread];
      gint64 begin_ns = tt_sort_value (work->ts_key), length_ns = work->end_ns - begin_ns;
      const TtLaunch *launch = tt_launches_get (self->launches, work->launch);
      guint32 operation = launch == NULL ? 0 : launch->operation;
      TtOperatorRow *by = &self->operators[operation];

      if (stream->thread == 0)
        *stream = (TtStreamRow){ .thread = (guint32) work->thread,
                                 .n_kernels = stream->n_kernels,
                                 .n_copies = stream->n_copies,
                                 .n_sets = stream->n_sets,
                                 .first_ns = begin_ns,
                                 .last_ns = begin_ns };
      stream->total_ns += length_ns;
      stream->busy_ns += MAX (work->end_ns - MAX (begin_ns, stream->last_ns), 0);
      stream->last_ns = MAX (stream->last_ns, work->end_ns);
      by->operation = operation;
      by->n++;
      by->total_ns += length_ns;
      if (launch != NULL)
        add_launch (self, stream, work, begin_ns, launch);
      else
        self->result->n_unlaunched += work->is_kernel;
    }
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

/* -- rows ------------------------------------------------------------------------------------------------------------ */

static void
add_range_rows (Builder *self, guint32 name)
{
  const TtRangeRow row = { name, FALSE, tt_spreads_get (self->result->times, name),
                           *tt_annotations_get (self->annotations, name) };
  const TtRangeRow started = { name, TRUE, tt_spreads_get (self->result->times, self->names.n + name), { 0 } };

  if (row.time->n > 0 || row.work.n_work > 0)
    g_array_append_val (self->result->ranges, row);
  if (started.time->n > 0)
    g_array_append_val (self->result->ranges, started);
}

static void
add_host_rows (Builder *self, const TtKernelRow *row)
{
  TtKernels *result = self->result;
  guint lists = self->names.lists[row->name];

  if ((lists & TT_KERNEL_CALLS) != 0)
    g_array_append_vals (result->calls, row, 1);
  if ((lists & TT_KERNEL_API) != 0)
    g_array_append_vals (result->api, row, 1);
  if ((lists & TT_KERNEL_MPI) != 0)
    g_array_append_vals (result->mpi, row, 1);
  if ((lists & TT_KERNEL_OS) != 0)
    g_array_append_vals (result->os, row, 1);
  if ((lists & TT_KERNEL_OPENMP) != 0)
    g_array_append_vals (result->openmp, row, 1);
}

static void
add_name_rows (Builder *self)
{
  TtKernels *result = self->result;

  for (guint32 name = 1; name < self->names.n; name++)
    {
      const TtSpread *time = tt_spreads_get (result->times, name);
      const TtKernelRow row = { name, self->n_short_of_name[name], time };

      if ((self->names.lists[name] & TT_KERNEL_RANGES) != 0)
        add_range_rows (self, name);
      else if (time->n > 0 && self->names.lists[name] != 0)
        add_host_rows (self, &row);
    }
  tt_kernels_add_work_rows (result, &self->names, self->n_short_of_name, self->sized_ns_of_name);
  g_array_sort (result->calls, tt_kernel_compare_rows);
  g_array_sort (result->api, tt_kernel_compare_rows);
  g_array_sort (result->mpi, tt_kernel_compare_rows);
  g_array_sort (result->os, tt_kernel_compare_rows);
  g_array_sort (result->openmp, tt_kernel_compare_rows);
  g_array_sort (result->ranges, tt_kernel_compare_ranges);
}

static void
add_other_rows (Builder *self)
{
  TtKernels *result = self->result;

  for (guint32 name = 0; name < self->names.n; name++)
    if (self->operators[name].n > 0)
      g_array_append_val (result->operators, self->operators[name]);
  g_array_sort (result->operators, tt_kernel_compare_operators);
  for (guint32 thread = 1; thread <= tt_store_max_thread (self->store); thread++)
    {
      TtStreamRow *stream = &self->streams[thread];
      const TtQueue *queue = tt_queues_get (self->queues, thread);

      stream->delay = tt_spreads_get (result->delays, thread);
      stream->gap = tt_spreads_get (result->gaps, thread);
      stream->queue_sum = queue->sum;
      stream->queue_max = queue->max;
      if (stream->thread != 0)
        g_array_append_val (result->streams, *stream);
    }
  g_array_sort_with_data (result->streams, tt_kernel_compare_streams, self->store);
}

/* -- all --------------------------------------------------------------------------------------------------------------- */

void
tt_kernel_builder_clear (Builder *self)
{
  g_clear_pointer (&self->result, tt_kernels_free);
  tt_device_roles_clear (&self->roles);
  tt_launches_free (self->launches);
  tt_span_parents_free (self->parents);
  tt_sorter_free (self->work);
  tt_queues_free (self->queues);
  tt_kernel_names_clear (&self->names);
  tt_annotations_free (self->annotations);
  g_free (self->n_short_of_name);
  g_free (self->sized_ns_of_name);
  g_free (self->operators);
  g_free (self->streams);
}
static gboolean
finish_spreads (Builder *self, GError **error)
{
  TtKernels *result = self->result;

  tt_annotations_finish (self->annotations);
  return tt_spreads_finish (result->times, error) && tt_spreads_finish (result->sizes, error) &&
         tt_spreads_finish (result->delays, error) && tt_spreads_finish (result->gaps, error) &&
         tt_queues_finish (self->queues, error) && (result->grids == NULL || tt_grids_finish (result->grids, error)) &&
         (result->execs == NULL || tt_execs_finish (result->execs, error));
}

/* From where lists count their times. */
static gboolean
find_begin (TtStore *store, TtKernels *result, GError **error)
{
  g_autoptr (GError) fault = NULL;
  gint64 last_ns;

  if (result->exec_list == NULL && result->events == NULL)
    return TRUE;
  tt_store_main_range (store, &result->first_ns, &last_ns, &fault);
  if (fault == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&fault));
  return FALSE;
}

void
tt_kernel_builder_init (Builder *self, TtStore *store, const TtSelection *selection, const TtKernelWants *wants)
{
  TtKernels *result = tt_kernels_new_empty ();

  *self = (Builder){ .result = result, .store = store, .selection = selection, .wants = wants };
  result->exec_list = wants->has_exec_list ? tt_exec_list_new (wants->config) : NULL;
  result->grids =
      wants->config == NULL || wants->has_exec_list ? NULL : tt_grids_new (wants->config, wants->has_plain_grids);
  result->events = wants->listing != TT_LISTING_NONE ? tt_event_list_new (wants->facts) : NULL;
  result->execs = wants->has_execs ? tt_execs_new () : NULL;
  self->launches = tt_launches_new ();
  self->parents = tt_span_parents_new (tt_store_max_thread (store), sizeof (Around), NULL, NULL);
  self->work = tt_sorter_new (sizeof (Work), SORT_BYTES);
  self->queues = tt_queues_new (tt_store_max_thread (store));
}

gboolean
tt_kernel_builder_read (Builder *self, GError **error)
{
  return look_up_definitions (self, error) &&
         (self->roles.is_entangled || (scan (self, error) && read_work (self, error)));
}

gboolean
tt_kernel_builder_finish (Builder *self, GError **error)
{
  TtKernels *result = self->result;

  if (!finish_spreads (self, error) || !find_begin (self->store, result, error))
    return FALSE;
  if (result->exec_list != NULL)
    tt_exec_list_finish (result->exec_list);
  if (result->events != NULL)
    tt_event_list_finish (result->events);
  add_name_rows (self);
  add_other_rows (self);
  return TRUE;
}
