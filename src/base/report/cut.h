/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCuts: the texts of a column, those that are too wide cut to its width, and no two different ones to the same text.
 *
 * A text is cut in its middle, or, if there are any, in the middle of its template arguments: what a C++ function is
 * called stands before them. Where that makes two alike, each shows the place where it differs from the others; where
 * that does not help, they are numbered. Feed all texts, settle, then ask. Beyond a million texts, which nobody reads
 * on a terminal, the rest is cut without a look at others.
 */
#pragma once

#include <glib.h>

/* In columns of a terminal. @text is UTF-8; the other functions take any text, and cut none that is not. */
guint tt_text_width (const char *text);

typedef struct _TtCuts TtCuts;

/* @width: 1 or more. */
TtCuts *tt_cuts_new (guint width);
void tt_cuts_free (TtCuts *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtCuts, tt_cuts_free)

void tt_cuts_add (TtCuts *self, const char *text);
void tt_cuts_settle (TtCuts *self);
/* @text itself, or what is shown of it: valid until the next call. */
const char *tt_cuts_get (TtCuts *self, const char *text);
