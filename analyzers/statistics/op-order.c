/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/op-order.h"

#include "analyzers/statistics/span-keys.h"
#include "src/base/progress.h"
#include "src/base/sorter.h"

#define SORT_MEMORY ((gsize) 24 << 20)
#define TALLY_MEMORY ((gsize) 16 << 20)
#define ROWS_PER_CHECK 65536
#define NOT_SELECTED G_MAXUINT32

typedef struct
{
  TtSpanKey key;
  gint64 dur_ns;
  guint32 group; /* or NOT_SELECTED */
  gint32 step;
} SpanRecord;

typedef struct
{
  guint64 id;
  guint64 step_key;
  guint64 index;
} PlaceRecord;

struct _TtOpOrder
{
  TtStore *store;
  TtSelection *selection;
  TtGrouping *grouping;
  TtSpanKeys *keys;
  TtSorter *spans, *places;
  TtTally *tally;
  GArray *groups; /* guint32, by id */
  guint32 next_id;
  gint32 max_step;
};

/* -- collecting ---------------------------------------------------------------------------------- */

static void
add_span (TtOpOrder *self, const TtEvent *event)
{
  gboolean is_selected = self->selection == NULL || tt_selection_matches (self->selection, event);
  TtSpanKey key;

  if (!tt_span_keys_get (self->keys, event, &key))
    return;
  SpanRecord *record = tt_sorter_add (self->spans);
  record->key = key;
  record->dur_ns = tt_span_keys_duration (self->keys, event);
  record->group =
      is_selected ? tt_grouping_group (self->grouping, event->thread, event->name, TT_NO_STEP) : NOT_SELECTED;
  record->step = event->step;
  self->max_step = MAX (self->max_step, event->step);
}

static gboolean
collect_spans (TtOpOrder *self, GError **error)
{
  TtEventScan *scan = tt_event_scan_new (self->store, TT_SCAN_DEFAULT, error);
  g_autoptr (TtProgress) progress = tt_progress_new ("reading", tt_store_n_events (self->store), "events");
  TtEvent event;
  guint64 n = 0;
  gboolean is_cancelled = FALSE;

  if (scan == NULL)
    return FALSE;
  while (!is_cancelled && tt_event_scan_next (scan, &event))
    {
      add_span (self, &event);
      if (++n % ROWS_PER_CHECK == 0)
        {
          tt_progress_add (progress, ROWS_PER_CHECK);
          is_cancelled = tt_cancelled (error);
        }
    }
  return tt_event_scan_finish (scan, is_cancelled ? NULL : error) && !is_cancelled &&
         tt_sorter_finish (self->spans, error);
}

/* Numbers the spans and, at their first span, the operations. */
static gboolean
number_spans (TtOpOrder *self, GError **error)
{
  g_autofree guint32 *id_plus_1 = g_new0 (guint32, (gsize) tt_grouping_count (self->grouping) + 1);
  const SpanRecord *span;
  GError *failure = NULL;

  for (guint64 index = 0; (span = tt_sorter_next (self->spans, &failure)) != NULL; index++)
    {
      if (span->group == NOT_SELECTED)
        continue;
      if (id_plus_1[span->group] == 0)
        {
          g_array_append_val (self->groups, span->group);
          id_plus_1[span->group] = self->groups->len;
        }

      guint32 id = id_plus_1[span->group] - 1;
      tt_tally_add (self->tally, id, span->dur_ns, 0, 0);
      if (self->places != NULL && (self->max_step == TT_NO_STEP || span->step != TT_NO_STEP))
        *(PlaceRecord *) tt_sorter_add (self->places) = (PlaceRecord){ id, tt_sort_key (span->step), index };
    }
  g_clear_pointer (&self->spans, tt_sorter_free);
  if (failure == NULL)
    return tt_tally_finish (self->tally, error) && (self->places == NULL || tt_sorter_finish (self->places, error));
  g_propagate_error (error, failure);
  return FALSE;
}

TtOpOrder *
tt_op_order_new (TtStore *store, TtSelection *selection, gboolean with_places, GError **error)
{
  const TtGroupKeys keys = { .n = 1, .key = { TT_KEY_OP_LONG_NAME } };
  g_autoptr (TtOpOrder) self = g_new0 (TtOpOrder, 1);

  self->store = store;
  self->selection = selection;
  self->grouping = tt_grouping_new (store, &keys);
  self->spans = tt_sorter_new (sizeof (SpanRecord), SORT_MEMORY);
  self->places = with_places ? tt_sorter_new (sizeof (PlaceRecord), SORT_MEMORY) : NULL;
  self->tally = tt_tally_new (TALLY_MEMORY);
  self->groups = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->max_step = TT_NO_STEP;
  self->keys = tt_span_keys_new (store, error);
  if (self->keys == NULL || !collect_spans (self, error) || !number_spans (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
tt_op_order_free (TtOpOrder *self)
{
  if (self == NULL)
    return;
  tt_grouping_free (self->grouping);
  tt_span_keys_free (self->keys);
  g_clear_pointer (&self->spans, tt_sorter_free);
  g_clear_pointer (&self->places, tt_sorter_free);
  tt_tally_free (self->tally);
  g_array_unref (self->groups);
  g_free (self);
}

/* -- asking -------------------------------------------------------------------------------------- */

gint32
tt_op_order_max_step (const TtOpOrder *self)
{
  return self->max_step;
}

guint
tt_op_order_count (const TtOpOrder *self)
{
  return self->groups->len;
}

gboolean
tt_op_order_next (TtOpOrder *self, TtOpOrderRow *row, GError **error)
{
  if (!tt_tally_next (self->tally, &row->sums, error))
    return FALSE;
  row->id = row->sums.group;
  row->member = tt_grouping_member (self->grouping, g_array_index (self->groups, guint32, row->id));
  return TRUE;
}

char *
tt_op_order_long_name (const TtOpOrder *self, const TtOpOrderRow *row)
{
  return tt_group_key_label (self->store, TT_KEY_OP_LONG_NAME, TT_NO_ID, row->member,
                             tt_store_name (self->store, row->member.name));
}

gboolean
tt_op_order_next_place (TtOpOrder *self, TtOpPlace *place, GError **error)
{
  const PlaceRecord *record = tt_sorter_next (self->places, error);

  if (record == NULL)
    return FALSE;
  *place = (TtOpPlace){ (guint32) record->id, (gint32) tt_sort_value (record->step_key), record->index };
  return TRUE;
}
