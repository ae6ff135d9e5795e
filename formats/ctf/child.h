/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCtfChild: the process that decodes a trace, as the importer sees it: frames come, then its end.
 */
#pragma once

#include "formats/ctf/frames.h"

typedef struct _TtCtfChild TtCtfChild;

/* @word: see decode.h. NULL with @error. */
TtCtfChild *tt_ctf_child_new (const char *word, const char *path, GError **error);
/* Kills the process if it still runs. */
void tt_ctf_child_free (TtCtfChild *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtCtfChild, tt_ctf_child_free)

/* The next frame, valid until the next call; FALSE: no more comes. */
gboolean tt_ctf_child_next (TtCtfChild *self, TtCtfFrameKind *kind, TtCtfCursor *frame);

/* The line of its standard error so far that explains most; NULL: none does. Free it. */
char *tt_ctf_child_said (const TtCtfChild *self);
/* After the last frame: why the process ended, with its own words if there are any. Free it. */
char *tt_ctf_child_last_words (TtCtfChild *self);
