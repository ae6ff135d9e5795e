/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What timeline.c and joint-timeline.c share.
 */
#pragma once

#include "analyzers/spans/parents.h"
#include "analyzers/waits/stretches.h"
#include "analyzers/waits/timeline.h"
#include "src/base/map64.h"

/* Beyond so many, what is called counts for its caller. */
#define MAX_PATHS (1u << 22)

typedef struct
{
  guint32 parent, name;
} TtTimelinePath;

typedef struct
{
  TtStretches stretches;
  gboolean is_there;       /* it has spans */
  gboolean does_something; /* not only windows are on it */
} TtThreadLine;

struct _TtTimeline
{
  TtStore *store;
  guint32 *first_names; /* by name: of those with one text */
  guint8 *computes;     /* by name: whether it does, + 1; 0: not yet asked */
  guint32 max_thread;
  GArray *paths;     /* of TtTimelinePath; the first is that of no operation */
  TtMap64 number_of; /* path by (parent, name) */
  TtThreadLine *threads;
  guint32 *first_of_rank,
      *next_of_rank; /* by process that leads it, by thread: those that compute; TT_NO_ID: no more */
  TtSpanParents *parents;
};

/* Without any span. */
TtTimeline *tt_timeline_new_empty (TtStore *store, GError **error);
/* The path of what is called in @parent; that, where there are too many. */
guint32 tt_timeline_child_path (TtTimeline *self, guint32 parent, guint32 name);
/* After the last stretch. */
void tt_timeline_end (TtTimeline *self);
