/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trials of many rules in one reading of the run: where the invocations of a run that is whole are numbered, a rule says
 * by the number alone which of them are recorded, and what is inside a region goes with it.
 *
 * That leaves out what else PInsight looks at (functions that call themselves, regions in regions, regions that are not
 * there): a plan made of it is tried whole, by the rules of --config, and if that shows other counts, so are the rules.
 */
#pragma once

#include "src/cli/suggest/trial.h"

/* Of TtTrial, by level; @rules: of TtSamplingRule[], by level (64 at most), then by unit. NULL without @error: the source
 * has not numbered all invocations, or only some are there. */
GPtrArray *tt_sweep_trials (const TtTrialTrace *trace, const GPtrArray *rules, GError **error);
