/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCache: what was found once by a text and can be found again, in memory up to a bound.
 *
 * Beyond it everything is forgotten. Whoever finds nothing finds out again, with the same result.
 */
#pragma once

#include <glib.h>

#include <string.h>

#define TT_CACHE_BYTES ((gsize) 8 << 20)

typedef struct
{
  GHashTable *by_text; /* owns texts and what they stand for */
  gsize n_bytes;
} TtCache;

/* NULL: not there, or forgotten. */
static inline gpointer
tt_cache_find (const TtCache *self, const char *text)
{
  return g_hash_table_lookup (self->by_text, text);
}

/* @n_bytes: of @value, all told. What was found before may be gone then. */
static inline void
tt_cache_add (TtCache *self, const char *text, gpointer value, gsize n_bytes)
{
  gsize len = strlen (text) + 1;

  if (self->n_bytes > TT_CACHE_BYTES)
    {
      g_hash_table_remove_all (self->by_text);
      self->n_bytes = 0;
    }
  g_hash_table_replace (self->by_text, g_memdup2 (text, len), value);
  /* Of the table and the allocator. */
  self->n_bytes += len + n_bytes + 64;
}
