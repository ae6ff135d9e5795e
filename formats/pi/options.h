/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What users may say of a trace that does not say it itself: --pi-generation, --pi-ids.
 */
#pragma once

#include "formats/pi/trace.h"

/* The words themselves make a help page too wide: g0, doc, g1, g2, g3, native; 2021-summer, 2021-12, 2022-05, 2024. */
#define TT_PI_GENERATION_WORDS "NAME"
#define TT_PI_IDS_WORDS "LIST"

#define TT_PI_OPTIONS_INIT \
  {                        \
    .ids = -1              \
  }

/* NULL: left to the trace. FALSE with @error: not one of the words. */
gboolean tt_pi_options_parse (TtPiOptions *self, const char *generation, const char *ids, GError **error);
