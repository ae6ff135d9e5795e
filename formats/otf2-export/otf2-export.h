/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs written as OTF2 archives, for Vampir, Scalasca, Pipit, Trace Compass and whatever reads OTF2.
 *
 * Processes are location groups and threads locations; ranks are the places of processes in MPI_COMM_WORLD. Times are whole ns.
 * What OTF2 has no place for is kept where tracetool finds it again when it reads the archive: the standard name of a region in its
 * description, tids in properties of locations, flags, steps and flows in attributes. Instants, asynchronous spans, and of spans that
 * cross the one that ends last, have no place on a location's stack: they are parameters with attributes.
 */
#pragma once

#include "formats/record-export/run.h"

typedef struct
{
  TtRecordExportReport run;
  guint64 n_locations;
  guint64 n_wrapped;    /* messages with a tag that is no number of 32 bits */
  guint64 n_onesided;   /* halves of one-sided messages: left out */
  guint64 n_flow_sides; /* of events with too many: left out */
  guint64 n_texts;      /* arguments that are too long: left out */
} TtOtf2ExportReport;

/* The creator of such an archive begins with it: formats/otf2 knows by it what is said in descriptions. */
#define TT_OTF2_EXPORT_CREATOR "tracetool"
/* Before the names of properties that are no metadata of the run. */
#define TT_OTF2_EXPORT_PROPERTY "tracetool::"
/* Names of communicators: before their numbers. Those that were inferred are only for others. */
#define TT_OTF2_EXPORT_COMMUNICATOR "communicator "
#define TT_OTF2_EXPORT_WINDOW "window "
#define TT_OTF2_EXPORT_INFERRED "inferred communicator "

/* @folder: new or empty. @selection: NULL for all. Files that were written are removed on an error. */
gboolean
tt_otf2_export (TtStore *store, const char *folder, TtSelection *selection, TtOtf2ExportReport *report, GError **error);
