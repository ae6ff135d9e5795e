/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the paths of a command line (files, directories, "-") to inputs of importers.
 */
#pragma once

#include "formats/formats.h"

/* One thing to import. */
typedef struct
{
  const TtFormat *format;
  TtInputSet *set;
} TtPlannedInput;

/* A file that is named, or called a trace in a folder, and that no format knows. */
typedef struct
{
  char *path;
  GError *fault;
} TtPathFault;

void tt_path_fault_free (gpointer data);

/* GPtrArray of TtPlannedInput. Refuses FIFOs, sockets, devices.
 * @forced: NULL or the --format. @notes: GPtrArray of char * for the user. @faults: NULL: a named file that no format
 * knows is an error; else GPtrArray of TtPathFault, of which the caller says whether the others are read without. Free
 * with g_ptr_array_unref(). */
GPtrArray *
tt_format_plan (char **paths, const TtFormat *forced, GPtrArray *notes, GPtrArray *faults, GError **error);

/* An empty one. */
GPtrArray *tt_format_plan_new (void);
/* @set: taken. For such a plan. */
TtPlannedInput *tt_planned_input_new (const TtFormat *format, TtInputSet *set);

/* How many inputs are of @format. */
guint tt_format_plan_alike (const GPtrArray *plan, const TtFormat *format);
/* Total size on disk, for the progress bar. */
guint64 tt_format_plan_bytes (const GPtrArray *plan);
