/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What users may say of a trace that does not say it itself: --pi-generation, --pi-ids.
 */
#pragma once

#include "formats/pi/trace.h"

#define TT_PI_OPTIONS_INIT \
  {                        \
    .ids = -1              \
  }

extern const char *const tt_pi_generation_words[], *const tt_pi_ids_words[]; /* NULL-ended */
/* NULL: left to the trace. FALSE with @error: not one of the words. */
gboolean tt_pi_options_parse (TtPiOptions *self, const char *generation, const char *ids, GError **error);
