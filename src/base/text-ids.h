/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTextIds: ids by texts, for tables whose size the input decides.
 *
 * A key is a number (what kind of thing, or whose) and bytes. Beyond some megabytes the table lies in a temporary file.
 * Its errors are sticky: tt_text_ids_check() reports them; then nothing is found.
 */
#pragma once

#include <glib.h>

typedef struct _TtTextIds TtTextIds;

TtTextIds *tt_text_ids_new (void);
void tt_text_ids_free (TtTextIds *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtTextIds, tt_text_ids_free)

/* 0: not there. */
guint32 tt_text_ids_find (TtTextIds *self, guint64 salt, const char *text, gsize len);
/* Of a key that tt_text_ids_find() does not find. @id: not 0. */
void tt_text_ids_add (TtTextIds *self, guint64 salt, const char *text, gsize len, guint32 id);

gboolean tt_text_ids_check (const TtTextIds *self, GError **error);
