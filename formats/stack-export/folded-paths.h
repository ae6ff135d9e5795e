/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtFoldedPaths: the call paths of a run, or of a part of it, with the self time of their spans. Of formats/stack-export only.
 */
#pragma once

#include "analyzers/spans/shared-scan.h"
#include "formats/stack-export/labels.h"
#include "formats/stack-export/stack-export.h"
#include "src/base/int128.h"
#include "src/base/map64.h"

/* What stands at the end of a path. */
typedef enum
{
  TT_FOLDED_ROOT,
  TT_FOLDED_PROCESS, /* of a thread */
  TT_FOLDED_THREAD,
  TT_FOLDED_ASYNC,
  TT_FOLDED_OVERLAP,
  TT_FOLDED_NAME,
  TT_N_FOLDED_KINDS,
} TtFoldedKind;

/* A call path: that of its parent and one frame more. Processes, threads, (async) and (overlap) are paths, too. */
typedef struct
{
  guint32 parent, frame; /* frame: index of its text */
  guint32 kind, id;      /* TtFoldedKind; the first of the threads, or names, that it was made for */
  guint32 first_child;   /* while they are written: place among the sorted nodes */
  gboolean is_span;      /* spans end there: it has a line */
  tt_int128 self_ns;
} TtFoldedNode;

typedef struct
{
  TtStore *store;
  TtStackReport *report;
  gboolean original_names;
  TtStackLabels *labels;
  GArray *nodes;       /* of TtFoldedNode; the first is the root of all */
  TtMap64 children;    /* parent << 32 | frame -> node */
  GPtrArray *frames;   /* texts */
  GHashTable *by_text; /* text -> index in frames + 1 */
  TtMap64 by_name;     /* name id -> frame */
  GArray *names;       /* of guint32: those ids */
  TtMap64 threads;     /* thread id -> node */
} TtFoldedPaths;

void tt_folded_paths_init (TtFoldedPaths *self, TtStore *store, const TtStackOptions *options, TtStackReport *report);
void tt_folded_paths_clear (TtFoldedPaths *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtFoldedPaths, tt_folded_paths_clear)

/* The path of a span on @thread, inside that of @parent, if that is not 0. */
guint32 tt_folded_paths_of_span (TtFoldedPaths *self, guint32 parent, const TtEvent *event);
/* Spans with @self_ns end there. */
void tt_folded_paths_count (TtFoldedPaths *self, guint32 node, tt_int128 self_ns);

/* What a part says of a path. The first stands for the root. */
typedef struct
{
  tt_int128 self_ns;
  guint32 parent, id; /* parent: place among these */
  guint32 kind;
  gboolean is_span;
} TtFoldedSaid;

typedef struct
{
  guint32 max_thread, max_name;
  guint64 n_events;
} TtFoldedBounds;

/* Fills @said, of TtFoldedSaid. What cannot be right of a run is bad. */
void tt_folded_said_unpack (GArray *said, TtUnpack *from, const TtFoldedBounds *bounds);

void tt_folded_paths_pack (const TtFoldedPaths *self, GByteArray *bytes);
/* Adds those of another part. What cannot be right is bad. */
void tt_folded_paths_unpack (TtFoldedPaths *self, TtUnpack *from);
