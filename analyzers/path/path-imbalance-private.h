/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What path-imbalance.c and joint-imbalance.c share: what operations take, of the path and of each place.
 */
#pragma once

#include "analyzers/path/path-imbalance.h"
#include "analyzers/spans/op-table.h"
#include "analyzers/waits/waits.h"
#include "src/base/map64.h"

#define TT_NO_PLACE G_MAXUINT32

/* Of the path, with the message that it came with. */
typedef struct
{
  gint64 begin_ns, end_ns;
  guint32 thread;
} TtPathPiece;

/* What a place spends on an operation. */
typedef struct
{
  guint32 place, op;
  gint64 ns;
} TtPlaceTime;

typedef struct
{
  TtStore *store;
  const TtCriticalPath *path;
  const TtDeviceRoles *roles; /* of the events that are scanned */
  TtOpTable *ops;
  GArray *by_op;     /* of TtOpImpact */
  GArray *times;     /* of TtPlaceTime */
  TtMap64 number_of; /* of these, by (place, operation) */
  guint32 *place_of; /* by thread; TT_NO_PLACE */
} TtImpactFinder;

/* Each thread is a place. */
void
tt_impact_finder_init (TtImpactFinder *self, TtStore *store, const TtCriticalPath *path, const TtDeviceRoles *roles);
void tt_impact_finder_clear (TtImpactFinder *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtImpactFinder, tt_impact_finder_clear)

/* Where all threads of the run are known: which are of one place. */
void tt_impact_finder_number_places (TtImpactFinder *self, TtPathImbalance *result);

/* Of TtPathPiece. */
GArray *tt_impact_pieces (const TtCriticalPath *path);
/* Of the events from @first to @last, what lies in @pieces; and of the threads that have them, but for @waits, in the time of the path. */
gboolean tt_impact_scan_path (TtImpactFinder *self, const GArray *pieces, guint64 first, guint64 last, GError **error);
gboolean
tt_impact_scan_places (TtImpactFinder *self, const TtWaits *waits, guint64 first, guint64 last, GError **error);

void tt_impact_add_on_path (TtImpactFinder *self, guint32 name, gint64 ns);
/* @place: of @thread. */
void tt_impact_add_time (TtImpactFinder *self, guint32 thread, guint32 name, gint64 ns);
/* Of all that was found. */
void tt_impact_finish (TtImpactFinder *self, TtPathImbalance *result);
TtPathImbalance *tt_path_imbalance_new_empty (void);
