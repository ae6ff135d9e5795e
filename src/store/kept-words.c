/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/private.h"

#define MAX_WORDS 65536u

char *
tt_store_keep_word (TtStore *self, const char *text)
{
  char *word = g_hash_table_lookup (self->words, text);

  if (word != NULL)
    return word;
  word = g_string_chunk_insert (self->texts, text);
  if (g_hash_table_size (self->words) < MAX_WORDS)
    g_hash_table_add (self->words, word);
  return word;
}
