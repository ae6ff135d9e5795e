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
  guint64 n_flow_sides; /* of events with too many: left out */
  guint64 n_texts;      /* arguments that are too long: left out */
  guint64 n_tasks;      /* of graphs of a process that has a later one: left out */
} TtOtf2ExportReport;

/* The creator of such an archive begins with it: formats/otf2 knows by it what is said in descriptions. */
#define TT_OTF2_EXPORT_CREATOR "tracetool"
/* Before the names of properties that are no metadata of the run. */
#define TT_OTF2_EXPORT_PROPERTY "tracetool::"
/* A property of a further location of a thread (lanes.h): the id of its first. */
#define TT_OTF2_EXPORT_SAME_THREAD TT_OTF2_EXPORT_PROPERTY "same thread"
/* A property of the machine: what of the following an archive tells. 2: what has to do with a device (before, readers took it from
 * names), and what is below. */
#define TT_OTF2_EXPORT_FACTS TT_OTF2_EXPORT_PROPERTY "facts"
/* A property of the machine: the clock of the run where its times are no ns (TT_CLOCK_TICKS); others take them for such. */
#define TT_OTF2_EXPORT_CLOCK TT_OTF2_EXPORT_PROPERTY "clock"
/* Properties of the machine, and of location groups, with a number behind: a row of a table. Its fields have tabs between them; one that
 * is known is '=' and its text, in which control characters, quotes, '\\' and what is not ASCII are escaped as in C. */
#define TT_OTF2_EXPORT_TENSOR TT_OTF2_EXPORT_PROPERTY "tensor "
#define TT_OTF2_EXPORT_TASK TT_OTF2_EXPORT_PROPERTY "task "
#define TT_OTF2_EXPORT_TASK_EDGE TT_OTF2_EXPORT_PROPERTY "task edge "
/* Names of communicators: before their numbers. Those that were inferred are only for others. */
#define TT_OTF2_EXPORT_COMMUNICATOR "communicator "
#define TT_OTF2_EXPORT_WINDOW "window "
#define TT_OTF2_EXPORT_INFERRED "inferred communicator "

/* @folder: new or empty. @selection: NULL for all. Files that were written are removed on an error. */
gboolean
tt_otf2_export (TtStore *store, const char *folder, TtSelection *selection, TtOtf2ExportReport *report, GError **error);
