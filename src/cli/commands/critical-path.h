/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The questions of `critical-path`: the measured path; with --model that by averages, or of a training job's step.
 *
 * Each question has tables of its own under words of --show; the command reads the options, finds out which question
 * is meant and lets it answer.
 */
#pragma once

#include "src/base/report/fields.h"
#include "src/cli/table-set.h"
#include "src/select/selection.h"
#include "src/store/store.h"

typedef struct
{
  TtReportView view;
  const char *output;           /* of a Chrome trace with the path marked; NULL: none */
  const TtSelection *selection; /* bound */
  gint32 step;                  /* TT_NO_STEP: the whole run */
  gboolean with_segments;       /* the pieces of the path, too */
  gboolean with_imbalance;
  gboolean merge_ranks;
  int show; /* a word of the question; TT_SHOW_ALL */
} TtPathRequest;

typedef struct
{
  const char *about;             /* "this run": for messages */
  const char *const *show_words; /* NULL-ended */
  gboolean (*answer) (TtStore *store, const TtPathRequest *request, GError **error);
} TtPathQuestion;

extern const TtPathQuestion tt_path_measured, tt_path_model, tt_path_job;

/* Writes the trace in which @events (guint64, ascending) are marked to @request->output. @pieces: of TtExportPiece, shown
 * on a line of their own; NULL: none. */
gboolean tt_path_export (TtStore *store,
                         const TtPathRequest *request,
                         const GArray *events,
                         const GArray *pieces,
                         GError **error);
