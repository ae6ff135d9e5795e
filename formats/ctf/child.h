/*
 * TtCtfChild: the process that decodes a trace, as the importer sees it: frames come, then its end.
 */
#pragma once

#include "formats/ctf/frames.h"

typedef struct _TtCtfChild TtCtfChild;

/* @word: see decode.h. NULL with @error. */
TtCtfChild *tt_ctf_child_new (const char *word, const char *path, GError **error);
/* Ends it, if it has not ended. */
void tt_ctf_child_free (TtCtfChild *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtCtfChild, tt_ctf_child_free)

/* The next frame, valid until the next call; FALSE: no more comes. */
gboolean tt_ctf_child_next (TtCtfChild *self, TtCtfFrameKind *kind, TtCtfCursor *frame);

/* The line that tells most of what it has written to standard error so far; NULL: none does. Free it. */
char *tt_ctf_child_said (const TtCtfChild *self);
/* No more has come: why it ended, in its own words as far as there are any. Free it. */
char *tt_ctf_child_last_words (TtCtfChild *self);
