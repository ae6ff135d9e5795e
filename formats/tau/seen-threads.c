#include "config.h"

#include "formats/tau/seen-threads.h"

#include <stdlib.h>

void
tt_tau_seen_threads_clear (TtTauSeenThreads *self)
{
  free (self->slots);
  *self = (TtTauSeenThreads){ 0 };
}

static TtTauSeenThread *
place_of (TtTauSeenThread *slots, size_t room, uint32_t key)
{
  size_t i = (size_t) ((key * UINT64_C (0x9e3779b97f4a7c15)) >> 32) & (room - 1);

  while (slots[i].key != 0 && slots[i].key != (uint64_t) key + 1)
    i = (i + 1) & (room - 1);
  return &slots[i];
}

static bool
grow (TtTauSeenThreads *self)
{
  size_t room = self->room == 0 ? 64 : 2 * self->room;
  TtTauSeenThread *slots = calloc (room, sizeof *slots);

  if (slots == NULL)
    return false;
  for (size_t i = 0; i < self->room; i++)
    if (self->slots[i].key != 0)
      *place_of (slots, room, (uint32_t) (self->slots[i].key - 1)) = self->slots[i];
  free (self->slots);
  self->slots = slots;
  self->room = room;
  return true;
}

bool
tt_tau_seen_threads_add (TtTauSeenThreads *self, uint32_t key, bool *is_new)
{
  if (2 * (self->n + 1) > self->room && !grow (self))
    return false;
  TtTauSeenThread *place = place_of (self->slots, self->room, key);
  *is_new = place->key == 0;
  if (*is_new)
    {
      *place = (TtTauSeenThread){ .key = (uint64_t) key + 1, .closed_at = INT64_MAX };
      self->n++;
    }
  return true;
}

void
tt_tau_seen_threads_close (TtTauSeenThreads *self, uint32_t key, int64_t position)
{
  if (self->n == 0)
    return;
  TtTauSeenThread *thread = place_of (self->slots, self->room, key);
  if (position < thread->closed_at)
    thread->closed_at = position;
}

bool
tt_tau_seen_threads_is_closed (const TtTauSeenThreads *self, uint32_t key, int64_t position)
{
  return self->n > 0 && place_of (self->slots, self->room, key)->closed_at < position;
}
