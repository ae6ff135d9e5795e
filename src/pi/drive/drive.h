/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plays the host's part of a native recording to a plugin library of PI, or a loader or an adapter of UR: every
 * recorded call is made again, in threads like those recorded, and what comes back is compared with what came back
 * then.
 *
 * A call begins when all calls that had ended before it began are done: what ran side by side may run side by side.
 * Handles and addresses that calls return are put in the place of the recorded ones in later calls. Not compared: times
 * (piEventGetProfilingInfo), states of events, native handles, addresses of functions, what the recording does not
 * have.
 */
#pragma once

#include "formats/pi/trace.h"

typedef struct
{
  TtPiTrace *trace;      /* native */
  const char *directory; /* of the recording, for images and the contents of memory */
  const char *plugin;    /* the library */
  /* Gets a line of text for each difference; called from any thread, one at a time. */
  void (*on_difference) (const char *line, gpointer data);
  gpointer data;
} TtPiDrive;

typedef struct
{
  guint64 n_calls, n_different, n_not_made;
  guint64 n_lost; /* to damage of the recording, as far as can be told */
} TtPiDriven;

/* FALSE with @error: it could not be started, or the plugin crashed. The plugin runs in a process of its own. */
gboolean tt_pi_drive (const TtPiDrive *self, TtPiDriven *driven, GError **error);
