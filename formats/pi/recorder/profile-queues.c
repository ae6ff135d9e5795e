/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/pi/recorder/profile-queues.h"

#include <pthread.h>

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

void
tt_record_profile_queues_after_fork (void)
{
  pthread_mutex_init (&lock, NULL);
  n_queues = 0;
}
