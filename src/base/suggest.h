/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nearest valid word for a misspelt one.
 */
#pragma once

#include <glib.h>

/* The closest of @words (NULL-ended) by edit distance, or NULL if none is near. */
const char *tt_suggest (const char *word, const char *const *words);
