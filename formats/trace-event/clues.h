/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gathers TtClues (dialect.h) from the head of a file.
 */
#pragma once

#include "formats/trace-event/dialect.h"

/* NULL with @error: the file cannot be opened. Contents that cannot be read give the clues before that. */
TtClues *tt_clues_new (const char *path, GError **error);
void tt_clues_free (TtClues *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtClues, tt_clues_free)
