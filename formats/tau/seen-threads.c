/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau/seen-threads.h"

#include <stdlib.h>

void
tt_tau_seen_threads_clear (TtTauSeenThreads *self)
{
  free (self->threads);
  tt_tau_index_clear (&self->by_key);
  *self = (TtTauSeenThreads){ 0 };
}

static bool
is_thread (const void *items, uint32_t item, const void *key)
{
  return ((const TtTauSeenThread *) items)[item].key == *(const uint32_t *) key;
}

/* NULL: not seen. */
static TtTauSeenThread *
find_thread (const TtTauSeenThreads *self, uint32_t key)
{
  uint32_t item = tt_tau_index_find (&self->by_key, tt_tau_hash_number (key), is_thread, self->threads, &key);

  return item == TT_TAU_NO_ITEM ? NULL : &self->threads[item];
}

static bool
grow_threads (TtTauSeenThreads *self)
{
  size_t room = self->room == 0 ? 32 : 2 * self->room;
  TtTauSeenThread *threads = realloc (self->threads, room * sizeof *threads);

  if (threads == NULL)
    return false;
  self->threads = threads;
  self->room = room;
  return true;
}

bool
tt_tau_seen_threads_add (TtTauSeenThreads *self, uint32_t key, bool *is_new)
{
  *is_new = find_thread (self, key) == NULL;
  if (!*is_new)
    return true;
  if ((self->n == self->room && !grow_threads (self)) ||
      !tt_tau_index_add (&self->by_key, tt_tau_hash_number (key), (uint32_t) self->n))
    return false;
  self->threads[self->n++] = (TtTauSeenThread){ .key = key, .closed_at = INT64_MAX };
  return true;
}

void
tt_tau_seen_threads_close (TtTauSeenThreads *self, uint32_t key, int64_t position)
{
  TtTauSeenThread *thread = find_thread (self, key);

  if (thread != NULL && position < thread->closed_at)
    thread->closed_at = position;
}

bool
tt_tau_seen_threads_is_closed (const TtTauSeenThreads *self, uint32_t key, int64_t position)
{
  const TtTauSeenThread *thread = find_thread (self, key);

  return thread != NULL && thread->closed_at < position;
}
