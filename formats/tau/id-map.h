/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTauIdMap: numbers below 2^40 that are not 0, by event ids.
 *
 * TAU counts its ids up, so that those below a cap are found as in an array, in pieces that are made when they are
 * needed: at most 42 MB whatever the ids are. The others are in a TtSlots, whose memory is bounded, too.
 */
#pragma once

#include "src/base/slots.h"

#define TT_TAU_MAX_NUMBER (((guint64) 1 << 40) - 1)

typedef struct _TtTauIdMap TtTauIdMap;

TtTauIdMap *tt_tau_id_map_new (void);
void tt_tau_id_map_free (TtTauIdMap *self);

/* 0: none. */
guint64 tt_tau_id_map_get (TtTauIdMap *self, gint64 id);
/* Adds the number, or replaces the one that is there. */
void tt_tau_id_map_set (TtTauIdMap *self, gint64 id, guint64 number);

gboolean tt_tau_id_map_check (const TtTauIdMap *self, GError **error);
