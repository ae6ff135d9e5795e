/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/op-sums.h"

#include "analyzers/spans/each-event.h"
#include "analyzers/spans/shares.h"
#include "analyzers/statistics/span-keys.h"
#include "src/base/compare.h"
#include "src/base/packed.h"

typedef struct
{
  TtSpanKey first;
  guint64 first_event;
  TtOpSum sum;
} Operation;

typedef struct
{
  TtStore *store;
  const TtSelection *selection;
  TtSpanKeys *keys;
  TtGrouping *grouping;
  GArray *operations; /* of Operation, by group */
} Sums;

static void
sums_clear (Sums *self)
{
  g_clear_pointer (&self->keys, tt_span_keys_free);
  g_clear_pointer (&self->grouping, tt_grouping_free);
  g_clear_pointer (&self->operations, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Sums, sums_clear)

static int
compare_first (gconstpointer a, gconstpointer b)
{
  const Operation *x = a, *y = b;
  int order = TT_COMPARE (x->first.ts_key, y->first.ts_key);

  if (order == 0)
    order = TT_COMPARE (x->first.name_process, y->first.name_process);
  return order != 0 ? order : TT_COMPARE (x->first_event, y->first_event);
}

/* Some spans of one operation. */
static inline void
add_spans (Sums *self, const Operation *spans)
{
  const TtGroupMember *member = &spans->sum.member;
  const guint32 group = tt_grouping_group (self->grouping, member->thread, member->name, TT_NO_STEP);

  if (G_UNLIKELY (group == self->operations->len))
    {
      g_array_append_val (self->operations, *spans);
      return;
    }
  Operation *operation = &g_array_index (self->operations, Operation, group);
  operation->sum.count += spans->sum.count;
  operation->sum.sum_ns += spans->sum.sum_ns;
  if (G_LIKELY (compare_first (spans, operation) > 0))
    return;
  operation->first = spans->first;
  operation->first_event = spans->first_event;
  operation->sum.member = *member;
}

static gboolean
take_event (const TtEvent *event, gpointer data, GError **error)
{
  Sums *self = data;
  Operation span = { .first_event = event->id,
                     .sum = { .member = { .name = event->name, .thread = event->thread }, .count = 1 } };

  (void) error;
  if (!tt_span_keys_get (self->keys, event, &span.first) ||
      (self->selection != NULL && !tt_selection_matches (self->selection, event)))
    return TRUE;
  span.sum.sum_ns = tt_span_keys_duration (self->keys, event);
  add_spans (self, &span);
  return TRUE;
}

/* Spans count wherever they are: what is around them is not asked. */
static gboolean
scan (Sums *self, const TtCrew *crew, GError **error)
{
  TtEventPart part = TT_EVENT_PART_ALL;
  TtEventCut cut;

  if (self->selection != NULL)
    tt_selection_window (self->selection, &part.begin_ns, &part.end_ns);
  if (crew != NULL)
    {
      tt_event_share_cut (self->store, crew->n, crew->rank, &cut);
      part.first = cut.first;
      part.last = cut.last;
    }
  self->keys = tt_span_keys_new (self->store, error);
  return self->keys != NULL &&
         (part.first > part.last || tt_each_event_of (self->store, &part, take_event, self, error));
}

/* -- what ranks say ------------------------------------------------------------------------------- */

static GByteArray *
pack_operations (const Sums *self)
{
  GByteArray *bytes = g_byte_array_new ();

  tt_pack_number (bytes, self->operations->len);
  for (guint i = 0; i < self->operations->len; i++)
    {
      const Operation *operation = &g_array_index (self->operations, Operation, i);
      tt_pack_number (bytes, operation->sum.member.name);
      tt_pack_number (bytes, operation->sum.member.thread);
      tt_pack_number (bytes, operation->first.ts_key);
      tt_pack_number (bytes, operation->first.name_process);
      tt_pack_number (bytes, operation->first_event);
      tt_pack_number (bytes, operation->sum.count);
      tt_pack_wide (bytes, (tt_uint128) operation->sum.sum_ns);
    }
  return bytes;
}

static gboolean
add_other (Sums *self, guint rank, const GByteArray *bytes, GError **error)
{
  TtUnpack from = tt_unpack_all (bytes);
  const guint64 n = tt_unpack_number (&from);

  for (guint64 i = 0; i < n && !from.is_bad; i++)
    {
      Operation spans = { 0 };
      spans.sum.member.name = (guint32) tt_unpack_below (&from, tt_store_max_name (self->store));
      spans.sum.member.thread = (guint32) tt_unpack_below (&from, tt_store_max_thread (self->store));
      spans.first.ts_key = tt_unpack_number (&from);
      spans.first.name_process = tt_unpack_number (&from);
      spans.first_event = tt_unpack_number (&from);
      spans.sum.count = tt_unpack_number (&from);
      spans.sum.sum_ns = (tt_int128) tt_unpack_wide (&from);
      from.is_bad |= spans.sum.count == 0;
      if (!from.is_bad)
        add_spans (self, &spans);
    }
  return !from.is_bad || tt_crew_refuse (rank, error);
}

static gboolean
add_others (Sums *self, const TtCrew *crew, GError **error)
{
  for (guint rank = 1; rank < crew->n; rank++)
    {
      g_autoptr (GByteArray) bytes = crew->take (rank, error);
      if (bytes == NULL || !add_other (self, rank, bytes, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
share (Sums *self, const TtCrew *crew, GError **error)
{
  GError *own = NULL;

  crew->call (crew->id);
  const gboolean done = scan (self, crew, &own) && add_others (self, crew, &own);
  return tt_crew_end (crew, done, own, error);
}

/* As another rank than 0. */
static gboolean
help (Sums *self, const TtCrew *crew, GError **error)
{
  if (!scan (self, crew, error))
    return FALSE;
  g_autoptr (GByteArray) bytes = pack_operations (self);
  crew->give (bytes);
  g_array_set_size (self->operations, 0);
  return TRUE;
}

/* ------------------------------------------------------------------------------------------------ */

GArray *
tt_op_sums_new (TtStore *store, const TtSelection *selection, const TtCrew *crew, GError **error)
{
  const TtGroupKeys keys = { .n = 1, .key = { TT_KEY_OP_LONG_NAME } };
  g_auto (Sums)
      self = { store, selection, NULL, tt_grouping_new (store, &keys), g_array_new (FALSE, FALSE, sizeof (Operation)) };

  if (!(crew == NULL      ? scan (&self, NULL, error)
        : crew->rank == 0 ? share (&self, crew, error)
                          : help (&self, crew, error)))
    return NULL;
  g_array_sort (self.operations, compare_first);
  GArray *sums = g_array_sized_new (FALSE, FALSE, sizeof (TtOpSum), self.operations->len);
  for (guint i = 0; i < self.operations->len; i++)
    g_array_append_val (sums, g_array_index (self.operations, Operation, i).sum);
  return sums;
}
