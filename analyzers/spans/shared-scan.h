/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSharedScan: a reverse scan of spans, of which each rank of a crew has a part: whole sources, or, where these would be dealt out
 * unevenly, equal parts of them. Of a source that is cut a rank also reads the pieces in which something may be around its own spans.
 *
 * Rank 0 has the last ids, with which a scan of all begins; what ranks tell is therefore put together in their order. Where spans of a source that is
 * cut are no stack for each thread, parts do not tell what is around them: they are odd, and one has to read all.
 */
#pragma once

#include "analyzers/spans/each-event.h"
#include "analyzers/spans/shares.h"
#include "src/base/crew.h"
#include "src/base/packed.h"
#include "src/trace/lane.h"

typedef struct
{
  TtStore *store;
  const TtCrew *crew;
  gboolean is_shared, is_cut;
  TtEventCut part;     /* of this rank */
  TtLane *lanes;       /* by thread, where sources are cut: where the last span ended */
  TtLane *first_lanes; /* likewise, the first of the part */
  guint32 max_thread;
  gboolean is_around; /* what the scan tells now belongs to others */
  gboolean is_odd;
} TtSharedScan;

/* All ranks plan the same. @crew: NULL: nothing is shared. @can_cut: whether parts of a source can be put together. */
void tt_shared_scan_init (TtSharedScan *self, TtStore *store, const TtCrew *crew, gboolean can_cut);
void tt_shared_scan_clear (TtSharedScan *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtSharedScan, tt_shared_scan_clear)

/* Whose each event is; one that nobody has is rank 0's. */
void tt_shared_scan_owners (const TtSharedScan *self, TtEventOwners *owners);

/* What is around the part, then the part, those between @begin_ns and @end_ns. An error that may come from what is not read makes it odd instead. */
gboolean tt_shared_scan_run (TtSharedScan *self,
                             gint64 begin_ns,
                             gint64 end_ns,
                             TtEventFunc func,
                             gpointer data,
                             GError **error);

/* Where a part begins and ends on each thread, for who puts them together. */
void tt_shared_scan_pack (const TtSharedScan *self, GByteArray *bytes);

/* What a rank says behind that. FALSE: it cannot be put together with the rest. What cannot be right is bad. */
typedef gboolean (*TtSharedPartFunc) (TtUnpack *from, gpointer data);
/* On rank 0, when it has read its part: @func for each other rank, as long as no part is odd. *@is_odd: one is. */
gboolean
tt_shared_scan_join (TtSharedScan *self, TtSharedPartFunc func, gpointer data, gboolean *is_odd, GError **error);

typedef struct
{
  TtLane *lanes; /* by thread: the last of the parts so far */
  guint32 max_thread;
  gboolean is_odd;
} TtSharedParts;

void tt_shared_parts_init (TtSharedParts *self, guint32 max_thread);
void tt_shared_parts_clear (TtSharedParts *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtSharedParts, tt_shared_parts_clear)
/* The next rank's, rank 0 being the first. What cannot be right is bad. */
void tt_shared_parts_take (TtSharedParts *self, TtUnpack *from);
