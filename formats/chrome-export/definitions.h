/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sources, processes, threads and series of an export, and the numbers that they get in the file.
 */
#pragma once

#include "src/trace/event.h"

typedef struct
{
  guint32 id;
  TtClock clock;
  gint64 first_ns; /* of its events; TT_NO_TIME: none */
} ChromeSource;

typedef struct
{
  char *pid, *label; /* pid NULL: a hole */
  gint64 rank;
  guint32 number; /* in the file */
  guint32 next_tid;
  gboolean is_listed; /* in pids_in_order */
} ChromeProcess;

/* A track: one tid in the file. Ends of the spans that are open on it at the moment. */
typedef struct
{
  gint64 *ends;
  guint n, allocated;
  guint32 number; /* the tid */
} ChromeTrack;

typedef struct
{
  char *tid, *label; /* tid NULL: a hole */
  gint64 order;
  gint64 first_ns; /* of counters and messages; TT_NO_TIME: none */
  guint32 process;
  guint32 source;         /* number of the source of its first event, + 1; 0 = none */
  guint32 text, text_len; /* ,"pid":3,"tid":0,"args":{ in thread_text */
  ChromeTrack track;
  GArray *more_tracks; /* of ChromeTrack: for spans that overlap others without nesting; mostly NULL */
  gboolean is_wanted;
} ChromeThread;

typedef struct
{
  char *name;
  gboolean has_several_threads; /* of one process */
} ChromeSeries;
