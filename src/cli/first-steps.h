/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What tracetool says to someone who has not given it a command yet.
 */
#pragma once

#include <glib.h>

/* The page of `tracetool --help`. Free it. */
char *tt_first_steps_help (void);

/* Version, schema version and optional parts. Free it. */
char *tt_first_steps_version (void);

/* What can be done with @paths (files given instead of a command), with the commands to type; NULL
 * with @error when tracetool cannot read them. Free it. */
char *tt_first_steps_for (char **paths, GError **error);
