#include "config.h"

#include "src/flow-join.h"

#include "src/progress.h"

#define SORT_BYTES ((gsize) 8 << 20)
#define CHECK_EVERY 65536u

struct _TtFlowJoin
{
  TtSorter *points; /* of TtFlowPoint; NULL: none yet */
};

TtFlowJoin *
tt_flow_join_new (void)
{
  return g_new0 (TtFlowJoin, 1);
}

void
tt_flow_join_free (TtFlowJoin *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->points, tt_sorter_free);
  g_free (self);
}

void
tt_flow_join_add (TtFlowJoin *self, const TtFlowPointColumns *points)
{
  if (points->n > 0 && self->points == NULL)
    self->points = tt_sorter_new (sizeof (TtFlowPoint), SORT_BYTES);
  for (guint i = 0; i < points->n; i++)
    {
      TtFlowPoint *point = tt_sorter_add (self->points);

      point->key = points->key[i];
      point->ts = tt_sort_key (points->ts_ns[i]);
      point->kind = points->kind[i];
      point->owner = points->owner[i];
      point->phase = points->phase[i];
    }
}

/* The chain that the last point of the key belongs to. */
typedef struct
{
  TtFlowPoint last;
  gboolean is_open, is_paired; /* there is a chain; its start has been paired */
} Chain;

static void
end_chain (Chain *chain, TtRepairs *repairs)
{
  if (chain->is_open && !chain->is_paired)
    tt_repairs_add (repairs, TT_REPAIR_FLOW_UNPAIRED, 0);
  chain->is_open = chain->is_paired = FALSE;
}

static gboolean
take_point (Chain *chain, const TtFlowPoint *point, TtFlowPair pair, gpointer data, TtRepairs *repairs, GError **error)
{
  if (chain->is_open && chain->last.key != point->key)
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
      if (!pair (&chain->last, point, data, error))
        return FALSE;
    }
  chain->last = *point;
  return TRUE;
}

static gboolean
join (TtSorter *points, TtFlowHasSpan has_span, TtFlowPair pair, gpointer data, TtRepairs *repairs, GError **error)
{
  g_autoptr (GError) failed = NULL;
  const TtFlowPoint *point;
  Chain chain = { 0 };
  guint n = 0;

  while ((point = tt_sorter_next (points, &failed)) != NULL)
    {
      if (point->owner == 0 || !has_span (point->owner, data))
        tt_repairs_add (repairs, TT_REPAIR_FLOW_WITHOUT_SPAN, 0);
      else if (!take_point (&chain, point, pair, data, repairs, error))
        return FALSE;
      if (++n % CHECK_EVERY == 0 && tt_cancelled (error))
        return FALSE;
    }
  end_chain (&chain, repairs);
  if (failed == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failed));
  return FALSE;
}

gboolean
tt_flow_join_finish (TtFlowJoin *self,
                     TtFlowHasSpan has_span,
                     TtFlowPair pair,
                     gpointer data,
                     TtRepairs *repairs,
                     GError **error)
{
  g_autoptr (TtSorter) points = g_steal_pointer (&self->points);

  if (points == NULL)
    return TRUE;
  return tt_sorter_finish (points, error) && join (points, has_span, pair, data, repairs, error);
}
