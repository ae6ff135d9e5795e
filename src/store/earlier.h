/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtEarlier: ranks of a run that all end before the others begin, although they call each other.
 *
 * A call needs both at one time. Clocks that differ would do as well: they are taken for that where the two are of
 * different machines, or of unknown ones, and less than a minute lies between. Ranks of one machine have one clock, of
 * which a second is enough. Other programs start later than that, and no clock is the cause.
 */
#pragma once

#include "src/store/store.h"

typedef struct
{
  gint64 gap_ns;           /* 0: there are none */
  guint n_before, n_after; /* ranks */
  gint64 begin_ns;         /* of the first after the gap */
  char *host;              /* of ranks on both sides, or NULL */
  GPtrArray *pids;         /* of those before */
} TtEarlier;

/* The widest gap of the run. */
gboolean tt_earlier_find (TtEarlier *self, TtStore *store, guint32 run, GError **error);
/* Of the store (const TtSource *): those of the ranks before, in order; what holds others as well is none. */
GPtrArray *tt_earlier_sources (const TtEarlier *self, TtStore *store, guint32 run, GError **error);
void tt_earlier_clear (TtEarlier *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtEarlier, tt_earlier_clear)
