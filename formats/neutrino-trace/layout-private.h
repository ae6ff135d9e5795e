/*
 * The two ways into a layout; each fills maps with fields in memory order and gives roles to those whose code tells them.
 */
#pragma once

#include "formats/neutrino-trace/layout.h"

gboolean layout_read_toml (TtNeutrinoLayout *self, const char *text, gsize len, GError **error);
gboolean layout_read_text (TtNeutrinoLayout *self, const char *text, gsize len, GError **error);

/* Whether it is the text of --layout. */
gboolean layout_is_text (const char *text, gsize len);
/* Map @i becomes one of words, for a @reason ("names no fields") that is noted. */
void layout_set_words (TtNeutrinoLayout *self, guint i, const char *reason);

/* "thread" or "warp"; what it is else is an error. */
gboolean layout_parse_level (const char *text, gboolean *is_warp);
/* A count in decimal, > 0. */
gboolean layout_parse_count (const char *text, guint64 most, guint64 *count);
/* @fault: printf-like; "PATH: line N: FAULT". FALSE. */
gboolean layout_fail (const TtNeutrinoLayout *self, guint line, GError **error, const char *fault, ...)
    G_GNUC_PRINTF (4, 5);
/* A new map behind the others; NULL with @error: its name is taken, or there are too many. */
TtNeutrinoMap *layout_add_map (TtNeutrinoLayout *self, const char *name, guint line, GError **error);
TtNeutrinoMap *layout_find_map (const TtNeutrinoLayout *self, const char *name);
/* Once its fields are in: the offsets; its size must be theirs. */
gboolean layout_finish_map (TtNeutrinoLayout *self, TtNeutrinoMap *map, gboolean u64_first, guint line, GError **error);
