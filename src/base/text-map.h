/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTextMap: texts by texts, for tables whose size the input decides.
 *
 * A key is a number (what kind of thing) and a text. Beyond some megabytes the table lies in temporary files. Their
 * errors are sticky: tt_text_map_check() reports them; then what is found may be empty.
 */
#pragma once

#include <glib.h>

typedef struct _TtTextMap TtTextMap;

TtTextMap *tt_text_map_new (void);
void tt_text_map_free (TtTextMap *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtTextMap, tt_text_map_free)

/* The last text counts. */
void tt_text_map_set (TtTextMap *self, guint64 kind, const char *key, const char *text);
/* Valid until the next call; NULL: not there. */
const char *tt_text_map_get (TtTextMap *self, guint64 kind, const char *key);

gboolean tt_text_map_check (const TtTextMap *self, GError **error);
