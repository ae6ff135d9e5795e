/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtRegionHistory: the parallel regions that a process has run, and whether each was recorded.
 *
 * Regions that their source has numbered are found by number, the others by time. Both kinds are kept small: of the
 * numbered ones only those recorded, of the others neighbours that were decided alike become one.
 */
#pragma once

#include "formats/pinsight/span-facts.h"
#include "formats/pinsight/trace-config.h"

/* What was decided about a region. */
typedef struct
{
  gboolean is_recorded;
  const TtConfigLexgion *lexgion;
} TtRegionDecision;

typedef struct
{
  GHashTable *numbered; /* code pointer -> the regions with numbers */
  GArray *by_time;      /* of the others, in the order of their begins; NULL: none */
} TtRegionHistory;

/* A region without a number. */
typedef struct
{
  gint64 begin_ns, end_ns; /* G_MAXINT64: not known yet */
  guint32 token;           /* 0: ended */
  guint32 thread;
  TtRegionDecision decision;
} TtRegionStretch;

void tt_region_history_init (TtRegionHistory *self);
void tt_region_history_clear (TtRegionHistory *self);

static inline gboolean
tt_region_has_number (const TtSpanFacts *facts)
{
  return facts->parallel_codeptr != 0 && facts->parallel_record_id >= 0;
}

void
tt_region_history_add_numbered (TtRegionHistory *self, const TtSpanFacts *facts, const TtRegionDecision *decision);
/* FALSE: not known. */
gboolean
tt_region_history_find_numbered (const TtRegionHistory *self, const TtSpanFacts *facts, TtRegionDecision *decision);

void tt_region_history_add_stretch (TtRegionHistory *self, const TtRegionStretch *stretch);
void tt_region_history_end_stretch (TtRegionHistory *self, guint32 token, gint64 end_ns);
gboolean tt_region_history_find_by_time (const TtRegionHistory *self, gint64 ts_ns, TtRegionDecision *decision);
