/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two readers of a layout: of TOML, on top of formats/neutrino/layout.h, and of the text of --layout. Each fills
 * maps with fields in memory order.
 */
#pragma once

#include "formats/neutrino-trace/layout.h"

gboolean tt_neutrino_layout_read_toml (TtNeutrinoLayout *self, const char *text, gsize len, GError **error);
gboolean tt_neutrino_layout_read_text (TtNeutrinoLayout *self, const char *text, gsize len, GError **error);

/* Whether it is the text of --layout. */
gboolean tt_neutrino_layout_is_text (const char *text, gsize len);
/* Makes map @i one of words; the @reason ("names no fields") becomes a note. */
void tt_neutrino_layout_set_words (TtNeutrinoLayout *self, guint i, const char *reason);
