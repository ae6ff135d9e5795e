/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/flow-join.h"

#include <string.h>

#include "src/base/progress.h"
#include "src/base/spill.h"

#define SORT_BYTES ((gsize) 8 << 20)
#define CACHE_BYTES ((gsize) 1 << 20)
#define CHECK_EVERY 65536u

struct _TtFlowJoin
{
  gsize span_size;
  TtSpill *points; /* of TtFlowPoint, as they came; NULL: none yet */
  guint64 n;
};

TtFlowJoin *
tt_flow_join_new (gsize span_size)
{
  TtFlowJoin *self = g_new0 (TtFlowJoin, 1);

  self->span_size = span_size;
  return self;
}

void
tt_flow_join_free (TtFlowJoin *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->points, tt_spill_free);
  g_free (self);
}

void
tt_flow_join_add (TtFlowJoin *self, const TtFlowPointColumns *points)
{
  if (points->n > 0 && self->points == NULL)
    self->points = tt_spill_new (CACHE_BYTES);
  for (guint i = 0; i < points->n; i++)
    {
      TtFlowPoint point = {
        .key = points->key[i],
        .ts = tt_sort_key (points->ts_ns[i]),
        .kind = points->kind[i],
        .owner = points->owner[i],
        .phase = points->phase[i],
      };

      tt_spill_write (self->points, self->n++ * sizeof point, &point, sizeof point);
    }
}

/* -- with their spans -------------------------------------------------------------------------------------- */

static TtSorter *
sort_points (TtFlowJoin *self, TtFlowFindSpan find_span, gpointer data, TtRepairs *repairs, GError **error)
{
  g_autoptr (TtSorter) sorter = tt_sorter_new (sizeof (TtFlowPoint) + self->span_size, SORT_BYTES);
  g_autofree guint8 *span = g_malloc0 (self->span_size);

  tt_sorter_sort_ahead (sorter);
  for (guint64 i = 0; i < self->n; i++)
    {
      TtFlowPoint point;

      tt_spill_read (self->points, i * sizeof point, &point, sizeof point);
      if (point.owner == 0 || !find_span (point.owner, span, data))
        {
          tt_repairs_add (repairs, TT_REPAIR_FLOW_WITHOUT_SPAN, 0);
          continue;
        }
      guint8 *record = tt_sorter_add (sorter);
      memcpy (record, &point, sizeof point);
      memcpy (record + sizeof point, span, self->span_size);
      if (i % CHECK_EVERY == CHECK_EVERY - 1 && tt_cancelled (error))
        return NULL;
    }
  if (!tt_spill_check (self->points, error) || !tt_sorter_finish (sorter, error))
    return NULL;
  return g_steal_pointer (&sorter);
}

/* -- chains -------------------------------------------------------------------------------------------------- */

/* The chain that the last point of the key belongs to. */
typedef struct
{
  TtFlowPoint *last; /* with its span */
  gsize size;
  gboolean is_open, is_paired; /* there is a chain; its start has been paired */
} Chain;

static void
end_chain (Chain *chain, TtRepairs *repairs)
{
  if (chain->is_open && !chain->is_paired && !chain->last->kind->is_open)
    tt_repairs_add (repairs, TT_REPAIR_FLOW_UNPAIRED, 0);
  chain->is_open = chain->is_paired = FALSE;
}

static gboolean
join_point (Chain *chain, const TtFlowPoint *point, TtFlowPair pair, gpointer data, TtRepairs *repairs, GError **error)
{
  if (chain->is_open && chain->last->key != point->key)
    end_chain (chain, repairs);
  if (point->phase == TT_FLOW_START)
    {
      end_chain (chain, repairs);
      chain->is_open = TRUE;
    }
  else if (!chain->is_open)
    {
      tt_repairs_add (repairs, TT_REPAIR_FLOW_UNPAIRED, 0);
      return TRUE;
    }
  else
    {
      chain->is_paired = TRUE;
      if (!pair (chain->last, point, data, error))
        return FALSE;
      if (point->phase == TT_FLOW_CONSUMER)
        return TRUE;
    }
  memcpy (chain->last, point, chain->size);
  return TRUE;
}

static gboolean
join (TtSorter *points, Chain *chain, TtFlowPair pair, gpointer data, TtRepairs *repairs, GError **error)
{
  g_autoptr (GError) failed = NULL;
  const TtFlowPoint *point;
  guint n = 0;

  while ((point = tt_sorter_next (points, &failed)) != NULL)
    {
      if (!join_point (chain, point, pair, data, repairs, error))
        return FALSE;
      if (++n % CHECK_EVERY == 0 && tt_cancelled (error))
        return FALSE;
    }
  end_chain (chain, repairs);
  if (failed == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failed));
  return FALSE;
}

gboolean
tt_flow_join_finish (TtFlowJoin *self,
                     TtFlowFindSpan find_span,
                     TtFlowPair pair,
                     gpointer data,
                     TtRepairs *repairs,
                     GError **error)
{
  if (self->points == NULL)
    return TRUE;

  g_autoptr (TtSorter) points = sort_points (self, find_span, data, repairs, error);
  Chain chain = { .size = sizeof (TtFlowPoint) + self->span_size };

  g_clear_pointer (&self->points, tt_spill_free);
  self->n = 0;
  if (points == NULL)
    return FALSE;
  chain.last = g_malloc0 (chain.size);
  gboolean done = join (points, &chain, pair, data, repairs, error);
  g_free (chain.last);
  return done;
}
