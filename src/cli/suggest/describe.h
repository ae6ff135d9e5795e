/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A suggested configuration as its file: what is predicted and given up, in comments, and the sections.
 */
#pragma once

#include "src/cli/suggest/suggestion.h"

/* @size, @trace: as the user named them. */
void tt_suggestion_write (const TtSuggestion *self,
                          const TtLevels *levels,
                          const TtSuggestionGoal *goal,
                          const char *size,
                          const char *trace,
                          GString *out);
