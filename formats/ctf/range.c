/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/range.h"

#include "formats/ctf/event.h"

/* Times in event headers have some of the clock's bits: one that goes back counts as gone round, and all after it, up to
 * the next that has all bits, are too late by so much. */
#define MIN_WRAP_BITS 16
#define MAX_WRAP_BITS 62

gint64
tt_ctf_range_mend (const TtCtfRange *self, gint64 before_ns, gint64 ts_ns)
{
  gint64 least_ns = before_ns == TT_CTF_ALWAYS ? self->begin_ns : CLAMP (before_ns, self->begin_ns, self->end_ns);
  gint64 mended_ns;

  for (guint bits = MIN_WRAP_BITS; ts_ns > self->end_ns && bits <= MAX_WRAP_BITS; bits++)
    if (!__builtin_sub_overflow (ts_ns, G_GINT64_CONSTANT (1) << bits, &mended_ns) && mended_ns >= least_ns &&
        mended_ns <= self->end_ns)
      return mended_ns;
  return least_ns;
}
