/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtHeldArgs: arguments of spans that are open, by numbers from 1, which are used again.
 *
 * What becomes known of a span by its end joins them here, in memory, so that each span's arguments are written once, with its
 * row. What is too much to hold is not taken: the sink writes it at once and has the store merge what comes later.
 */
#pragma once

#include <glib.h>

typedef struct _TtHeldArgs TtHeldArgs;

TtHeldArgs *tt_held_args_new (void);
void tt_held_args_free (TtHeldArgs *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtHeldArgs, tt_held_args_free)

/* Copies a JSON object of @len bytes. @is_plain: it is valid, has no blanks outside of its texts, no key twice, and none that
 * another plain object writes in another way. 0: there is no room for it. */
guint32 tt_held_args_add (TtHeldArgs *self, const char *json, gsize len, gboolean is_plain);
/* The text of @number; valid until the next call. */
const GString *tt_held_args_text (const TtHeldArgs *self, guint32 number);
/* The members of @more join those of @number, as tt_args_merge() has it; @more is then free. FALSE: one of the two is no
 * object; @number is as it was. */
gboolean tt_held_args_join (TtHeldArgs *self, guint32 number, guint32 more);
/* Frees the number. */
void tt_held_args_drop (TtHeldArgs *self, guint32 number);
