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

/* GPtrArray of TtPlannedInput. Refuses FIFOs, sockets, devices.
 * @forced: NULL or the --format. @notes: GPtrArray of char * for the user. Free with g_ptr_array_unref(). */
GPtrArray *tt_format_plan (char **paths, const TtFormat *forced, GPtrArray *notes, GError **error);

/* How many inputs are of @format. */
guint tt_format_plan_alike (const GPtrArray *plan, const TtFormat *format);
/* Total size on disk, for the progress bar. */
guint64 tt_format_plan_bytes (const GPtrArray *plan);
