/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which variables of the environment a recording keeps, for the replay of packed recordings, and which values.
 */
#pragma once

#include <glib.h>

/* What stands for the value of a variable that sounds like a secret. */
#define TT_PI_MASKED "(masked)"

/* "none", "needed" by runtimes and loaders, "masked" (all, without the values of secrets), "all". */
extern const char *const tt_pi_environment_words[];

/* NAME=VALUE of those of @environment that are kept. */
char **tt_pi_environment_keep (char *const *environment, const char *word);
/* Without those whose values were masked; consumes @environment. */
char **tt_pi_environment_unmask (char **environment);
