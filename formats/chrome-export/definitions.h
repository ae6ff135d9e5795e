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
  guint32 owner;     /* the process that leads its rank, where another does; else TT_NO_ID */
  guint32 number;    /* in the file */
  gint64 sort_index; /* of the source; G_MAXINT64: it has none */
  guint32 position;  /* in the file, among all processes */
  guint32 next_tid;
  gboolean is_listed;    /* in pids_in_order */
  gboolean counts_ticks; /* its times are ticks */
} ChromeProcess;

/* A line of a viewer, one tid in the file, at the moment that is written. */
struct _ChromeTrack
{
  gint64 *ends; /* of the spans that are open, outer ones first */
  guint n, allocated;
  guint n_points; /* events without length at point_ns */
  gint64 point_ns;
  /* What came last, if it was a span. */
  gint64 top_ns, top_end_ns;
  guint32 top_depth;
  gboolean has_top;
  gboolean top_touches; /* it began when another ended */
  guint32 number;       /* the tid */
};
typedef struct _ChromeTrack ChromeTrack;

struct _ChromeThread
{
  char *tid, *label; /* tid NULL: a hole */
  gint64 order;
  gint64 first_ns; /* of counters and messages; TT_NO_TIME: none */
  gint64 aside_ns; /* latest begin of its events that were collected without their places; TT_NO_TIME: none */
  guint32 process;
  guint32 source;         /* number of the source of its first event, + 1; 0 = none */
  guint32 text, text_len; /* ,"pid":3,"tid":0,"args":{ in thread_text, TT_PADDING bytes behind it */
  ChromeTrack track;
  GArray *more_tracks; /* of ChromeTrack: for what does not fit on the first; mostly NULL */
  gint64 crowd_ns;     /* time of the last event without length that went to more_tracks */
  guint crowd_track;   /* none of those before has room at that time */
  gboolean is_wanted;
};
typedef struct _ChromeThread ChromeThread;

typedef struct
{
  char *name, *unit;            /* unit: NULL if there is none */
  gboolean has_several_threads; /* of one process */
} ChromeSeries;
