/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/finder-private.h"

#include "analyzers/waits/window-locks.h"

gboolean
tt_wait_finder_is_entangled (const TtWaitFinder *self)
{
  return self->devices != NULL && tt_device_waits_are_entangled (self->devices);
}

void
tt_wait_finder_deal (TtWaitFinder *self, const TtWaitDeal *deal, GByteArray **bytes)
{
  tt_message_waits_deal (self->messages, deal, bytes);
  tt_collective_waits_deal (self->collectives, deal, bytes);
}

/* Calls @take with what each of the others has given. */
static gboolean
take_each (TtWaitFinder *self,
           const TtWaitDeal *deal,
           GByteArray **bytes,
           gboolean (*take) (TtWaitFinder *self, guint rank, TtUnpack *from))
{
  for (guint rank = 0; rank < deal->crew->n; rank++)
    {
      TtUnpack from = tt_unpack_all (bytes[rank]);

      if (rank != deal->crew->rank && (!take (self, rank, &from) || from.is_bad))
        return FALSE;
      g_byte_array_set_size (bytes[rank], 0);
    }
  return TRUE;
}

static gboolean
take_dealt (TtWaitFinder *self, guint rank, TtUnpack *from)
{
  return tt_message_waits_add (self->messages, from) && tt_collective_waits_add (self->collectives, from);
}

gboolean
tt_wait_finder_take_dealt (TtWaitFinder *self, const TtWaitDeal *deal, GByteArray **bytes)
{
  return take_each (self, deal, bytes, take_dealt);
}

gboolean
tt_wait_finder_has_thread (const TtWaitFinder *self, guint32 thread)
{
  return tt_thread_waits_has (self->threads, thread) ||
         (self->devices != NULL && tt_device_waits_claim (self->devices, thread));
}

void
tt_wait_finder_give_ends (TtWaitFinder *self, const TtWaitDeal *deal, GByteArray **bytes)
{
  tt_wait_finder_begin (self);
  tt_message_waits_give_sends (self->messages, bytes);
  tt_thread_waits_deal (self->threads, deal, bytes);
}

static gboolean
take_ends (TtWaitFinder *self, guint rank, TtUnpack *from)
{
  return tt_message_waits_take_sends (self->messages, rank, from) && tt_thread_waits_add (self->threads, from);
}

gboolean
tt_wait_finder_take_ends (TtWaitFinder *self, const TtWaitDeal *deal, GByteArray **bytes)
{
  return take_each (self, deal, bytes, take_ends);
}

static void
deal_waits (const TtWaitDeal *deal, const GArray *waits, TtDealt *dealt)
{
  for (guint i = 0; i < waits->len; i++)
    {
      const TtWait *wait = &g_array_index (waits, TtWait, i);
      g_array_append_vals (dealt->of[tt_wait_deal_of_thread (deal, wait->thread)], wait, 1);
    }
}

/* Locks of windows are of all ranks of the run, and rare: rank 0 finds those waits alone. */
gboolean
tt_wait_finder_find_part (TtWaitFinder *self, const TtWaitDeal *deal, GArray *waits, GByteArray **bytes, GError **error)
{
  g_autoptr (GArray) of_any = g_array_new (FALSE, FALSE, sizeof (TtWait));
  g_auto (TtDealt) dealt = { NULL };

  tt_dealt_init (&dealt, deal->crew->n, sizeof (TtWait));
  tt_message_waits_find_part (self->messages, waits, &dealt, bytes);
  tt_collective_waits_find (self->collectives, waits);
  if (self->devices != NULL)
    tt_device_waits_find (self->devices, waits);
  if ((deal->crew->rank == 0 && !tt_window_lock_waits_find (self->store, self->selection, NULL, of_any, error)) ||
      !tt_thread_waits_find (self->threads, &self->classes, NULL, of_any, &self->counts, error))
    return FALSE;
  deal_waits (deal, of_any, &dealt);
  tt_dealt_give (&dealt, deal->crew->rank, bytes, waits);
  return TRUE;
}

gboolean
tt_waits_are_known (const GArray *waits, TtStore *store)
{
  const guint32 max_thread = tt_store_max_thread (store), max_name = tt_store_max_name (store);

  for (guint i = 0; i < waits->len; i++)
    {
      const TtWait *wait = &g_array_index (waits, TtWait, i);
      if (wait->thread > max_thread || wait->from_thread > max_thread || wait->kind >= TT_N_WAIT_KINDS ||
          wait->name > max_name || wait->from_name > max_name)
        return FALSE;
    }
  return TRUE;
}

/* Also those found here rest on what others have said. */
gboolean
tt_wait_finder_finish_part (TtWaitFinder *self,
                            const TtWaitDeal *deal,
                            GByteArray **bytes,
                            GArray *waits,
                            TtWaitCounts *counts)
{
  for (guint rank = 0; rank < deal->crew->n; rank++)
    {
      TtUnpack from = tt_unpack_all (bytes[rank]);

      if (rank != deal->crew->rank && (!tt_message_waits_add_receivers (self->messages, &from, waits) ||
                                       !tt_dealt_take (&from, waits) || from.is_bad))
        return FALSE;
      g_byte_array_set_size (bytes[rank], 0);
    }
  *counts = self->counts;
  return tt_waits_are_known (waits, self->store);
}
