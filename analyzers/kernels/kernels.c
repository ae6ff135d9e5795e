/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/kernels/kernels.h"

#include <string.h>

#include "analyzers/devices/launches.h"
#include "analyzers/kernels/queue.h"
#include "analyzers/process-order.h"
#include "analyzers/spans/each-event.h"
#include "analyzers/spans/parents.h"
#include "src/base/array.h"
#include "src/base/sorter.h"
#include "src/trace/span.h"

#define SORT_BYTES ((gsize) 64 << 20)

/* Work of a device, by stream and begin. */
typedef struct
{
  guint64 thread, ts_key;
  gint64 end_ns;
  guint32 name, launch;
} Work;

typedef enum
{
  NAME_OTHER,     /* of an operation */
  NAME_NO_LAUNCH, /* of a call to a runtime: no operation */
  NAME_CALL,      /* likewise, and listed */
} NameKind;

typedef struct
{
  TtKernels *result;
  TtStore *store;
  const TtSelection *selection;
  TtCopyBytes copy_bytes;
  TtDeviceRoles roles;
  TtLaunches *launches;
  TtSpanParents *parents; /* payload: guint32, the operation that what is inside belongs to */
  guint8 *kind_of_name;
  guint32 *group_of_name; /* copies and sets of one direction have one */
  TtSorter *work;
  TtQueues *queues;

  guint64 *n_short_of_name;
  tt_int128 *sized_ns_of_name;
  TtOperatorRow *operators; /* by name */
  TtStreamRow *streams;     /* by thread */
} Builder;

/* -- names ---------------------------------------------------------------------------------------------------- */

typedef struct
{
  Builder *builder;
  GHashTable *first_of_direction; /* sub_op -> name */
} Classifier;

static gboolean
is_runtime_group (const char *group)
{
  return group != NULL && (g_str_has_suffix (group, "_runtime") || g_str_has_suffix (group, "_driver") ||
                           g_str_has_prefix (group, "HIP_") || g_str_has_prefix (group, "HSA_"));
}

static gboolean
classify_name (const TtStoredName *name, gpointer data)
{
  Classifier *self = data;
  gboolean is_call = g_strcmp0 (name->op_cat, "RT") == 0 || is_runtime_group (name->group);

  self->builder->kind_of_name[name->id] = is_call                                 ? NAME_CALL
                                          : g_strcmp0 (name->op_cat, "SYNC") == 0 ? NAME_NO_LAUNCH
                                                                                  : NAME_OTHER;
  self->builder->group_of_name[name->id] = name->id;
  if (g_strcmp0 (name->op_cat, "MEM") != 0)
    return TRUE;
  const char *direction = name->sub_op != NULL ? name->sub_op : "";
  guint32 first = GPOINTER_TO_UINT (g_hash_table_lookup (self->first_of_direction, direction));
  if (first == 0)
    g_hash_table_insert (self->first_of_direction, g_strdup (direction), GUINT_TO_POINTER (name->id));
  else
    self->builder->group_of_name[name->id] = first;
  return TRUE;
}

static gboolean
look_up_definitions (Builder *self, GError **error)
{
  gsize n_names = (gsize) tt_store_max_name (self->store) + 1, n_threads = (gsize) tt_store_max_thread (self->store) + 1;
  g_autoptr (GHashTable) directions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Classifier classifier = { self, directions };

  self->kind_of_name = g_new0 (guint8, n_names);
  self->group_of_name = g_new0 (guint32, n_names);
  self->n_short_of_name = g_new0 (guint64, n_names);
  self->sized_ns_of_name = g_new0 (tt_int128, n_names);
  self->operators = g_new0 (TtOperatorRow, n_names);
  self->streams = g_new0 (TtStreamRow, n_threads);
  return tt_store_each_name (self->store, classify_name, &classifier, error) &&
         tt_launches_load (self->launches, &self->roles, self->store, error);
}

/* -- one scan --------------------------------------------------------------------------------------------------- */

static void
take_work (Builder *self, const TtEvent *event, TtActivityRole role, guint32 launch)
{
  TtStreamRow *stream = &self->streams[event->thread];
  guint32 group = self->group_of_name[event->name];
  Work *work = tt_sorter_add (self->work);

  *work = (Work){ event->thread, tt_sort_key (event->ts_ns), tt_span_end (event->ts_ns, event->dur_ns), event->name, launch };
  tt_spreads_add (self->result->times, group, event->dur_ns);
  stream->n_kernels += role == TT_ACTIVITY_KERNEL;
  stream->n_copies += role == TT_ACTIVITY_COPY;
  stream->n_sets += role == TT_ACTIVITY_SET;
  if (role == TT_ACTIVITY_KERNEL || self->copy_bytes == NULL || event->args == NULL)
    return;
  gint64 bytes = self->copy_bytes (event->args, event->args_len);
  if (bytes < 0)
    return;
  tt_spreads_add (self->result->sizes, group, bytes);
  self->sized_ns_of_name[group] += event->dur_ns;
}

/* Finds the operation around calls, and lists the calls. */
static gboolean
take_host_span (Builder *self, const TtEvent *event, gboolean is_chosen, TtLaunch *launch, GError **error)
{
  NameKind kind = (NameKind) self->kind_of_name[event->name];
  gpointer around = NULL;

  if ((event->flags & TT_FLAG_ASYNC) != 0)
    return TRUE;
  if (kind == NAME_CALL && is_chosen)
    tt_spreads_add (self->result->times, event->name, event->dur_ns);
  if (kind != NAME_OTHER || (event->flags & TT_FLAG_WINDOW) != 0)
    {
      if (!tt_span_parents_pass (self->parents, event, &around, error))
        return FALSE;
    }
  else
    {
      guint32 *operation = tt_span_parents_add (self->parents, event, &around, error);
      if (operation == NULL)
        return FALSE;
      *operation = event->name;
    }
  if (launch != NULL)
    launch->operation = around == NULL ? 0 : *(const guint32 *) around;
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
  gboolean is_chosen = self->selection == NULL || tt_selection_matches (self->selection, event);
  if (!tt_activity_is_work (role))
    return tt_activity_is_mark (role) ||
           take_host_span (self, event, is_chosen && role != TT_ACTIVITY_TRACER, launch, error);
  if (is_chosen)
    take_work (self, event, role, number);
  return TRUE;
}

static gboolean
scan (Builder *self, GError **error)
{
  TtScanFlags flags = TT_SCAN_REVERSE | (self->copy_bytes != NULL ? TT_SCAN_ARGS : 0);

  return tt_each_event (self->store, flags, take_event, self, error) && tt_sorter_finish (self->work, error);
}

/* -- the work of each stream, in order ---------------------------------------------------------------------------- */

static void
add_launch (Builder *self, TtStreamRow *stream, const Work *work, gint64 begin_ns, const TtLaunch *launch)
{
  guint32 group = self->group_of_name[work->name];
  gboolean is_short = work->end_ns - begin_ns < launch->end_ns - launch->begin_ns;

  stream->n_launched++;
  stream->n_short += is_short;
  self->n_short_of_name[group] += is_short;
  tt_spreads_add (self->result->delays, stream->thread, begin_ns - launch->begin_ns);
  tt_spreads_add (self->result->gaps, stream->thread, MAX (begin_ns - launch->end_ns, 0));
  tt_queues_add (self->queues, stream->thread, launch->begin_ns, work->end_ns);
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
        *stream = (TtStreamRow){ .thread = (guint32) work->thread, .n_kernels = stream->n_kernels,
                                 .n_copies = stream->n_copies, .n_sets = stream->n_sets,
                                 .first_ns = begin_ns, .last_ns = begin_ns };
      stream->total_ns += length_ns;
      stream->busy_ns += MAX (work->end_ns - MAX (begin_ns, stream->last_ns), 0);
      stream->last_ns = MAX (stream->last_ns, work->end_ns);
      by->operation = operation;
      by->n++;
      by->total_ns += length_ns;
      if (launch != NULL)
        add_launch (self, stream, work, begin_ns, launch);
    }
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

/* -- rows ------------------------------------------------------------------------------------------------------------ */

static int
compare_totals (tt_int128 a, tt_int128 b, guint32 first, guint32 second)
{
  return a != b ? (a < b ? 1 : -1) : first < second ? -1 : first > second;
}

static int
compare_kernels (gconstpointer a, gconstpointer b)
{
  const TtKernelRow *x = a, *y = b;

  return compare_totals (x->time->sum, y->time->sum, x->name, y->name);
}

static int
compare_copies (gconstpointer a, gconstpointer b)
{
  const TtCopyRow *x = a, *y = b;

  return compare_totals (x->time->sum, y->time->sum, x->name, y->name);
}

static int
compare_operators (gconstpointer a, gconstpointer b)
{
  const TtOperatorRow *x = a, *y = b;

  return compare_totals (x->total_ns, y->total_ns, x->operation, y->operation);
}

static int
compare_streams (gconstpointer a, gconstpointer b, gpointer store)
{
  const TtStreamRow *x = a, *y = b;
  const TtProcess *first = tt_store_process (store, tt_store_thread (store, x->thread)->process);
  const TtProcess *second = tt_store_process (store, tt_store_thread (store, y->thread)->process);
  int by_rank = tt_process_order (store, first->owner, second->owner);

  return by_rank != 0 ? by_rank : x->thread < y->thread ? -1 : x->thread > y->thread;
}

/* Whether the name is one of a copy or set: what the first of its direction is. */
static gboolean
is_copy (Builder *self, guint32 name)
{
  const TtStoredName *found = tt_store_peek_name (self->store, name);

  return found != NULL && g_strcmp0 (found->op_cat, "MEM") == 0;
}

static void
add_name_rows (Builder *self)
{
  TtKernels *result = self->result;

  for (guint32 name = 1; name < tt_spreads_n_groups (result->times); name++)
    {
      const TtSpread *time = tt_spreads_get (result->times, name);
      const TtKernelRow row = { name, self->n_short_of_name[name], time };
      const TtCopyRow copy = { name, time, tt_spreads_get (result->sizes, name), self->sized_ns_of_name[name] };

      if (time->n == 0)
        continue;
      if (self->kind_of_name[name] == NAME_CALL)
        g_array_append_val (result->calls, row);
      else if (is_copy (self, name))
        g_array_append_val (result->copies, copy);
      else
        g_array_append_val (result->kernels, row);
    }
  g_array_sort (result->kernels, compare_kernels);
  g_array_sort (result->calls, compare_kernels);
  g_array_sort (result->copies, compare_copies);
}

static void
add_other_rows (Builder *self)
{
  TtKernels *result = self->result;

  for (guint32 name = 0; name <= tt_store_max_name (self->store); name++)
    if (self->operators[name].n > 0)
      g_array_append_val (result->operators, self->operators[name]);
  g_array_sort (result->operators, compare_operators);
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
  g_array_sort_with_data (result->streams, compare_streams, self->store);
}

/* -- all --------------------------------------------------------------------------------------------------------------- */

static void
builder_clear (Builder *self)
{
  tt_device_roles_clear (&self->roles);
  tt_launches_free (self->launches);
  tt_span_parents_free (self->parents);
  tt_sorter_free (self->work);
  tt_queues_free (self->queues);
  g_free (self->kind_of_name);
  g_free (self->group_of_name);
  g_free (self->n_short_of_name);
  g_free (self->sized_ns_of_name);
  g_free (self->operators);
  g_free (self->streams);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Builder, builder_clear)

TtKernels *
tt_kernels_new (TtStore *store, const TtSelection *selection, TtCopyBytes copy_bytes, GError **error)
{
  g_autoptr (TtKernels) self = g_new0 (TtKernels, 1);
  g_auto (Builder) builder = { .result = self, .store = store, .selection = selection, .copy_bytes = copy_bytes };

  self->kernels = g_array_new (FALSE, FALSE, sizeof (TtKernelRow));
  self->calls = g_array_new (FALSE, FALSE, sizeof (TtKernelRow));
  self->copies = g_array_new (FALSE, FALSE, sizeof (TtCopyRow));
  self->operators = g_array_new (FALSE, FALSE, sizeof (TtOperatorRow));
  self->streams = g_array_new (FALSE, FALSE, sizeof (TtStreamRow));
  self->times = tt_spreads_new ();
  self->sizes = tt_spreads_new ();
  self->delays = tt_spreads_new ();
  self->gaps = tt_spreads_new ();
  builder.launches = tt_launches_new ();
  builder.parents = tt_span_parents_new (tt_store_max_thread (store), sizeof (guint32), NULL, NULL);
  builder.work = tt_sorter_new (sizeof (Work), SORT_BYTES);
  builder.queues = tt_queues_new (tt_store_max_thread (store));
  if (!look_up_definitions (&builder, error) || !scan (&builder, error) || !read_work (&builder, error) ||
      !tt_spreads_finish (self->times, error) || !tt_spreads_finish (self->sizes, error) ||
      !tt_spreads_finish (self->delays, error) || !tt_spreads_finish (self->gaps, error) ||
      !tt_queues_finish (builder.queues, error))
    return NULL;
  add_name_rows (&builder);
  add_other_rows (&builder);
  return g_steal_pointer (&self);
}

void
tt_kernels_free (TtKernels *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->kernels);
  g_array_unref (self->calls);
  g_array_unref (self->copies);
  g_array_unref (self->operators);
  g_array_unref (self->streams);
  tt_spreads_free (self->times);
  tt_spreads_free (self->sizes);
  tt_spreads_free (self->delays);
  tt_spreads_free (self->gaps);
  g_free (self);
}
