/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtRecordExportItems: a run as enters, leaves, messages and values, in the order in which they are written.
 *
 * Spans are read backwards: ids follow the ends, so that with the depths the enters and leaves of a thread come out
 * exactly nested, also where times are equal or step back. A message goes between the records of its span. Threads are
 * merged by time.
 */
#pragma once

#include "formats/record-export/attached.h"
#include "formats/record-export/details.h"
#include "formats/record-export/item.h"
#include "formats/record-export/run.h"

typedef struct _TtRecordExportItems TtRecordExportItems;

/* @unit_ns: of the format's times. @with_details: instants, spans on no stack, flows, and what there is beside names and times are
 * items, too; flows of a selection are not, for some of their ends may not be in it. */
TtRecordExportItems *tt_record_export_items_new (TtStore *store,
                                                 TtSelection *selection,
                                                 gint64 unit_ns,
                                                 gboolean with_details,
                                                 TtRecordExportReport *report,
                                                 GError **error);
void tt_record_export_items_free (TtRecordExportItems *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtRecordExportItems, tt_record_export_items_free)

/* NULL: the end, or an error. */
const TtRecordExportItem *tt_record_export_items_next (TtRecordExportItems *self, GError **error);

/* The last time of a thread; FALSE: nothing of it is written. */
gboolean tt_record_export_items_last (const TtRecordExportItems *self, guint32 thread, gint64 *time);
/* Whether an item has the name, or the series. */
gboolean tt_record_export_items_uses_name (const TtRecordExportItems *self, guint32 name);
gboolean tt_record_export_items_uses_series (const TtRecordExportItems *self, guint32 series);
gboolean tt_record_export_items_has_onesided (const TtRecordExportItems *self);
/* NULL without details. */
TtRecordExportDetails *tt_record_export_items_details (const TtRecordExportItems *self);
const TtRecordExportFlowKind *tt_record_export_items_flow_kind (const TtRecordExportItems *self, guint32 kind);
/* To be subtracted from the values of a metric, so that they count from 0 on the thread. */
gint64 tt_record_export_items_metric_base (const TtRecordExportItems *self, guint32 thread, guint32 series);
