/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtRecordExportDetails: what formats that have room for it write of an event beside its name and times, kept until its record is
 * written. Beyond some megabytes it lies in a temporary file.
 */
#pragma once

#include "src/store/scan.h"

typedef struct
{
  guint32 flags; /* without those that nesting and the name tell again */
  gint32 step;
  guint32 depth;
  guint32 args_len; /* 0: none */
  gint64 dur_ns, self_ns;
} TtRecordExportDetail;

typedef struct _TtRecordExportDetails TtRecordExportDetails;

TtRecordExportDetails *tt_record_export_details_new (void);
void tt_record_export_details_free (TtRecordExportDetails *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtRecordExportDetails, tt_record_export_details_free)

/* Where they are kept; 0: the event has none, unless it @is_needed. Arguments that are longer than TT_LONG_ARGS are left out, which
 * *n_left_out counts. */
gint64 tt_record_export_details_add (TtRecordExportDetails *self,
                                     const TtEvent *event,
                                     gboolean is_needed,
                                     guint64 *n_left_out);
/* Into @args, empty if there are none. */
void tt_record_export_details_get (TtRecordExportDetails *self, gint64 at, TtRecordExportDetail *detail, GString *args);
gboolean tt_record_export_details_check (const TtRecordExportDetails *self, GError **error);
