/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtNlArena: memory of one compilation, given back all at once.
 *
 * Everything that a compilation makes points into it: texts, syntax tree, instructions. Memory is zeroed and aligned
 * for any type.
 */
#pragma once

#include <glib.h>

typedef struct _TtNlArena TtNlArena;

TtNlArena *tt_nl_arena_new (void);
void tt_nl_arena_free (TtNlArena *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtNlArena, tt_nl_arena_free)

gpointer tt_nl_arena_alloc (TtNlArena *self, gsize size);
char *tt_nl_arena_text (TtNlArena *self, const char *text, gsize len);
char *tt_nl_arena_printf (TtNlArena *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

#define tt_nl_arena_new0(self, Type) ((Type *) tt_nl_arena_alloc (self, sizeof (Type)))
