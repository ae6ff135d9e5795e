/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtArgsForms: the forms of arguments (args-format.h) that an import has met. A form gets an id when it comes for the second
 * time, so that texts of which there is one each stay texts. Bounded: some thousands of forms, a megabyte.
 *
 * Used by src/store/import only.
 */
#pragma once

#include "src/store/args-format.h"
#include "src/store/connection.h"
#include "src/trace/args-form.h"

typedef struct _TtArgsForms TtArgsForms;

/* With the forms that the database has. */
TtArgsForms *tt_args_forms_new (TtConnection *connection, GError **error);
void tt_args_forms_free (TtArgsForms *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtArgsForms, tt_args_forms_free)

/* The id of @text's form. 0: it stays a text. */
guint32
tt_args_forms_find (TtArgsForms *self, const char *text, gsize len, gint64 numbers[TT_ARGS_NUMBERS], guint *n_numbers);
/* The id of a form that the importer told, with its numbers as they are. 0: not known; the texts are to be asked for. */
guint32 tt_args_forms_find_told (const TtArgsForms *self, const TtArgsForm *told);
/* A text of @told has the form @id, with the numbers that were told: if that is the same format, all others have it, too. */
void tt_args_forms_learn (TtArgsForms *self, const TtArgsForm *told, guint32 id);
/* Writes the forms that are new since the last time. */
gboolean tt_args_forms_write (TtArgsForms *self, GError **error);
