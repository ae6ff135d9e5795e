/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A sweep over settings: what a step would take with each of several values of an option, one option at a time, or of two options
 * each with each.
 *
 * It is told as OPTION[=VALUE:VALUE...][,...]; without values an option has those that are usual. The text of op and
 * straggler is OPTION=WHAT=VALUE:VALUE... OPTION...@OPTION... is a grid: all values of the first at each of the second.
 */
#pragma once

#include "analyzers/training-job/models.h"
#include "src/base/crew.h"

#define TT_SWEEP_MAX_POINTS 64
/* Each rank that tries changes has the whole model in its memory: there may be many on a node. */
#define TT_SWEEP_MAX_RANKS 16u

typedef struct
{
  const char *word; /* static: "bandwidth" */
  char *what;       /* of op and straggler: the operation, the rank; else NULL */
  char *value;
  const char *at_word; /* of a grid: the second option, likewise; NULL: there is none */
  char *at_what, *at_value;
  gint64 predicted_ns, low_ns, high_ns;
  gboolean is_usual; /* nobody asked for it: where it cannot be tried, it is left out */
} TtSweepPoint;

extern const char *const tt_sweep_words[]; /* options that can be swept over, NULL-ended */

/* Of TtSweepPoint, in the order of @text, to be predicted. NULL with @error: an unknown word, too many points. */
GArray *tt_sweep_points_new (const char *text, GError **error);
/* Those that say most about a job, as far as its traces tell of its network. */
GArray *tt_sweep_points_usual (TtJobModels *models);
/* What GPUs are tried without values hangs on how many the job has. Before tt_sweep_points_run(). */
gboolean tt_sweep_points_settle (GArray *points, guint n_ranks, GError **error);
/* Whether any of them changes the network. */
gboolean tt_sweep_points_have_network (const GArray *points);

/* Predicts all of them, and drops usual ones that the job has nothing for, unless these are all; a note of @models says so. @settings: of TtJobSetting,
 * what is changed throughout; that which is swept over it replaces. @crew: NULL, or ranks that have the same models and try an n-th each; those other
 * than 0 learn nothing of the others. */
gboolean
tt_sweep_points_run (GArray *points, TtJobModels *models, const GArray *settings, const TtCrew *crew, GError **error);
/* Whether one of two options takes the place of the other. */
gboolean tt_sweep_excludes (const char *word, const char *other);
/* "op BW.x", "bandwidth", "bandwidth at gpus 4"; free it. */
char *tt_sweep_point_title (const TtSweepPoint *self);
