/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/critical-pairs.h"

/* An event of 0: there is none. */
typedef struct
{
  TtCriticalSpan section, block;
} Halves;

void
tt_critical_pairs_init (TtCriticalPairs *self)
{
  self->last = g_hash_table_new_full (NULL, NULL, NULL, g_free);
}

void
tt_critical_pairs_clear (TtCriticalPairs *self)
{
  g_clear_pointer (&self->last, g_hash_table_unref);
}

static Halves *
halves_of (TtCriticalPairs *self, guint32 thread)
{
  Halves *halves = g_hash_table_lookup (self->last, GUINT_TO_POINTER (thread));

  if (halves == NULL)
    {
      halves = g_new0 (Halves, 1);
      g_hash_table_insert (self->last, GUINT_TO_POINTER (thread), halves);
    }
  return halves;
}

gboolean
tt_critical_pairs_take (TtCriticalPairs *self,
                        gboolean is_section,
                        guint32 thread,
                        const TtCriticalSpan *span,
                        TtCriticalSpan *section,
                        TtCriticalSpan *block)
{
  Halves *halves = halves_of (self, thread);
  TtCriticalSpan *own = is_section ? &halves->section : &halves->block;
  TtCriticalSpan *other = is_section ? &halves->block : &halves->section;

  *section = is_section ? *span : *other;
  *block = is_section ? *other : *span;
  if (other->event != 0 && section->begin_ns <= block->begin_ns && block->end_ns <= section->end_ns)
    {
      other->event = 0;
      return TRUE;
    }
  *own = *span;
  return FALSE;
}
