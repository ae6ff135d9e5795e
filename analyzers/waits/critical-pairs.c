/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/critical-pairs.h"

void
tt_critical_pairs_init (TtCriticalPairs *self)
{
  self->sections = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->blocks = g_hash_table_new_full (NULL, NULL, NULL, g_free);
}

void
tt_critical_pairs_clear (TtCriticalPairs *self)
{
  g_clear_pointer (&self->sections, g_hash_table_unref);
  g_clear_pointer (&self->blocks, g_hash_table_unref);
}

gboolean
tt_critical_pairs_take (TtCriticalPairs *self,
                        gboolean is_section,
                        guint32 thread,
                        const TtCriticalSpan *span,
                        TtCriticalSpan *section,
                        TtCriticalSpan *block)
{
  GHashTable *own = is_section ? self->sections : self->blocks, *others = is_section ? self->blocks : self->sections;
  const TtCriticalSpan *other = g_hash_table_lookup (others, GUINT_TO_POINTER (thread));

  if (other != NULL)
    {
      *section = is_section ? *span : *other;
      *block = is_section ? *other : *span;
      if (section->begin_ns <= block->begin_ns && block->end_ns <= section->end_ns)
        {
          g_hash_table_remove (others, GUINT_TO_POINTER (thread));
          return TRUE;
        }
    }
  g_hash_table_insert (own, GUINT_TO_POINTER (thread), g_memdup2 (span, sizeof *span));
  return FALSE;
}
