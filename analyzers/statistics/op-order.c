/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/op-order.h"

#include "analyzers/spans/each-event.h"
#include "analyzers/statistics/span-keys.h"
#include "src/base/sorter.h"
#include "src/store/time-shares.h"

#define SORT_MEMORY ((gsize) 24 << 20)
#define TALLY_MEMORY ((gsize) 16 << 20)
#define NOT_SELECTED G_MAXUINT32

typedef struct
{
  TtSpanKey key;
  gint64 dur_ns;
  guint32 group; /* of the scan, or NOT_SELECTED */
  gint32 step;
} SpanRecord;

typedef struct
{
  TtOpOrder *order;
  TtSpanKeys *keys;
  TtGrouping *found;        /* groups as they are read */
  GArray *operation_plus_1; /* guint32, by group of @found; 0: not yet in order */
  TtSorter *spans;
  gint64 begin_ns, last_ns; /* of begins that are read now, both included */
} Builder;

static void
builder_clear (Builder *self)
{
  g_clear_pointer (&self->keys, tt_span_keys_free);
  g_clear_pointer (&self->found, tt_grouping_free);
  g_clear_pointer (&self->operation_plus_1, g_array_unref);
  g_clear_pointer (&self->spans, tt_sorter_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Builder, builder_clear)

/* -- a part of the time ------------------------------------------------------------------------------ */

static gboolean
take_event (const TtEvent *event, gpointer data, GError **error)
{
  Builder *self = data;
  TtOpOrder *order = self->order;
  TtSpanKey key;

  (void) error;
  if (event->ts_ns < self->begin_ns || event->ts_ns > self->last_ns || !tt_span_keys_get (self->keys, event, &key))
    return TRUE;
  SpanRecord *record = tt_sorter_add (self->spans);
  const gboolean is_selected = order->selection == NULL || tt_selection_matches (order->selection, event);
  record->key = key;
  record->dur_ns = tt_span_keys_duration (self->keys, event);
  record->group = is_selected ? tt_grouping_group (self->found, event->thread, event->name, TT_NO_STEP) : NOT_SELECTED;
  record->step = event->step;
  order->max_step = MAX (order->max_step, event->step);
  return TRUE;
}

static guint32
operation_of (Builder *self, guint32 group)
{
  if (group >= self->operation_plus_1->len)
    g_array_set_size (self->operation_plus_1, group + 1);
  guint32 *operation_plus_1 = &g_array_index (self->operation_plus_1, guint32, group);
  if (G_UNLIKELY (*operation_plus_1 == 0))
    {
      const TtGroupMember member = tt_grouping_member (self->found, group);
      *operation_plus_1 = tt_grouping_group (self->order->grouping, member.thread, member.name, TT_NO_STEP) + 1;
    }
  return *operation_plus_1 - 1;
}

/* Numbers the spans and, at their first span, the operations. */
static gboolean
number_spans (Builder *self, GError **error)
{
  TtOpOrder *order = self->order;
  const SpanRecord *span;
  GError *failure = NULL;

  if (!tt_sorter_finish (self->spans, error))
    return FALSE;
  for (; (span = tt_sorter_next (self->spans, &failure)) != NULL; order->n_spans++)
    {
      if (span->group == NOT_SELECTED)
        continue;
      const guint32 operation = operation_of (self, span->group);
      tt_tally_add (order->tally, operation, span->dur_ns, 0, 0);
      tt_span_places_add (order->places, operation, span->step, order->n_spans);
    }
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

static gboolean
read_part (Builder *self, GError **error)
{
  return self->begin_ns > self->last_ns || (tt_each_event_between (self->order->store, TT_SCAN_DEFAULT, self->begin_ns,
                                                                   self->last_ns, take_event, self, error) &&
                                            number_spans (self, error));
}

/* -- all of it --------------------------------------------------------------------------------------- */

/* When part @part of @n begins and ends; the last one has what begins at the greatest time. FALSE: it is not known, or @error. */
static gboolean
plan_part (TtStore *store, guint n, guint part, gint64 *begin_ns, gint64 *last_ns, GError **error)
{
  gboolean is_known;

  *begin_ns = G_MININT64;
  *last_ns = G_MAXINT64;
  if (n == 1)
    return TRUE;
  g_autofree gint64 *begins = g_new (gint64, n);
  if (!tt_store_time_shares (store, n, begins, &is_known, error) || !is_known)
    return FALSE;
  *begin_ns = begins[part];
  if (part + 1 < n)
    *last_ns = begins[part + 1] - 1;
  return TRUE;
}

static gboolean
build (TtOpOrder *order, gint64 begin_ns, gint64 last_ns, GError **error)
{
  const TtGroupKeys keys = { .n = 1, .key = { TT_KEY_OP_LONG_NAME } };
  g_auto (Builder) self = { .order = order, .begin_ns = begin_ns, .last_ns = last_ns };

  order->grouping = tt_grouping_new (order->store, &keys);
  order->tally = tt_tally_new (TALLY_MEMORY);
  order->places = tt_span_places_new ();
  self.keys = tt_span_keys_new (order->store, error);
  if (self.keys == NULL)
    return FALSE;
  self.found = tt_grouping_new (order->store, &keys);
  self.operation_plus_1 = g_array_new (FALSE, TRUE, sizeof (guint32));
  self.spans = tt_sorter_new (sizeof (SpanRecord), SORT_MEMORY);
  return read_part (&self, error) && tt_tally_finish (order->tally, error) && tt_span_places_finish (order->places, error);
}

TtOpOrder *
tt_op_order_new (TtStore *store,
                 const TtSelection *selection,
                 guint n_parts,
                 guint part,
                 gboolean *is_known,
                 GError **error)
{
  gint64 begin_ns, last_ns;

  *is_known = plan_part (store, n_parts, part, &begin_ns, &last_ns, error);
  if (!*is_known)
    return NULL;
  g_autoptr (TtOpOrder) self = g_new0 (TtOpOrder, 1);
  self->store = store;
  self->selection = selection;
  self->max_step = TT_NO_STEP;
  return build (self, begin_ns, last_ns, error) ? g_steal_pointer (&self) : NULL;
}

void
tt_op_order_free (TtOpOrder *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->grouping, tt_grouping_free);
  g_clear_pointer (&self->tally, tt_tally_free);
  g_clear_pointer (&self->places, tt_span_places_free);
  g_free (self);
}
