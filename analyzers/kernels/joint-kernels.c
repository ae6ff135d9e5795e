/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/kernels/builder-private.h"

#include "analyzers/spans/shares.h"

/* What goes to rank 0 is in its memory: more values than these are not sent. */
#define MAX_VALUES ((guint64) 1 << 24)

/* -- by name ---------------------------------------------------------------------------------------------------- */

/* Of names of which there is anything. */
typedef struct
{
  guint64 n_short;
  tt_int128 sized_ns;
  TtOperatorRow operator_row;
  TtAnnotationWork work;
} NameSums;

static NameSums
sums_of (const TtKernelBuilder *self, guint32 name)
{
  return (NameSums){ self->n_short_of_name[name], self->sized_ns_of_name[name], self->operators[name],
                     *tt_annotations_get (self->annotations, name) };
}

static gboolean
has_sums (const NameSums *sums)
{
  return sums->n_short > 0 || sums->sized_ns != 0 || sums->operator_row.n > 0 || sums->work.n_work > 0;
}

static void
pack_names (const TtKernelBuilder *self, GByteArray *bytes)
{
  for (guint32 name = 0; name < self->names.n; name++)
    {
      const NameSums sums = sums_of (self, name);
      if (!has_sums (&sums))
        continue;
      tt_pack_number (bytes, (guint64) name + 1);
      tt_pack_number (bytes, sums.n_short);
      tt_pack_wide (bytes, (tt_uint128) sums.sized_ns);
      tt_pack_number (bytes, sums.operator_row.n);
      tt_pack_wide (bytes, (tt_uint128) sums.operator_row.total_ns);
      tt_pack_number (bytes, sums.work.n_work);
      tt_pack_wide (bytes, (tt_uint128) sums.work.device_ns);
      tt_pack_wide (bytes, (tt_uint128) sums.work.own_ns);
    }
  tt_pack_number (bytes, 0);
}

static void
unpack_names (TtKernelBuilder *self, TtUnpack *from)
{
  guint64 name_plus_1;

  while ((name_plus_1 = tt_unpack_below (from, self->names.n)) > 0 && !from->is_bad)
    {
      const guint32 name = (guint32) name_plus_1 - 1;
      TtOperatorRow *row = &self->operators[name];
      TtAnnotationWork work;

      self->n_short_of_name[name] += tt_unpack_number (from);
      self->sized_ns_of_name[name] += (tt_int128) tt_unpack_wide (from);
      row->operation = name;
      row->n += tt_unpack_number (from);
      row->total_ns += (tt_int128) tt_unpack_wide (from);
      work.n_work = tt_unpack_number (from);
      work.device_ns = (tt_int128) tt_unpack_wide (from);
      work.own_ns = (tt_int128) tt_unpack_wide (from);
      tt_annotations_add_work (self->annotations, name, &work);
    }
}

/* -- by stream -------------------------------------------------------------------------------------------------- */

static void
pack_streams (const TtKernelBuilder *self, GByteArray *bytes)
{
  for (guint64 thread = 1; thread <= tt_store_max_thread (self->store); thread++)
    {
      const TtStreamRow *row = &self->streams[thread];
      const TtQueue *queue = tt_queues_get (self->queues, (guint32) thread);

      if (row->thread == 0)
        continue;
      tt_pack_number (bytes, thread);
      tt_pack_number (bytes, row->n_kernels);
      tt_pack_number (bytes, row->n_copies);
      tt_pack_number (bytes, row->n_sets);
      tt_pack_wide (bytes, (tt_uint128) row->total_ns);
      tt_pack_signed (bytes, row->busy_ns);
      tt_pack_signed (bytes, row->first_ns);
      tt_pack_signed (bytes, row->last_ns);
      tt_pack_number (bytes, row->n_launched);
      tt_pack_number (bytes, row->n_short);
      tt_pack_number (bytes, queue->n_launches);
      tt_pack_number (bytes, queue->sum);
      tt_pack_number (bytes, queue->max);
    }
  tt_pack_number (bytes, 0);
}

/* *@is_odd: work of a stream is in the files of two ranks. */
static void
unpack_streams (TtKernelBuilder *self, TtUnpack *from, gboolean *is_odd)
{
  guint64 thread;

  while ((thread = tt_unpack_below (from, tt_store_max_thread (self->store))) > 0 && !from->is_bad)
    {
      TtStreamRow *row = &self->streams[thread];
      TtQueue queue;

      *is_odd |= row->thread != 0;
      row->thread = (guint32) thread;
      row->n_kernels = tt_unpack_number (from);
      row->n_copies = tt_unpack_number (from);
      row->n_sets = tt_unpack_number (from);
      row->total_ns = (tt_int128) tt_unpack_wide (from);
      row->busy_ns = tt_unpack_signed (from);
      row->first_ns = tt_unpack_signed (from);
      row->last_ns = tt_unpack_signed (from);
      row->n_launched = tt_unpack_number (from);
      row->n_short = tt_unpack_number (from);
      queue.n_launches = tt_unpack_number (from);
      queue.sum = tt_unpack_number (from);
      queue.max = tt_unpack_number (from);
      tt_queues_set (self->queues, (guint32) thread, &queue);
    }
}

/* -- a part -------------------------------------------------------------------------------------------------------- */

static gboolean
pack_values (TtKernelBuilder *self, GByteArray *bytes, guint64 *n_values, GError **error)
{
  TtSpreads *const spreads[] = { self->result->times, self->result->sizes, self->result->delays, self->result->gaps };
  guint64 n = 0;

  *n_values = 0;
  for (guint i = 0; i < G_N_ELEMENTS (spreads); i++, *n_values += n)
    if (!tt_spreads_pack (spreads[i], bytes, MAX_VALUES, &n, error))
      return FALSE;
  if (self->result->grids == NULL)
    return TRUE;
  if (!tt_grids_pack (self->result->grids, bytes, MAX_VALUES, &n, error))
    return FALSE;
  *n_values += n;
  return TRUE;
}

static GByteArray *
pack_part (TtKernelBuilder *self, GError **error)
{
  g_autoptr (GByteArray) values = g_byte_array_new (), bytes = g_byte_array_new ();
  guint64 n_values;

  tt_annotations_finish (self->annotations);
  if (!tt_queues_finish (self->queues, error) || !pack_values (self, values, &n_values, error))
    return NULL;
  tt_pack_number (bytes, n_values > MAX_VALUES);
  if (n_values > MAX_VALUES)
    return g_steal_pointer (&bytes);
  tt_pack_number (bytes, self->result->n_unsized);
  tt_pack_number (bytes, self->result->n_unlaunched);
  pack_names (self, bytes);
  pack_streams (self, bytes);
  g_byte_array_append (bytes, values->data, values->len);
  return g_steal_pointer (&bytes);
}

/* On rank 0, before what it has itself is finished. *@is_odd: one process has to read all. FALSE: it cannot be right. */
static gboolean
add_part (TtKernelBuilder *self, const GByteArray *said, gboolean *is_odd)
{
  TtUnpack from = tt_unpack_all (said);
  TtKernels *result = self->result;
  const guint32 n_threads = tt_store_max_thread (self->store) + 1;

  *is_odd |= tt_unpack_below (&from, 1) != 0;
  if (*is_odd)
    return !from.is_bad;
  result->n_unsized += tt_unpack_number (&from);
  result->n_unlaunched += tt_unpack_number (&from);
  unpack_names (self, &from);
  unpack_streams (self, &from, is_odd);
  tt_spreads_unpack (result->times, &from, NULL, 2 * self->names.n);
  tt_spreads_unpack (result->sizes, &from, NULL, self->names.n);
  tt_spreads_unpack (result->delays, &from, NULL, n_threads);
  tt_spreads_unpack (result->gaps, &from, NULL, n_threads);
  if (result->grids != NULL)
    tt_grids_unpack (result->grids, &from, self->names.n);
  return !from.is_bad;
}

/* -- by several ranks -------------------------------------------------------------------------------------------------- */

gboolean
tt_kernel_wants_are_brief (const TtKernelWants *wants, const TtSelection *selection)
{
  return wants->is_brief && (selection == NULL || tt_selection_is_everything (selection));
}

/* Lists of single kernels and events are made by one process. */
static gboolean
plan_part (TtStore *store,
           const TtSelection *selection,
           const TtKernelWants *wants,
           const TtCrew *crew,
           TtDevicePart *part)
{
  part->crew = crew;
  if (crew == NULL || tt_kernel_wants_are_brief (wants, selection) || wants->listing != TT_LISTING_NONE ||
      wants->has_execs || wants->has_exec_list || tt_event_shares_count (store, crew->n) < 2)
    return FALSE;
  tt_event_share (store, crew->n, crew->rank, &part->first, &part->last);
  return TRUE;
}

gboolean
tt_kernels_help (TtStore *store,
                 const TtSelection *selection,
                 const TtKernelWants *wants,
                 const TtCrew *crew,
                 GError **error)
{
  g_auto (TtKernelBuilder) builder = { 0 };
  TtDevicePart part;
  GError *failure = NULL;

  if (!plan_part (store, selection, wants, crew, &part))
    return TRUE;
  tt_kernel_builder_init (&builder, store, selection, wants);
  builder.part = &part;
  if (tt_kernel_builder_read (&builder, &failure) && !builder.roles.is_entangled)
    {
      g_autoptr (GByteArray) said = pack_part (&builder, &failure);
      if (said != NULL)
        crew->give (said);
    }
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

/* As rank 0. */
static gboolean
take_parts (TtKernelBuilder *self, gboolean *is_odd, GError **error)
{
  const TtCrew *crew = self->part->crew;

  if (!tt_kernel_builder_read (self, error))
    return FALSE;
  *is_odd = self->roles.is_entangled;
  for (guint rank = 1; !*is_odd && rank < crew->n; rank++)
    {
      g_autoptr (GByteArray) said = crew->take (rank, error);
      if (said == NULL || (!add_part (self, said, is_odd) && !tt_crew_refuse (rank, error)))
        return FALSE;
    }
  return *is_odd || tt_kernel_builder_finish (self, error);
}

TtKernels *
tt_kernel_parts_join (TtStore *store,
                      const TtSelection *selection,
                      const TtKernelWants *wants,
                      const TtCrew *crew,
                      gboolean *is_odd,
                      GError **error)
{
  g_auto (TtKernelBuilder) builder = { 0 };
  TtDevicePart part;
  GError *own = NULL;

  *is_odd = !plan_part (store, selection, wants, crew, &part);
  if (*is_odd)
    return NULL;
  crew->call (crew->id);
  tt_kernel_builder_init (&builder, store, selection, wants);
  builder.part = &part;
  const gboolean done = take_parts (&builder, is_odd, &own);
  if (tt_crew_end (crew, done, own, error))
    return *is_odd ? NULL : g_steal_pointer (&builder.result);
  *is_odd = FALSE;
  return NULL;
}
