/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Failures of functions that answer with a value and so cannot tell an error: a name that cannot be loaded, a regular
 * expression that gives up.
 *
 * Whoever fails so answers with something harmless and leaves the error here; the first one stays. It is told where
 * results leave the program: tt_output_close(), the end of an import and of a command ask, so that no result that rests
 * on it counts as one. One for the whole program, from any thread, as tt_cancelled() is.
 */
#pragma once

#include <glib.h>

/* Takes @error. */
void tt_failure_leave (GError *error);
/* Whether there is none; else FALSE with a copy of it. */
gboolean tt_failure_check (GError **error);
/* Whether @fault says what is wrong with an input, so that others may be gone on with: nothing else failed, and nobody asks to end. */
gboolean tt_failure_is_of_input (const GError *fault);
/* For tests: forgets it. */
void tt_failure_forget (void);
