/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtKeptEvents: which events of the selected runs a span filter keeps, asked again over what is stored.
 *
 * The filter sees definitions, then the begins of all events in the order of their times, and on each thread an outer
 * span before what is inside it. One bit an event stays in memory; the rest is sorted in bounded memory.
 */
#pragma once

#include "src/trace/span-filter.h"
#include "src/store/store.h"

typedef struct _TtKeptEvents TtKeptEvents;

TtKeptEvents *tt_kept_events_new (TtStore *store, TtSpanFilter *filter, GError **error);
void tt_kept_events_free (TtKeptEvents *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtKeptEvents, tt_kept_events_free)

/* By bit: event ids start at *first. Borrowed. */
const guint8 *tt_kept_events_bits (const TtKeptEvents *self, guint64 *first, guint64 *n);
