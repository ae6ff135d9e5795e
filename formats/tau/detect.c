/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau/detect.h"

#define TRIAL 400u

typedef struct
{
  TtTauKindFunc kind_of;
  void *data;
} Ids;

static bool
is_known (const Ids *ids, int64_t id)
{
  return ids->kind_of (id, ids->data) != TT_TAU_NOT_DEFINED;
}

static bool
has_magic_in (const uint8_t *head, size_t len, TtTauLayout layout)
{
  return len >= tt_tau_record_size (layout) && tt_tau_decode (head, layout).par == TT_TAU_MAGIC;
}

unsigned
tt_tau_count_magic (const uint8_t *head, size_t len, TtTauLayout *layout)
{
  unsigned n = 0;

  for (TtTauLayout candidate = 0; candidate < TT_TAU_N_LAYOUTS; candidate++)
    if (has_magic_in (head, len, candidate) && n++ == 0)
      *layout = candidate;
  return n;
}

typedef struct
{
  unsigned n, n_known, n_backwards;
  bool is_all_zero;
} Trial;

static Trial
try_layout (const uint8_t *head, size_t len, const Ids *ids, TtTauLayout layout)
{
  unsigned size = tt_tau_record_size (layout);
  Trial trial = { .n = len / size < TRIAL ? (unsigned) (len / size) : TRIAL, .is_all_zero = true };
  uint64_t last = 0;

  for (unsigned i = 0; i < trial.n; i++)
    {
      TtTauRecord record = tt_tau_decode (head + (size_t) i * size, layout);
      trial.n_known += is_known (ids, record.event);
      trial.n_backwards += record.ti < last;
      trial.is_all_zero &= record.ti == 0 && record.par == 0;
      last = record.ti;
    }
  return trial;
}

/* Decides when several layouts show the magic: higher is likelier. */
static unsigned
score (const uint8_t *head, size_t len, uint64_t size, const Ids *ids, TtTauLayout layout)
{
  Trial trial = try_layout (head, len, ids, layout);
  unsigned points = trial.n == 0 ? 0 : 1000 * trial.n_known / trial.n;

  if (ids->kind_of (tt_tau_decode (head, layout).event, ids->data) == TT_TAU_INIT)
    points += 4000;
  if (trial.n > 1 && is_known (ids, tt_tau_decode (head + tt_tau_record_size (layout), layout).event))
    points += 2000;
  if (size != 0 && size % tt_tau_record_size (layout) == 0)
    points += 1000;
  return points;
}

static bool
mostly_known (const uint8_t *head, size_t len, const Ids *ids, TtTauLayout layout, unsigned of_ten)
{
  Trial trial = try_layout (head, len, ids, layout);

  return trial.n > 0 && trial.n_known * 10 >= trial.n * of_ten;
}

bool
tt_tau_detect (const TtTauHead *head, TtTauKindFunc kind_of, void *data, TtTauLayout *layout, bool *has_magic)
{
  const uint8_t *bytes = head->bytes;
  const size_t len = head->len;
  const Ids known = { kind_of, data }, *ids = &known;
  unsigned best = 0;
  bool is_found = false;

  *has_magic = true;
  for (TtTauLayout candidate = 0; candidate < TT_TAU_N_LAYOUTS; candidate++)
    if (has_magic_in (bytes, len, candidate))
      {
        unsigned points = score (bytes, len, head->size, ids, candidate);
        if (!is_found || points > best)
          {
            *layout = candidate;
            best = points;
          }
        is_found = true;
      }
  /* A cut stream may by chance have a 3 where another layout's magic is. */
  if (is_found && mostly_known (bytes, len, ids, *layout, 2))
    return true;

  best = 0;
  for (TtTauLayout candidate = 0; candidate < TT_TAU_N_LAYOUTS; candidate++)
    {
      Trial trial = try_layout (bytes, len, ids, candidate);
      if (trial.is_all_zero || !mostly_known (bytes, len, ids, candidate, 9) || trial.n_backwards * 4 > trial.n)
        continue;
      unsigned points = 1000 * trial.n_known / trial.n + 1;
      if (points > best)
        {
          *layout = candidate;
          *has_magic = false;
          best = points;
          is_found = true;
        }
    }
  return is_found;
}
