/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/pi/recorder/profile-queues.h"

#include "formats/pi/recorder/safe-copy.h"

#include <pthread.h>
#include <string.h>

#define MAX_QUEUES 1024 /* the oldest is forgotten then */

static TtRecordProfileQueue queues[MAX_QUEUES];
static unsigned n_queues, next_queue;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

TtRecordProfileQueue
tt_record_profile_queue (uint64_t handle)
{
  TtRecordProfileQueue found = { 0 };

  pthread_mutex_lock (&lock);
  for (unsigned i = 0; i < n_queues && found.handle == 0; i++)
    if (queues[i].handle == handle)
      found = queues[i];
  pthread_mutex_unlock (&lock);
  return found;
}

void
tt_record_profile_note_queue (const TtRecordProfileQueue *queue)
{
  unsigned at = 0;

  pthread_mutex_lock (&lock);
  while (at < n_queues && queues[at].handle != queue->handle)
    at++;
  if (at == MAX_QUEUES)
    at = next_queue++ % MAX_QUEUES;
  else if (at == n_queues)
    n_queues++;
  queues[at] = *queue;
  pthread_mutex_unlock (&lock);
}

/* -- properties -------------------------------------------------------------------------------------- */

#define UR_QUEUE_PROPERTIES 14
#define PI_QUEUE_FLAGS UINT64_MAX
#define MAX_WORDS 8u /* of a list */

static bool
read_structure (const TtRecordFunction *function, uint64_t given, TtRecordProperties *self)
{
  const TtPiStruct *type = tt_pi_struct ("ur_queue_properties", function->release);
  uint32_t flags = 0;

  if (type == NULL || type->size > sizeof self->copy)
    return false;
  for (unsigned i = 0; i < type->n_members; i++)
    if (strcmp (type->members[i].param.name, "flags") == 0)
      self->at = type->members[i].offset;
  self->n_bytes = sizeof flags;
  uint8_t *bytes = (uint8_t *) self->copy;
  if (given == 0)
    tt_pi_put32 (bytes, UR_QUEUE_PROPERTIES);
  else if (!tt_record_copy (bytes, (const void *) (uintptr_t) given, type->size))
    return false;
  memcpy (&flags, bytes + self->at, sizeof flags);
  self->flags = flags;
  return self->at > 0;
}

static bool
read_list (uint64_t given, TtRecordProperties *self)
{
  unsigned n = 0;

  while (given != 0)
    {
      if (n + 4 > MAX_WORDS || !tt_record_copy (&self->copy[n], (const void *) (uintptr_t) (given + 8 * n), 8))
        return false;
      if (self->copy[n] == 0)
        break;
      if (!tt_record_copy (&self->copy[n + 1], (const void *) (uintptr_t) (given + 8 * n + 8), 8))
        return false;
      if (self->copy[n] == PI_QUEUE_FLAGS)
        {
          self->flags = self->copy[n + 1];
          self->at = 8 * (n + 1);
        }
      n += 2;
    }
  self->n_bytes = 8;
  if (self->at == 0)
    {
      self->copy[n] = PI_QUEUE_FLAGS;
      self->at = 8 * (n + 1);
      n += 2;
    }
  self->copy[n] = 0;
  return true;
}

bool
tt_record_properties (const TtRecordFunction *function, uint64_t given, TtRecordProperties *self)
{
  memset (self, 0, sizeof *self);
  if (function->api == TT_PI_API_UR)
    return read_structure (function, given, self);
  if (strcmp (function->name, "piQueueCreate") != 0)
    return read_list (given, self);
  self->is_value = true;
  self->flags = given;
  return true;
}

void *
tt_record_properties_with (const TtRecordProperties *self, uint64_t flags, uint64_t room[8])
{
  uint64_t all = self->flags | flags;

  if (self->is_value)
    return (void *) (uintptr_t) all;
  memcpy (room, self->copy, sizeof self->copy);
  memcpy ((uint8_t *) room + self->at, &all, self->n_bytes);
  return room;
}

void *
tt_record_buffer_properties_with_times (const TtRecordFunction *function, uint64_t given, uint64_t room[8])
{
  const TtPiStruct *type = tt_pi_struct ("ur_exp_command_buffer_desc", function->release);
  uint8_t *bytes = (uint8_t *) room;

  if (given == 0 || type == NULL || type->size > 8 * sizeof room[0] ||
      !tt_record_copy (bytes, (const void *) (uintptr_t) given, type->size))
    return NULL;
  for (unsigned i = 0; i < type->n_members; i++)
    if (strcmp (type->members[i].param.name, "enableProfiling") == 0 && bytes[type->members[i].offset] == 0)
      {
        bytes[type->members[i].offset] = 1;
        return room;
      }
  return NULL;
}

void
tt_record_profile_queues_after_fork (void)
{
  pthread_mutex_init (&lock, NULL);
  n_queues = 0;
}
