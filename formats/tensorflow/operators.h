/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The operators of one GPU as a profiler's file has them, under standard names: what a job directory is made of.
 *
 * A collector reads one whole file and hands out its operators (FW, BW, UPDATE_, OUTPUT; no communication) in the order
 * of the file, with the times as they stand there. Merging sub-traces, counting steps, shifting clocks and adding rows
 * to the sink is the job importer's. It is called twice for one file: the first time only to survey.
 */
#pragma once

#include "formats/model/local-graph.h"
#include "formats/tensorflow/names.h"
#include "formats/json/scanner.h"
#include "src/trace/sink.h"

/* Borrowed for the call. */
typedef struct
{
  const char *op_cat, *op_name; /* op_name as the source has it: the sink makes it fit for a standard name */
  const char *sub_op;           /* NULL: none */
  const char *track;            /* the thread or stream of the source; NULL: it has none */
  gint64 ts_ns, dur_ns;
  gint32 step;  /* explicit, or TT_NO_STEP */
  TtSlice args; /* the object as it stands in the file; empty: none */
  guint64 offset;
} TtOperator;

/* FALSE with @error ends the reading. */
typedef gboolean (*TtOperatorFunc) (const TtOperator *row, gpointer data, GError **error);

typedef struct
{
  const char *path;
  /* The model's, sealed; NULL: not there. Operators that are no nodes of it are left out and counted. */
  const TtLocalGraph *graph;
  const TtTfNames *names; /* of @graph, or by name only; never NULL */
  TtSink *sink;           /* takes repairs, and its check stops the reading; rows are not put into it */
  gboolean strict;
} TtOperatorSource;

/* trace.json.gz of the TensorFlow profiler (profile.c). */
gboolean tt_tf_profile_operators (const TtOperatorSource *source, TtOperatorFunc func, gpointer data, GError **error);
