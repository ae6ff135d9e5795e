/*
 * TtFlowJoin: points of flows on their way to rows, and the rule by which they meet.
 *
 * The points of a key form one flow in the order (time, row). A start begins a chain; each step and end continues
 * it; consecutive points of a chain are a pair. Points without a span are left out beforehand. The store and the
 * exporters that have no store join by this one rule, a source at a time, for a key contains its source.
 * Memory is bounded: points are sorted on a temporary file when they are many.
 */
#pragma once

#include "src/batch.h"
#include "src/repairs.h"
#include "src/sorter.h"

typedef struct
{
  guint64 key, ts; /* ts: a sort key, see tt_flow_point_ns() */
  const char *kind;
  guint32 owner; /* see TtOwnerColumns */
  guint32 phase; /* TtFlowPhase */
} TtFlowPoint;

static inline gint64
tt_flow_point_ns (const TtFlowPoint *point)
{
  return tt_sort_value (point->ts);
}

typedef struct _TtFlowJoin TtFlowJoin;

TtFlowJoin *tt_flow_join_new (void);
void tt_flow_join_free (TtFlowJoin *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtFlowJoin, tt_flow_join_free)

void tt_flow_join_add (TtFlowJoin *self, const TtFlowPointColumns *points);

/* Whether the owner, which is not 0, has a span. */
typedef gboolean (*TtFlowHasSpan) (guint32 owner, gpointer data);
/* FALSE with @error ends the joining. */
typedef gboolean (*TtFlowPair) (const TtFlowPoint *from, const TtFlowPoint *to, gpointer data, GError **error);

/* Joins what was added, in (key, time, row) order, and begins anew. What finds no partner or no span is counted. */
gboolean tt_flow_join_finish (TtFlowJoin *self,
                              TtFlowHasSpan has_span,
                              TtFlowPair pair,
                              gpointer data,
                              TtRepairs *repairs,
                              GError **error);
