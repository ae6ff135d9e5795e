/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtNotes: what was missing or assumed while a job was analysed, in the order in which it was found.
 *
 * Each stage adds to the list; commands print it. Texts are whole sentences without a full stop.
 */
#pragma once

#include <glib.h>

typedef struct
{
  GPtrArray *texts; /* of char *, owned */
} TtNotes;

void tt_notes_init (TtNotes *self);
void tt_notes_clear (TtNotes *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtNotes, tt_notes_clear)

void tt_notes_add (TtNotes *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
