/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/pi/recorder/profile-clock.h"

#include "formats/pi/recorder/session.h"

#include <pthread.h>

#define MAX_DEVICES 64
/* The narrowest of so many readings is kept: a thread may be interrupted in one. */
#define TRIES 3

typedef struct
{
  uint64_t device, last_ns;
  TtRecordClock clock;
} Device;

static Device devices[MAX_DEVICES];
static unsigned n_devices;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void
read_clock (TtRecordThread *thread, const Device *device)
{
  TtPiNativeTimes best = { .of = TT_PI_TIMES_OF_CLOCK, .instance = device->device };

  for (unsigned i = 0; i < TRIES; i++)
    {
      uint64_t shown = 0, host = 0, before = tt_record_now ();
      int32_t result = device->clock ((void *) (uintptr_t) device->device, &shown, &host);
      uint64_t after = tt_record_now ();
      if (result != 0)
        {
          tt_record_clock_forget (device->device);
          return;
        }
      if (i > 0 && after - before >= best.times[3] - best.times[2])
        continue;
      best.times[0] = shown;
      best.times[1] = host;
      best.times[2] = before;
      best.times[3] = after;
    }
  best.which = 15;
  tt_pi_native_write_times (&thread->writer, &best);
  if (thread->writer.error != 0)
    tt_record_complain ("cannot write", thread->path, thread->writer.error);
}

/* Takes one that was not read within the last @apart_ns; false: there is none. */
static bool
take_due (uint64_t now_ns, uint64_t apart_ns, Device *due)
{
  bool found = false;

  pthread_mutex_lock (&lock);
  for (unsigned i = 0; i < n_devices && !found; i++)
    if (devices[i].last_ns < now_ns && now_ns - devices[i].last_ns >= apart_ns)
      {
        *due = devices[i];
        devices[i].last_ns = now_ns;
        found = true;
      }
  pthread_mutex_unlock (&lock);
  return found;
}

void
tt_record_clocks_read (TtRecordThread *thread, uint64_t apart_ns)
{
  Device due;

  if (!tt_record_has_clocks ())
    return;
  uint64_t now_ns = tt_record_now ();
  while (take_due (now_ns, apart_ns, &due))
    read_clock (thread, &due);
}

void
tt_record_clock_note (TtRecordThread *thread, uint64_t device, TtRecordClock clock)
{
  Device new = { .device = device, .last_ns = tt_record_now (), .clock = clock };
  unsigned i = 0;

  if (device == 0 || clock == NULL)
    return;
  pthread_mutex_lock (&lock);
  while (i < n_devices && devices[i].device != device)
    i++;
  bool is_new = i == n_devices && n_devices < MAX_DEVICES;
  if (is_new)
    {
      devices[i] = new;
      __atomic_store_n (&n_devices, n_devices + 1, __ATOMIC_RELAXED);
    }
  pthread_mutex_unlock (&lock);
  if (is_new)
    read_clock (thread, &new);
}

void
tt_record_clock_forget (uint64_t device)
{
  unsigned n = 0;

  pthread_mutex_lock (&lock);
  for (unsigned i = 0; i < n_devices; i++)
    if (device != 0 && devices[i].device != device)
      devices[n++] = devices[i];
  __atomic_store_n (&n_devices, n, __ATOMIC_RELAXED);
  pthread_mutex_unlock (&lock);
}

bool
tt_record_has_clocks (void)
{
  return __atomic_load_n (&n_devices, __ATOMIC_RELAXED) > 0;
}

void
tt_record_clocks_after_fork (void)
{
  pthread_mutex_init (&lock, NULL);
  n_devices = 0;
}
