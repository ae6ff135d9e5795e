/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtRecordExportAttachments: halves of messages and values of metrics, in the order in which spans are read backwards.
 *
 * What is known of calls of collectives, and of what spans have to do with a device, comes with them. Each belongs to an event, or, if it is half of a message outside of any span, to none; those of no event come first.
 * The halves of one event come in the order of their times, then its metrics and flows.
 */
#pragma once

#include "formats/record-export/item.h"
#include "formats/record-export/run.h"

/* A kind of their own: what is known of a call of a collective. */
#define TT_RECORD_EXPORT_OF_CALL (TT_RECORD_EXPORT_FLOW + 1u)
/* What it has to do with a device: TtActivity in `ordinal` (its role; TT_RECORD_EXPORT_BLOCKS), `par` (correlation), `a` (waits_for),
 * `thread` (queue), `value` (waits_on). */
#define TT_RECORD_EXPORT_OF_ACTIVITY (TT_RECORD_EXPORT_FLOW + 2u)
#define TT_RECORD_EXPORT_BLOCKS 256u

typedef struct
{
  guint64 high, low; /* the order: 0 - event; time, or above all times */
  gint64 time;
  gint64 par;            /* bytes of the message; inclusive value of the metric */
  gint64 a, b;           /* tag, communicator; of a call its root and communicator */
  guint32 thread, value; /* value: process of the peer; series */
  guint32 kind;          /* TtRecordExportItemKind, or one of the above */
  guint32 ordinal;       /* see item.h; of a call TtRecordExportCall */
} TtRecordExportAttached;

typedef struct _TtRecordExportAttachments TtRecordExportAttachments;

/* A kind of flows; as of TtFlow. */
typedef struct
{
  const char *text; /* interned */
  TtLink link;
  gboolean is_inferred;
} TtRecordExportFlowKind;

/* Borrows @run. @with_activity: what events have to do with devices is attached. @flow_kinds: gets those of all flows, which are
 * attached; NULL: flows are left out. */
TtRecordExportAttachments *tt_record_export_attachments_new (const TtRecordExportRun *run,
                                                             gboolean with_activity,
                                                             GArray *flow_kinds,
                                                             GError **error);
void tt_record_export_attachments_free (TtRecordExportAttachments *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtRecordExportAttachments, tt_record_export_attachments_free)

/* The first one left of the event, 0: of none; NULL: there is none. Events are asked for from the last to the first, 0
 * before them; what belongs to others is skipped. Valid until it is dropped. */
const TtRecordExportAttached *tt_record_export_attachments_peek (TtRecordExportAttachments *self, guint64 event);
void tt_record_export_attachments_drop (TtRecordExportAttachments *self);
/* FALSE with @error: reading has failed, and what came last was not the end. */
gboolean tt_record_export_attachments_check (TtRecordExportAttachments *self, GError **error);
gboolean tt_record_export_attachments_has_onesided (const TtRecordExportAttachments *self);
