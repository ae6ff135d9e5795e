/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/kinship.h"

/* Programs have fewer; what is beyond is not learned. */
#define MAX_ENTRIES (1u << 18)

void
tt_ctf_kinship_clear (TtCtfKinship *self)
{
  tt_map64_clear (&self->pairs);
  tt_map64_clear (&self->known);
  tt_map64_clear (&self->longest);
  g_clear_pointer (&self->longest_ns, g_array_unref);
}

void
tt_ctf_kin_add (TtCtfKinship *self, guint64 outer, guint64 inner)
{
  if (self->pairs.n < MAX_ENTRIES)
    tt_map64_set (&self->pairs, tt_ctf_kin_mix (outer, inner), 1);
}

void
tt_ctf_kin_know (TtCtfKinship *self, guint64 inner)
{
  if (self->known.n < MAX_ENTRIES)
    tt_map64_set (&self->known, inner, 1);
}

void
tt_ctf_kin_lasted (TtCtfKinship *self, guint64 span, gint64 dur_ns)
{
  guint32 at = tt_map64_get (&self->longest, span);

  if (at != TT_MAP64_NONE)
    {
      gint64 *longest = &g_array_index (self->longest_ns, gint64, at);
      *longest = MAX (*longest, dur_ns);
      return;
    }
  if (self->longest.n >= MAX_ENTRIES)
    return;
  if (self->longest_ns == NULL)
    self->longest_ns = g_array_new (FALSE, FALSE, sizeof dur_ns);
  tt_map64_set (&self->longest, span, self->longest_ns->len);
  g_array_append_val (self->longest_ns, dur_ns);
}

gint64
tt_ctf_kin_longest (const TtCtfKinship *self, guint64 span)
{
  guint32 at = tt_map64_get (&self->longest, span);

  return at == TT_MAP64_NONE ? -1 : g_array_index (self->longest_ns, gint64, at);
}
