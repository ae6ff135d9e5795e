/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtArgsTree: forms of arguments (args-format.h) as a tree of the texts between their numbers, so that a text of a known
 * form is compared and its numbers are read, where taking it apart would write its form first. Bounded: some hundred nodes, what is beyond is
 * not found.
 *
 * Used by src/store/import only.
 */
#pragma once

#include "src/store/args-format.h"

typedef struct _TtArgsTree TtArgsTree;

TtArgsTree *tt_args_tree_new (void);
void tt_args_tree_free (TtArgsTree *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtArgsTree, tt_args_tree_free)

/* @form: as tt_args_take_apart() wrote it. @id: not 0. A form that finds no room is left out. */
void tt_args_tree_add (TtArgsTree *self, const char *form, gsize len, guint32 id);
/* The id of the form of @text, of at most TT_ARGS_FORM_BYTES, and its numbers, as tt_args_take_apart() finds them. 0: the form is not in
 * the tree; numbers may have been written. */
guint32 tt_args_tree_find (const TtArgsTree *self,
                           const char *text,
                           gsize len,
                           gint64 numbers[TT_ARGS_NUMBERS],
                           guint *n_numbers);
