/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtArgsPages: the texts of arguments from the pages of their tables (table-pages.h), those that have a form
 * (args-format.h) filled in. What cannot be read so is for a statement. Used by src/store only.
 */
#pragma once

#include "src/store/table-pages.h"

typedef struct _TtArgsPages TtArgsPages;

/* In a snapshot. NULL: they cannot be read so. */
TtArgsPages *tt_args_pages_new (TtStore *store);
void tt_args_pages_free (TtArgsPages *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtArgsPages, tt_args_pages_free)

/* Appends the text of the arguments @id. FALSE: they are not there, or not as they should be. */
gboolean tt_args_pages_get (TtArgsPages *self, guint64 id, GString *text);
