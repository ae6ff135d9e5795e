/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/pair-waits.h"

#include "src/base/map64.h"

struct _TtPairWaits
{
  TtMap64 numbers;   /* by sender << 32 | receiver */
  TtMap64 of_caused; /* by process */
  GArray *sums;      /* of TtPairWait: of both */
};

TtPairWaits *
tt_pair_waits_new_empty (void)
{
  TtPairWaits *self = g_new0 (TtPairWaits, 1);

  self->sums = g_array_new (FALSE, TRUE, sizeof (TtPairWait));
  return self;
}

void
tt_pair_waits_free (TtPairWaits *self)
{
  if (self == NULL)
    return;
  tt_map64_clear (&self->numbers);
  tt_map64_clear (&self->of_caused);
  g_array_unref (self->sums);
  g_free (self);
}

static TtPairWait *
sum_of (TtPairWaits *self, TtMap64 *numbers, guint64 key)
{
  guint32 number = tt_map64_get (numbers, key);

  if (number == TT_MAP64_NONE)
    {
      number = self->sums->len;
      tt_map64_set (numbers, key, number);
      g_array_set_size (self->sums, number + 1);
    }
  return &g_array_index (self->sums, TtPairWait, number);
}

/* What another process says may be anything. */
static void
add_to (tt_int128 *sum, tt_int128 ns)
{
  *sum = (tt_int128) ((tt_uint128) *sum + (tt_uint128) ns);
}

static void
add_late_sender (TtPairWaits *self, guint32 sender, guint32 receiver, tt_int128 ns)
{
  add_to (&sum_of (self, &self->numbers, (guint64) sender << 32 | receiver)->late_sender_ns, ns);
  add_to (&sum_of (self, &self->of_caused, sender)->late_sender_ns, ns);
}

static void
add_late_receiver (TtPairWaits *self, guint32 sender, guint32 receiver, tt_int128 ns)
{
  add_to (&sum_of (self, &self->numbers, (guint64) sender << 32 | receiver)->late_receiver_ns, ns);
  add_to (&sum_of (self, &self->of_caused, receiver)->late_receiver_ns, ns);
}

static void
add_wait (TtPairWaits *self, TtStore *store, const TtWait *wait, gint64 ns)
{
  const TtThread *waiter = tt_store_thread (store, wait->thread), *cause = tt_store_thread (store, wait->from_thread);
  gboolean is_sender_late = wait->kind == TT_WAIT_LATE_SENDER || wait->kind == TT_WAIT_WRONG_ORDER;

  if (waiter == NULL || cause == NULL || (!is_sender_late && wait->kind != TT_WAIT_LATE_RECEIVER))
    return;
  if (is_sender_late)
    add_late_sender (self, cause->process, waiter->process, ns);
  else
    add_late_receiver (self, waiter->process, cause->process, ns);
}

void
tt_pair_waits_pack (const TtPairWaits *self, GByteArray *bytes)
{
  const TtMap64 *numbers = &self->numbers;

  tt_pack_number (bytes, numbers->n);
  for (guint64 slot = 0; numbers->n > 0 && slot <= numbers->mask; slot++)
    if (numbers->values[slot] != TT_MAP64_NONE)
      {
        const TtPairWait *sum = &g_array_index (self->sums, TtPairWait, numbers->values[slot]);
        tt_pack_number (bytes, numbers->keys[slot] >> 32);
        tt_pack_number (bytes, numbers->keys[slot] & G_MAXUINT32);
        tt_pack_wide (bytes, (tt_uint128) sum->late_sender_ns);
        tt_pack_wide (bytes, (tt_uint128) sum->late_receiver_ns);
      }
}

void
tt_pair_waits_unpack (TtPairWaits *self, TtUnpack *from)
{
  const guint64 n = tt_unpack_number (from);

  for (guint64 i = 0; i < n && !from->is_bad; i++)
    {
      const guint32 sender = (guint32) tt_unpack_below (from, G_MAXUINT32);
      const guint32 receiver = (guint32) tt_unpack_below (from, G_MAXUINT32);
      const tt_int128 late_sender_ns = (tt_int128) tt_unpack_wide (from);

      add_late_sender (self, sender, receiver, late_sender_ns);
      add_late_receiver (self, sender, receiver, (tt_int128) tt_unpack_wide (from));
    }
}

TtPairWaits *
tt_pair_waits_of (TtStore *store, const TtWaits *waits, const TtSelection *selection)
{
  TtPairWaits *self = tt_pair_waits_new_empty ();

  for (guint i = 0; i < waits->waits->len; i++)
    {
      const TtWait *wait = &g_array_index (waits->waits, TtWait, i);

      if (selection == NULL || tt_selection_matches_point (selection, wait->thread, wait->begin_ns) ||
          tt_selection_matches_point (selection, wait->from_thread, wait->begin_ns))
        add_wait (self, store, wait, wait->end_ns - wait->begin_ns);
    }
  return self;
}

TtPairWaits *
tt_pair_waits_new (TtStore *store, const TtSelection *selection, GError **error)
{
  gint64 first_ns = G_MININT64, last_ns = G_MAXINT64;

  if (selection != NULL)
    tt_selection_window (selection, &first_ns, &last_ns);
  g_autoptr (TtWaits) waits = tt_waits_between (store, first_ns, last_ns, NULL, error);
  return waits == NULL ? NULL : tt_pair_waits_of (store, waits, selection);
}

static TtPairWait
get (const TtPairWaits *self, const TtMap64 *numbers, guint64 key)
{
  guint32 number = tt_map64_get (numbers, key);

  return number == TT_MAP64_NONE ? (TtPairWait){ 0 } : g_array_index (self->sums, TtPairWait, number);
}

TtPairWait
tt_pair_waits_get (const TtPairWaits *self, guint32 sender, guint32 receiver)
{
  return get (self, &self->numbers, (guint64) sender << 32 | receiver);
}

TtPairWait
tt_pair_waits_caused (const TtPairWaits *self, guint32 process)
{
  return get (self, &self->of_caused, process);
}
