/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau/damage.h"

#define US_PER_YEAR G_GUINT64_CONSTANT (31557600000000)
#define FAR (10 * US_PER_YEAR)
/* So many records in a row are no accident. */
#define PROOF 8u
#define HEAD 512u
#define NEAR_IN_TIME G_GUINT64_CONSTANT (3600000000)

static TtTauRecord
record_at (const TtTauWindow *self, gsize at)
{
  return tt_tau_decode (self->bytes + at, self->layout);
}

static gboolean
is_zero (const TtTauRecord *record)
{
  return record->event == 0 && record->ti == 0 && record->par == 0 && record->nid == 0 && record->tid == 0;
}

gboolean
tt_tau_can_be_time (const TtTauWindow *self, guint64 ti)
{
  if (ti > G_MAXINT64 / 1000)
    return FALSE;
  return self->usual_ti == 0 || (ti > self->usual_ti ? ti - self->usual_ti : self->usual_ti - ti) <= FAR;
}

static gboolean
can_be (const TtTauWindow *self, const TtTauRecord *record)
{
  if (is_zero (record) || !tt_tau_can_be_time (self, record->ti))
    return FALSE;
  TtTauKind kind = tt_tau_edf_kind (self->edf, record->event);
  return kind != TT_TAU_NOT_DEFINED && (kind != TT_TAU_STATE || record->par == 1 || record->par == -1);
}

static int
compare_times (gconstpointer first, gconstpointer second)
{
  guint64 a = *(const guint64 *) first, b = *(const guint64 *) second;

  return a < b ? -1 : a > b;
}

/* As hardly any bytes are by accident. */
static gboolean
is_enter_or_leave (const TtTauWindow *self, const TtTauRecord *record)
{
  return (record->par == 1 || record->par == -1) && tt_tau_edf_kind (self->edf, record->event) == TT_TAU_STATE;
}

/* Enters and leaves, at any distance, whose time is near @ti. */
static guint
count_records_near (TtTauWindow head, guint64 ti)
{
  guint n = 0;

  head.usual_ti = ti;
  for (gsize at = 0; at + tt_tau_record_size (head.layout) <= head.len; at++)
    {
      TtTauRecord record = record_at (&head, at);
      n += tt_tau_can_be_time (&head, record.ti) && is_enter_or_leave (&head, &record);
    }
  return n;
}

guint64
tt_tau_usual_time (const TtTauWindow *head)
{
  const guint size = tt_tau_record_size (head->layout);
  TtTauWindow few = *head;
  guint64 times[HEAD], first = 0;
  guint n = 0;

  few.len = MIN (few.len, (gsize) HEAD * size);
  few.usual_ti = 0;
  for (gsize at = 0; at + size <= few.len; at += size)
    {
      TtTauRecord record = record_at (head, at);
      if (!can_be (&few, &record))
        continue;
      first = n == 0 ? record.ti : first;
      times[n++] = record.ti;
    }
  if (n == 0)
    return 0;
  qsort (times, n, sizeof times[0], compare_times);
  guint64 middle = times[(n - 1) / 2];
  few.usual_ti = middle;
  /* Where bytes are missing early in the file, most of what was looked at is not what was written. */
  if (first != middle && (!tt_tau_can_be_time (&few, first) || n < HEAD / 2) &&
      count_records_near (few, first) >= count_records_near (few, middle))
    return first;
  return middle;
}

gsize
tt_tau_find_shift (const TtTauWindow *self, gsize at)
{
  const guint size = tt_tau_record_size (self->layout);
  const TtTauWindow near = { self->bytes + at, MIN (self->len - at, (gsize) size * PROOF * 2), self->layout, self->edf,
                             self->usual_ti };

  /* Of fewer some would be found in anything. */
  if (near.len < (gsize) size * (PROOF / 2 + 1))
    return 0;
  gsize found = tt_tau_find_records (&near, 1, 1);
  return found < size ? found : 0;
}

TtTauSample
tt_tau_sample (const TtTauWindow *head)
{
  const guint size = tt_tau_record_size (head->layout);
  TtTauSample sample = { 0 };
  gsize shift = 0;

  for (gsize at = 0; at + size <= head->len; at += shift != 0 ? shift : size)
    {
      TtTauRecord record = record_at (head, at);
      gboolean is_defined = tt_tau_edf_has (head->edf, record.event);

      shift = is_defined ? 0 : tt_tau_find_shift (head, at);
      if (shift != 0 || is_zero (&record) || !tt_tau_can_be_time (head, record.ti))
        continue;
      sample.first_ti = sample.n == 0 ? record.ti : sample.first_ti;
      sample.n++;
      sample.n_undefined += !is_defined;
    }
  return sample;
}

gsize
tt_tau_count_zeros (const TtTauWindow *self)
{
  const guint size = tt_tau_record_size (self->layout);
  gsize n = 0;

  for (gsize at = 0; at + size <= self->len; at += size, n++)
    {
      TtTauRecord record = record_at (self, at);
      if (!is_zero (&record))
        break;
    }
  return n;
}

/* Some enters or leaves, or times that are near each other: a shifted record has a piece of another's, and often 0 for its
 * event. */
static gboolean
is_proved (const TtTauWindow *self, gsize at)
{
  const guint size = tt_tau_record_size (self->layout);
  guint64 first_ti = G_MAXUINT64, last_ti = 0;
  guint n = 0, n_states = 0, n_nameless = 0;

  for (; n < PROOF && at + size <= self->len; n++, at += size)
    {
      TtTauRecord record = record_at (self, at);
      if (!can_be (self, &record))
        return FALSE;
      n_states += is_enter_or_leave (self, &record);
      n_nameless += record.event == 0;
      first_ti = MIN (first_ti, record.ti);
      last_ti = MAX (last_ti, record.ti);
    }
  return n > 0 && (n_states > 1 || (last_ti - first_ti < NEAR_IN_TIME && n_nameless * 2 <= n));
}

gsize
tt_tau_find_records (const TtTauWindow *self, gsize from, gsize step)
{
  for (gsize at = from; at < self->len; at += step)
    if (is_proved (self, at))
      return at;
  return self->len;
}

gboolean
tt_tau_next_time (const TtTauWindow *self, guint16 nid, guint16 tid, guint64 *ti)
{
  const guint size = tt_tau_record_size (self->layout);

  for (gsize at = size; at + size <= self->len; at += size)
    {
      TtTauRecord record = record_at (self, at);
      if (record.nid != nid || record.tid != tid || !can_be (self, &record))
        continue;
      *ti = record.ti;
      return TRUE;
    }
  return FALSE;
}
