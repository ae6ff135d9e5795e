/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtFlowJoin: joins the points of flows to pairs, which become rows.
 *
 * The points of a key form one flow in the order (time, row). A start begins a chain; each step and end continues
 * it; consecutive points of a chain are a pair, but a consumer ends pairs only: what follows it is reached from the
 * point before. Points without a span are left out beforehand. The store and the exporters that have no store join by
 * this one rule, a source at a time: keys of different sources never meet, and need not differ.
 * Memory is bounded: points wait and are sorted on temporary files when they are many. Owners are asked for in the
 * order of the points, which is near that of their numbers; afterwards the keys decide, which may be hashes.
 */
#pragma once

#include "src/trace/batch.h"
#include "src/trace/repairs.h"
#include "src/base/sorter.h"

/* For keys that are mixed, whatever the source: what follows from them is then the same beside any other inputs. */
#define TT_FLOW_SALT 1u

typedef struct
{
  guint64 key, ts; /* ts: a sort key, see tt_flow_point_ns() */
  const TtFlowKind *kind;
  guint32 owner; /* see TtOwnerColumns */
  guint32 phase; /* TtFlowPhase */
} TtFlowPoint;

static inline gint64
tt_flow_point_ns (const TtFlowPoint *point)
{
  return tt_sort_value (point->ts);
}

/* What the owner of a point was found to be. */
static inline gconstpointer
tt_flow_point_span (const TtFlowPoint *point)
{
  return point + 1;
}

typedef struct _TtFlowJoin TtFlowJoin;

/* @span_size: of what is known of a span, a multiple of 8. */
TtFlowJoin *tt_flow_join_new (gsize span_size);
void tt_flow_join_free (TtFlowJoin *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtFlowJoin, tt_flow_join_free)

void tt_flow_join_add (TtFlowJoin *self, const TtFlowPointColumns *points);

/* Fills in @span, of the join's span_size; FALSE: the owner has none. Owner 0 is never asked for. */
typedef gboolean (*TtFlowFindSpan) (guint32 owner, gpointer span, gpointer data);
/* FALSE with @error ends the joining. */
typedef gboolean (*TtFlowPair) (const TtFlowPoint *from, const TtFlowPoint *to, gpointer data, GError **error);

/* Joins what was added, in (key, time, row) order, and starts again. Points without a partner or a span are counted. */
gboolean tt_flow_join_finish (TtFlowJoin *self,
                              TtFlowFindSpan find_span,
                              TtFlowPair pair,
                              gpointer data,
                              TtRepairs *repairs,
                              GError **error);
