/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/coverage.h"

#include "src/base/units.h"

#define MAX_SEEN 65536u

void
tt_ctf_coverage_clear (TtCtfCoverage *self)
{
  tt_map64_clear (&self->places);
  g_clear_pointer (&self->seen, g_array_unref);
}

TtCtfSeen *
tt_ctf_coverage_of (TtCtfCoverage *self, guint32 process, guint64 identity, guint32 name)
{
  guint64 key = identity ^ (guint64) process * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  guint32 at = tt_map64_get (&self->places, key);

  if (at != TT_MAP64_NONE)
    return &g_array_index (self->seen, TtCtfSeen, at);
  if (self->places.n >= MAX_SEEN)
    return NULL;
  if (self->seen == NULL)
    self->seen = g_array_new (FALSE, FALSE, sizeof (TtCtfSeen));
  const TtCtfSeen seen = { .process = process, .name = name, .number = -1 };
  tt_map64_set (&self->places, key, self->seen->len);
  g_array_append_val (self->seen, seen);
  return &g_array_index (self->seen, TtCtfSeen, self->seen->len - 1);
}

void
tt_ctf_coverage_number (TtCtfSeen *self, gint64 number, gint64 ts_ns, gboolean is_lossy)
{
  gint64 step;

  if (number <= self->number)
    return;
  if (self->number >= 0 && !__builtin_sub_overflow (number, self->number, &step))
    {
      self->step = self->step == 0 ? step : MIN (self->step, step);
      if (is_lossy && !__builtin_add_overflow (self->gaps, step, &self->gaps))
        self->n_gaps++;
    }
  self->n_numbers++;
  self->number = number;
  self->number_ns = ts_ns;
}

char *
tt_ctf_coverage_share (guint64 n_seen, guint64 n_all, gboolean are_more)
{
  char all[TT_TIME_TEXT];
  guint64 percent = n_all == 0 ? 100 : (guint64) ((tt_uint128) n_seen * 100 / n_all);

  return g_strdup_printf ("%s%" G_GUINT64_FORMAT " %% of %s%s events", are_more ? "at most " : "", percent,
                          are_more ? "at least " : "", tt_count_text (all, n_all));
}

char *
tt_ctf_coverage_text (const TtCtfSeen *self)
{
  char seen[TT_TIME_TEXT], lost[TT_TIME_TEXT];
  guint64 n_seen = self->n[TT_CTF_SAW_BEGIN] + self->n[TT_CTF_SAW_END];
  guint64 n_missing = self->step > 0 ? (guint64) MAX (self->gaps / self->step - self->n_gaps, 0) : 0;
  guint64 n_lost = self->n[TT_CTF_LOST_BEGIN] + self->n[TT_CTF_LOST_END];

  if (n_lost == 0 && n_missing == 0)
    return NULL;
  if (self->number >= 0)
    return tt_ctf_coverage_share (n_seen, MAX (n_seen, 2 * (self->n_numbers + n_missing)), FALSE);
  return g_strdup_printf ("%s events, at least %s lost", tt_count_text (seen, n_seen), tt_count_text (lost, n_lost));
}
