/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* Opens a trace whole: its files, then generation, layout and numbering by its calls. */
#include "formats/pi/trace-private.h"

#include "formats/pi/detect.h"

TtPiTrace *
tt_pi_trace_open (const char *path, const TtPiOptions *options, GError **error)
{
  g_autoptr (TtPiTrace) self = tt_pi_trace_list (path, options, error);

  if (self == NULL || !tt_pi_trace_detect (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

gboolean
tt_pi_trace_probe (const char *path)
{
  const TtPiOptions options = { .ids = -1 };
  g_autoptr (TtPiTrace) trace = tt_pi_trace_open (path, &options, NULL);

  return trace != NULL && trace->generation != TT_PI_GENERATION_UNKNOWN;
}
