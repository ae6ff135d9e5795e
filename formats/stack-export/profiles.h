/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The selected spans of a run, arranged into profiles: sequences of opens and closes that nest, in the order of time.
 *
 * Threads come in the order of their processes. A span that crosses another, or that another file has of a time that is
 * over, is in the next profile of its thread, with what is inside it. The profiles of asynchronous spans have one span
 * open at a time. Memory is bounded: spans are sorted on disk.
 */
#pragma once

#include "analyzers/spans/shared-scan.h"
#include "formats/stack-export/stack-export.h"

typedef struct
{
  guint32 thread;
  guint number; /* of the thread, from 1; asynchronous ones count for themselves */
  gboolean is_async, is_ticks;
} TtStackProfile;

/* Times are from the first of the run, of all sources with that clock. */
typedef struct
{
  void (*begin) (const TtStackProfile *profile, gpointer data);
  void (*open) (guint32 name, gint64 at_ns, gpointer data);
  void (*close) (guint32 name, gint64 at_ns, gpointer data);
  void (*end) (gpointer data);
} TtStackProfileWriter;

/* What one of several ranks has of the profiles, known before they are written. */
typedef struct
{
  gboolean has_any;
  gboolean is_odd;     /* some cross others, or are asynchronous: names may come first in another order */
  guint64 first, last; /* places of its threads among all */
  GArray *names;       /* of guint32, in the order in which they come first */
} TtStackPart;

typedef struct
{
  TtSharedScan *scan;
  /* FALSE: @error, or they are not to be written. */
  gboolean (*agree) (const TtStackPart *part, gpointer data, GError **error);
} TtStackSharing;

/* @selection: bound, or NULL. @sharing: NULL, or the part that is written. */
gboolean tt_stack_profiles_write (TtStore *store,
                                  TtSelection *selection,
                                  TtStackReport *report,
                                  const TtStackSharing *sharing,
                                  const TtStackProfileWriter *writer,
                                  gpointer data,
                                  GError **error);
