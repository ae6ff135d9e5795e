/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtOtf2ExportDefinitions: the definitions of an archive that is written: which id each thing has, and the file NAME.def.
 *
 * Ids: a location is its number (lanes.h) - 1, a location group its process - 1. All else is numbered by first use, for readers want ids
 * without holes, and in their order.
 */
#pragma once

#include "formats/otf2-export/chunk-file.h"
#include "formats/otf2-export/communicators.h"
#include "formats/otf2-export/lanes.h"
#include "formats/record-export/items.h"

typedef struct
{
  guint64 first, last; /* times */
  gint64 realtime_ns;  /* of `first`; TT_NO_TIME: not known */
  guint64 resolution;
} TtOtf2ExportClock;

/* Metrics of a series: of spans; integers and others that count by themselves. */
enum
{
  TT_OTF2_OF_SPANS,
  TT_OTF2_INTEGER,
  TT_OTF2_REAL,
  TT_OTF2_N_METRIC_KINDS,
};

/* Parameters. */
enum
{
  TT_OTF2_EXPORT_INSTANT,
  TT_OTF2_EXPORT_SPAN,
  TT_OTF2_EXPORT_N_PARAMETERS,
};

typedef struct _TtOtf2ExportDefinitions TtOtf2ExportDefinitions;

/* Borrows both. */
TtOtf2ExportDefinitions *tt_otf2_export_definitions_new (TtStore *store, TtOtf2ExportComms *comms);
void tt_otf2_export_definitions_free (TtOtf2ExportDefinitions *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtOtf2ExportDefinitions, tt_otf2_export_definitions_free)

/* The region of the name @name. */
guint32 tt_otf2_export_use_region (TtOtf2ExportDefinitions *self, guint32 name);
/* The metric of a series that has values of the kind. */
guint32 tt_otf2_export_use_metric (TtOtf2ExportDefinitions *self, guint32 series, guint kind);
/* The window of a transfer: what the source calls it, and the number of its communicator. */
guint32 tt_otf2_export_use_window (TtOtf2ExportDefinitions *self, gint64 number, gint64 comm);
/* @type: OTF2_Type. */
guint32
tt_otf2_export_use_attribute (TtOtf2ExportDefinitions *self, const char *name, const char *description, guint8 type);
/* Whether more attributes can be defined. */
gboolean tt_otf2_export_has_room (const TtOtf2ExportDefinitions *self);
/* A string that an event refers to; TT_OTF2_NONE: it is longer than an archive holds. */
guint64 tt_otf2_export_use_text (TtOtf2ExportDefinitions *self, const char *text);
/* The parameter of what is no region: TT_OTF2_EXPORT_INSTANT or _SPAN. */
guint32 tt_otf2_export_use_parameter (TtOtf2ExportDefinitions *self, guint which);

/* Writes @path. @n_events: by location; TT_OTF2_NONE: it is not written. *n: how many definitions. */
gboolean tt_otf2_export_definitions_write (TtOtf2ExportDefinitions *self,
                                           const char *path,
                                           const TtOtf2ExportClock *clock,
                                           const TtOtf2ExportLanes *lanes,
                                           const guint64 *n_events,
                                           guint64 *n,
                                           GError **error);
