/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/pi/recorder/profile-held.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#define N_LISTS TT_RECORD_MAX_HELD
#define NONE UINT32_MAX

/* A place is in the list of its hash and in the one by age, or among the free. */
typedef struct
{
  TtRecordHeld held;
  uint32_t next_of_hash, older, newer;
} Place;

typedef struct
{
  Place places[TT_RECORD_MAX_HELD];
  uint32_t lists[N_LISTS];
  uint32_t oldest, newest, free, n_used;
} Table;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Table *table;
static uint64_t n_held;

static uint32_t *
list_of (const void *event)
{
  uint64_t mixed = (uint64_t) (uintptr_t) event * 0x9e3779b97f4a7c15u;

  return &table->lists[(mixed >> 32) % N_LISTS];
}

static bool
make_table (void)
{
  if (table != NULL)
    return true;
  table = malloc (sizeof *table);
  if (table == NULL)
    return false;
  table->oldest = table->newest = table->free = NONE;
  table->n_used = 0;
  for (unsigned i = 0; i < N_LISTS; i++)
    table->lists[i] = NONE;
  return true;
}

static uint32_t
find_place (const void *event)
{
  uint32_t at = table != NULL ? *list_of (event) : NONE;

  while (at != NONE && table->places[at].held.event != event)
    at = table->places[at].next_of_hash;
  return at;
}

static void
remove_place (uint32_t at, TtRecordHeld *held)
{
  Place *place = &table->places[at];
  uint32_t *link = list_of (place->held.event);

  *held = place->held;
  while (*link != at)
    link = &table->places[*link].next_of_hash;
  *link = place->next_of_hash;
  *(place->older != NONE ? &table->places[place->older].newer : &table->oldest) = place->newer;
  *(place->newer != NONE ? &table->places[place->newer].older : &table->newest) = place->older;
  place->newer = table->free;
  table->free = at;
}

static void
add_place (const TtRecordHeld *held)
{
  uint32_t at = table->free, *list = list_of (held->event);

  if (at != NONE)
    table->free = table->places[at].newer;
  else
    at = table->n_used++;
  table->places[at] = (Place){ *held, *list, table->newest, NONE };
  table->places[at].held.number = n_held++;
  *list = at;
  *(table->newest != NONE ? &table->places[table->newest].newer : &table->oldest) = at;
  table->newest = at;
}

bool
tt_record_hold (const TtRecordHeld *held, TtRecordHeld *oldest)
{
  bool is_full = false;

  pthread_mutex_lock (&lock);
  if (!make_table ())
    {
      *oldest = *held;
      is_full = true;
    }
  else
    {
      is_full = table->free == NONE && table->n_used == TT_RECORD_MAX_HELD;
      if (is_full)
        remove_place (table->oldest, oldest);
      add_place (held);
    }
  pthread_mutex_unlock (&lock);
  return is_full;
}

bool
tt_record_take (void *event, TtRecordHeld *held)
{
  pthread_mutex_lock (&lock);
  uint32_t at = find_place (event);
  if (at != NONE)
    remove_place (at, held);
  pthread_mutex_unlock (&lock);
  return at != NONE;
}

unsigned
tt_record_take_some (uint64_t queue, uint64_t before, TtRecordHeld *held, unsigned max)
{
  unsigned n = 0;

  pthread_mutex_lock (&lock);
  for (uint32_t at = table != NULL ? table->oldest : NONE, next; at != NONE && n < max; at = next)
    {
      const Place *place = &table->places[at];
      next = place->newer;
      if (place->held.number >= before)
        break;
      if (queue == 0 || place->held.queue == queue)
        remove_place (at, &held[n++]);
    }
  pthread_mutex_unlock (&lock);
  return n;
}

bool
tt_record_is_held (void *event)
{
  pthread_mutex_lock (&lock);
  bool is_held = find_place (event) != NONE;
  pthread_mutex_unlock (&lock);
  return is_held;
}

bool
tt_record_holds_any (void)
{
  pthread_mutex_lock (&lock);
  bool holds = table != NULL && table->oldest != NONE;
  pthread_mutex_unlock (&lock);
  return holds;
}

uint64_t
tt_record_next_held (void)
{
  pthread_mutex_lock (&lock);
  uint64_t next = n_held;
  pthread_mutex_unlock (&lock);
  return next;
}

void
tt_record_held_after_fork (void)
{
  pthread_mutex_init (&lock, NULL);
  /* Left alone: the parent may have been changing it. */
  table = NULL;
}
