/*
 * The two ways into a layout; each fills maps with fields in memory order. What a TOML is, formats/neutrino/layout.h knows.
 */
#pragma once

#include "formats/neutrino-trace/layout.h"

gboolean layout_read_toml (TtNeutrinoLayout *self, const char *text, gsize len, GError **error);
gboolean layout_read_text (TtNeutrinoLayout *self, const char *text, gsize len, GError **error);

/* Whether it is the text of --layout. */
gboolean layout_is_text (const char *text, gsize len);
/* Map @i becomes one of words, for a @reason ("names no fields") that is noted. */
void layout_set_words (TtNeutrinoLayout *self, guint i, const char *reason);
