/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtRecordExportDetails: what formats that have room for it write of an event beside its name and times, kept until its record is
 * written. Beyond some megabytes it lies in a temporary file.
 */
#pragma once

#include "formats/record-export/item.h"
#include "src/store/scan.h"
#include "src/trace/activity.h"

/* What stands beside the row of an event. */
typedef struct
{
  TtActivity activity;     /* role TT_ACTIVITY_NONE: it has nothing to do with a device */
  TtRecordExportCall call; /* of a collective, of which root (process, or TT_NO_ID) and comm are */
  gint64 root, comm;
} TtRecordExportBeside;

typedef struct
{
  guint32 flags;
  gint32 step;
  guint32 depth;
  guint32 args_len; /* 0: none */
  gint64 dur_ns, self_ns;
  TtRecordExportBeside beside;
} TtRecordExportDetail;

typedef struct _TtRecordExportDetails TtRecordExportDetails;

TtRecordExportDetails *tt_record_export_details_new (void);
void tt_record_export_details_free (TtRecordExportDetails *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtRecordExportDetails, tt_record_export_details_free)

/* Those of @flags that nesting and records of calls do not tell again. */
guint32 tt_record_export_own_flags (guint32 flags);

/* Where they are kept; 0: the event has none, unless it @is_needed. Arguments that are longer than TT_LONG_ARGS are left out, which
 * *n_left_out counts. */
gint64 tt_record_export_details_add (TtRecordExportDetails *self,
                                     const TtEvent *event,
                                     const TtRecordExportBeside *beside,
                                     gboolean is_needed,
                                     guint64 *n_left_out);
/* Into @args, empty if there are none. */
void tt_record_export_details_get (TtRecordExportDetails *self, gint64 at, TtRecordExportDetail *detail, GString *args);
gboolean tt_record_export_details_check (const TtRecordExportDetails *self, GError **error);
