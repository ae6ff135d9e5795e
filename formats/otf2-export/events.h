/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtOtf2ExportEvents: the events of one location, written.
 */
#pragma once

#include "formats/otf2-export/attributes.h"
#include "formats/otf2-export/definitions.h"
#include "formats/otf2-export/otf2-export.h"
#include "formats/otf2-export/posts.h"

typedef struct
{
  TtChunkFile file;
  TtRecordBody body;
  TtStore *store;
  TtOtf2ExportDefinitions *definitions;
  TtOtf2ExportComms *comms;
  const TtRecordExportItems *items;
  TtOtf2ExportReport *report;
  TtOtf2ExportPosts *posts;
  TtOtf2ExportAttributes attributes;
  GString *args;
  gboolean is_whole;   /* nothing is selected */
  guint n_flows;       /* of `pending` */
  gboolean is_pending; /* an enter or leave that metrics may precede, or what is on no stack */
  TtRecordExportItem pending;
  gint64 last;         /* time of the location */
  guint64 n_started;   /* non-blocking collectives of the location */
  guint64 n_transfers; /* puts and gets of the location */
} TtOtf2ExportEvents;

gboolean tt_otf2_export_events_open (TtOtf2ExportEvents *self, const char *path, GError **error);
void tt_otf2_export_events_write (TtOtf2ExportEvents *self, const TtRecordExportItem *item);
/* *n_events: how many there are. */
gboolean tt_otf2_export_events_close (TtOtf2ExportEvents *self, guint64 *n_events, GError **error);
