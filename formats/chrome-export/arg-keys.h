/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys of the arguments of one event. Two that differ only in how they are escaped are one key for every reader.
 */
#pragma once

#include "formats/json/scanner.h"

/* So many are compared one by one; what comes after them is hashed. */
#define CHROME_FEW_KEYS 64u

typedef struct
{
  TtSlice few[CHROME_FEW_KEYS];
  guint n_few;
  GHashTable *more;    /* of GBytes; NULL: none */
  GStringChunk *texts; /* of keys with escapes; NULL: none */
} ChromeArgKeys;

static inline void
tt_chrome_arg_keys_init (ChromeArgKeys *self)
{
  self->n_few = 0;
  self->more = NULL;
  self->texts = NULL;
}

void tt_chrome_arg_keys_clear (ChromeArgKeys *self);
/* FALSE: the key was added before. @raw lies in memory as long as @self does. @text: without escapes, and where it had
 * some, with a NUL at its end. */
gboolean tt_chrome_arg_keys_add (ChromeArgKeys *self, TtSlice raw, TtSlice *text);
