#include "config.h"

#include "formats/tau/layout.h"

#define MAGIC 3
#define TRIAL 400u

const char *
tt_tau_layout_text (TtTauLayout layout)
{
  static const char *const texts[TT_TAU_N_LAYOUTS] = {
    "24-byte records, little endian",
    "24-byte records, big endian",
    "32-byte records, little endian",
    "32-byte records, big endian",
  };

  return texts[layout];
}

static gboolean
has_magic_in (const guint8 *head, gsize len, TtTauLayout layout)
{
  return len >= tt_tau_record_size (layout) && tt_tau_decode (head, layout).par == MAGIC;
}

gboolean
tt_tau_layout_probe (const guint8 *head, gsize len)
{
  for (TtTauLayout layout = 0; layout < TT_TAU_N_LAYOUTS; layout++)
    if (has_magic_in (head, len, layout))
      return TRUE;
  return FALSE;
}

typedef struct
{
  guint n, n_known, n_backwards;
  gboolean is_all_zero;
} Trial;

static Trial
try_layout (const guint8 *head, gsize len, TtTauEdf *edf, TtTauLayout layout)
{
  guint size = tt_tau_record_size (layout);
  Trial trial = { .n = (guint) MIN (len / size, TRIAL), .is_all_zero = TRUE };
  guint64 last = 0;

  for (guint i = 0; i < trial.n; i++)
    {
      TtTauRecord record = tt_tau_decode (head + (gsize) i * size, layout);
      trial.n_known += tt_tau_edf_has (edf, record.event);
      trial.n_backwards += record.ti < last;
      trial.is_all_zero &= record.ti == 0 && record.par == 0;
      last = record.ti;
    }
  return trial;
}

/* Higher is likelier: what tells when several layouts show the magic. */
static guint
score (const guint8 *head, gsize len, guint64 size, TtTauEdf *edf, TtTauLayout layout)
{
  Trial trial = try_layout (head, len, edf, layout);
  TtTauRow row;
  guint points = trial.n == 0 ? 0 : 1000 * trial.n_known / trial.n;

  if (tt_tau_edf_find (edf, tt_tau_decode (head, layout).event, &row) && row.kind == TT_TAU_INIT)
    points += 4000;
  if (trial.n > 1 && tt_tau_edf_has (edf, tt_tau_decode (head + tt_tau_record_size (layout), layout).event))
    points += 2000;
  if (size != 0 && size % tt_tau_record_size (layout) == 0)
    points += 1000;
  return points;
}

static gboolean
mostly_known (const guint8 *head, gsize len, TtTauEdf *edf, TtTauLayout layout, guint of_ten)
{
  Trial trial = try_layout (head, len, edf, layout);

  return trial.n > 0 && trial.n_known * 10 >= trial.n * of_ten;
}

gboolean
tt_tau_layout_detect (const guint8 *head, gsize len, guint64 size, TtTauEdf *edf, TtTauLayout *layout, gboolean *has_magic)
{
  guint best = 0;
  gboolean is_found = FALSE;

  *has_magic = TRUE;
  for (TtTauLayout candidate = 0; candidate < TT_TAU_N_LAYOUTS; candidate++)
    if (has_magic_in (head, len, candidate))
      {
        guint points = score (head, len, size, edf, candidate);
        if (!is_found || points > best)
          {
            *layout = candidate;
            best = points;
          }
        is_found = TRUE;
      }
  /* A cut stream may by chance have a 3 where another layout's magic is. */
  if (is_found && mostly_known (head, len, edf, *layout, 2))
    return TRUE;

  best = 0;
  for (TtTauLayout candidate = 0; candidate < TT_TAU_N_LAYOUTS; candidate++)
    {
      Trial trial = try_layout (head, len, edf, candidate);
      if (trial.is_all_zero || !mostly_known (head, len, edf, candidate, 9) || trial.n_backwards * 4 > trial.n)
        continue;
      guint points = 1000 * trial.n_known / trial.n + 1;
      if (points > best)
        {
          *layout = candidate;
          *has_magic = FALSE;
          best = points;
          is_found = TRUE;
        }
    }
  return is_found;
}
