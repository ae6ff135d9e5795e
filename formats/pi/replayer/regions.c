/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "formats/pi/replayer/regions.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>

typedef struct Region Region;
struct Region
{
  uint64_t recorded, live, size;
  bool is_usm;
  Region *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Region *regions;

uint64_t
tt_replay_region_new (uint64_t recorded, uint64_t size)
{
  void *live = mmap (NULL, size > 0 ? (size_t) size : 1, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  Region *region = live != MAP_FAILED ? malloc (sizeof *region) : NULL;

  if (region == NULL)
    return 0;
  pthread_mutex_lock (&lock);
  *region = (Region){ recorded, (uintptr_t) live, size, false, regions };
  regions = region;
  pthread_mutex_unlock (&lock);
  return region->live;
}

void
tt_replay_region_free (uint64_t live)
{
  pthread_mutex_lock (&lock);
  for (Region **at = &regions; *at != NULL; at = &(*at)->next)
    if ((*at)->live == live)
      {
        Region *region = *at;
        *at = region->next;
        munmap ((void *) (uintptr_t) region->live, region->size > 0 ? (size_t) region->size : 1);
        free (region);
        break;
      }
  pthread_mutex_unlock (&lock);
}

bool
tt_replay_region_has (uint64_t live)
{
  bool found = false;

  pthread_mutex_lock (&lock);
  for (const Region *region = regions; region != NULL && !found; region = region->next)
    found = live >= region->live && live - region->live < region->size;
  pthread_mutex_unlock (&lock);
  return found;
}

uint64_t
tt_replay_live_address (uint64_t recorded)
{
  uint64_t live = recorded;

  pthread_mutex_lock (&lock);
  for (const Region *region = regions; region != NULL; region = region->next)
    if (recorded >= region->recorded && recorded - region->recorded < region->size)
      {
        live = region->live + (recorded - region->recorded);
        break;
      }
  pthread_mutex_unlock (&lock);
  return live;
}

void
tt_replay_region_is_usm (uint64_t live)
{
  pthread_mutex_lock (&lock);
  for (Region *region = regions; region != NULL; region = region->next)
    if (region->live == live)
      {
        region->is_usm = true;
        break;
      }
  pthread_mutex_unlock (&lock);
}

bool
tt_replay_region_usm (uint64_t recorded, uint64_t *live)
{
  bool found = false;

  pthread_mutex_lock (&lock);
  for (const Region *region = regions; region != NULL && !found; region = region->next)
    if (region->is_usm && recorded >= region->recorded && recorded - region->recorded < region->size)
      {
        *live = region->live + (recorded - region->recorded);
        found = true;
      }
  pthread_mutex_unlock (&lock);
  return found;
}

/* The upper half of an address of a program on Linux: of its own memory, or of libraries and stacks, which begin up to 1 TiB and 16 GiB, for the stack,
 * below 2^47. */
static bool
is_of_address (uint64_t half)
{
  return half >> 9 == 0x5400 >> 9 || half >> 9 == 0x5600 >> 9 || (half >= 0x7ef0 && half <= 0x7fff);
}

bool
tt_replay_is_left_over (uint64_t then, uint64_t now)
{
  bool was_address = is_of_address (then >> 32);

  if ((uint32_t) then == (uint32_t) now)
    return was_address || (then >> 32 == 0 && is_of_address (now >> 32));
  return was_address && is_of_address (now >> 32) && !tt_replay_region_has (now) &&
         tt_replay_live_address (then) == then;
}
