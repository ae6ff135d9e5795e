/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTauExportItems: a run as the records of a TAU trace, in the order in which they are written.
 *
 * Spans are read backwards: ids follow the ends, so that with the depths the enters and leaves of a thread come out
 * exactly nested, also where times are equal or step back. A message goes between the records of its span. Threads are
 * merged by time.
 */
#pragma once

#include "formats/tau-export/item.h"
#include "formats/tau-export/numbers.h"
#include "formats/tau-export/tau-export.h"

typedef struct _TtTauExportItems TtTauExportItems;

/* @numbers: for the nodes of messages. */
TtTauExportItems *tt_tau_export_items_new (TtStore *store,
                              TtSelection *selection,
                              const TtTauExportNumbers *numbers,
                              TtTauExportReport *report,
                              GError **error);
void tt_tau_export_items_free (TtTauExportItems *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtTauExportItems, tt_tau_export_items_free)

/* NULL: the end, or an error. */
const TtTauExportItem *tt_tau_export_items_next (TtTauExportItems *self, GError **error);

/* The last time of a thread; FALSE: nothing of it is written. */
gboolean tt_tau_export_items_last (const TtTauExportItems *self, guint32 thread, gint64 *us);
/* Whether an item has the name, or the series. */
gboolean tt_tau_export_items_uses_name (const TtTauExportItems *self, guint32 name);
gboolean tt_tau_export_items_uses_series (const TtTauExportItems *self, guint32 series);
gboolean tt_tau_export_items_has_onesided (const TtTauExportItems *self);
/* To be subtracted from the values of a metric, so that they count from 0 on the thread. */
gint64 tt_tau_export_items_metric_base (const TtTauExportItems *self, guint32 thread, guint32 series);
