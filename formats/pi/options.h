/*
 * What users may say of a trace that does not say it itself: --pi-generation, --pi-ids.
 */
#pragma once

#include "formats/pi/trace.h"

#define TT_PI_GENERATION_WORDS "g0|doc|g1|g2|g3|native"
/* They are too long to stand in a help page: 2021-summer, 2021-12, 2022-05, 2024. */
#define TT_PI_IDS_WORDS "LIST"

#define TT_PI_OPTIONS_INIT \
  {                        \
    .ids = -1              \
  }

/* NULL: left to the trace. FALSE with @error: not one of the words. */
gboolean tt_pi_options_parse (TtPiOptions *self, const char *generation, const char *ids, GError **error);
