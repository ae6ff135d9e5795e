/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/pi/pixels.h"

#include <stdlib.h>

#define MIN_ROOM 64
#define MAX_IMAGES (1u << 20) /* more are not remembered */

typedef struct TtPiPixelEntry
{
  uint64_t handle; /* 0: free */
  uint8_t size;
} Entry;

#define COUNT(array) (sizeof (array) / sizeof ((array)[0]))

/* -- formats ---------------------------------------------------------------------------------------- */

/* Channels, by the order's number: of UR from 0, of PI from that of R on, 0 where OpenCL has an order that PI has not. */
static const uint8_t channels_of_ur[] = { 1, 1, 2, 2, 3, 4, 4, 4, 4, 1, 1, 1, 2, 3, 4 };
static const uint8_t channels_of_pi[] = { 1, 1, 2, 2, 3, 4, 4, 4, 1, 1, 1, 2, 3, 0, 0, 0, 0, 4, 0, 4 };
#define PI_ORDERS 0x10b0u
#define PI_TYPES 0x10d0u
#define PACKED 128 /* the bytes are those of all channels */

/* Bytes of a channel: normalised, packed, signed, unsigned, floating. */
static const uint8_t bytes_of[] = { 1, 2, 1, 2, PACKED | 2, PACKED | 2, PACKED | 4, 1, 2, 4, 1, 2, 4, 2, 4 };

uint8_t
tt_pi_pixel_size (bool is_ur, uint32_t order, uint32_t type)
{
  if (!is_ur)
    {
      order -= PI_ORDERS;
      type -= PI_TYPES;
    }
  if (order >= (is_ur ? COUNT (channels_of_ur) : COUNT (channels_of_pi)) || type >= COUNT (bytes_of))
    return 0;

  uint8_t n = is_ur ? channels_of_ur[order] : channels_of_pi[order], bytes = bytes_of[type];

  return n == 0 ? 0 : (bytes & PACKED) != 0 ? bytes & ~PACKED & 0xff : (uint8_t) (n * bytes);
}

/* -- images ----------------------------------------------------------------------------------------- */

/* Where @handle is, or would be. */
static size_t
place_of (const Entry *entries, size_t room, uint64_t handle)
{
  size_t at = (size_t) ((handle * UINT64_C (0x9e3779b97f4a7c15)) >> 32) & (room - 1);

  while (entries[at].handle != 0 && entries[at].handle != handle)
    at = (at + 1) & (room - 1);
  return at;
}

/* Keeps a third free. */
static bool
make_room (TtPiPixels *self)
{
  size_t room = self->room == 0 ? MIN_ROOM : 2 * self->room;

  if (3 * (self->n + 1) <= 2 * self->room)
    return true;
  if (self->n >= MAX_IMAGES)
    return false;

  Entry *entries = calloc (room, sizeof *entries);
  if (entries == NULL)
    return false;
  for (size_t i = 0; i < self->room; i++)
    if (self->entries[i].handle != 0)
      entries[place_of (entries, room, self->entries[i].handle)] = self->entries[i];
  free (self->entries);
  self->entries = entries;
  self->room = room;
  return true;
}

static bool
has_image (const TtPiPixels *self, uint64_t handle)
{
  return self->room > 0 && self->entries[place_of (self->entries, self->room, handle)].handle != 0;
}

void
tt_pi_pixels_note (TtPiPixels *self, uint64_t handle, uint8_t size)
{
  if (handle == 0)
    return;
  pthread_mutex_lock (&self->lock);
  if (has_image (self, handle) || make_room (self))
    {
      Entry *entry = &self->entries[place_of (self->entries, self->room, handle)];
      self->n += entry->handle == 0;
      *entry = (Entry){ handle, size };
    }
  pthread_mutex_unlock (&self->lock);
}

uint8_t
tt_pi_pixels_find (TtPiPixels *self, uint64_t handle)
{
  uint8_t size = 0;

  if (handle == 0)
    return 0;
  pthread_mutex_lock (&self->lock);
  if (self->room > 0)
    size = self->entries[place_of (self->entries, self->room, handle)].size;
  pthread_mutex_unlock (&self->lock);
  return size;
}

void
tt_pi_pixels_after_fork (TtPiPixels *self)
{
  if (pthread_mutex_trylock (&self->lock) != 0)
    {
      self->entries = NULL;
      self->n = self->room = 0;
    }
  pthread_mutex_init (&self->lock, NULL);
}

void
tt_pi_pixels_clear (TtPiPixels *self)
{
  free (self->entries);
  self->entries = NULL;
  self->n = self->room = 0;
}
