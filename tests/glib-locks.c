/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tells ThreadSanitizer what GLib's locks and queues order. GLib waits in futexes of its own and is not instrumented, so
 * that without these every access under a GMutex, and every batch that went through a GAsyncQueue, would look like a
 * race. They stand in the program, before GLib's own, and call those; only in builds with --enable-sanitizers=thread.
 *
 * A queue orders what was done before an item was pushed before what is done after that item was popped, nothing else:
 * that is less than its lock orders, and all that a caller may rely on.
 */
#include "config.h"

#include <dlfcn.h>
#include <glib.h>
#include <sanitizer/tsan_interface.h>

/* GLib's own function, looked up once. */
#define NEXT(name) (__extension__ (__typeof__ (name) *) find_next (&next_##name, #name))

static void *
find_next (void **known, const char *name)
{
  void *function = __atomic_load_n (known, __ATOMIC_RELAXED);

  if (function == NULL)
    {
      function = dlsym (RTLD_NEXT, name);
      if (function == NULL)
        __builtin_trap ();
      __atomic_store_n (known, function, __ATOMIC_RELAXED);
    }
  return function;
}

/* -- locks -------------------------------------------------------------------------------------------- */

void
g_mutex_lock (GMutex *mutex)
{
  static void *next_g_mutex_lock;

  NEXT (g_mutex_lock) (mutex);
  __tsan_acquire (mutex);
}

gboolean
g_mutex_trylock (GMutex *mutex)
{
  static void *next_g_mutex_trylock;
  gboolean is_locked = NEXT (g_mutex_trylock) (mutex);

  if (is_locked)
    __tsan_acquire (mutex);
  return is_locked;
}

void
g_mutex_unlock (GMutex *mutex)
{
  static void *next_g_mutex_unlock;

  __tsan_release (mutex);
  NEXT (g_mutex_unlock) (mutex);
}

void
g_cond_wait (GCond *cond, GMutex *mutex)
{
  static void *next_g_cond_wait;

  __tsan_release (mutex);
  NEXT (g_cond_wait) (cond, mutex);
  __tsan_acquire (mutex);
}

/* -- queues ------------------------------------------------------------------------------------------- */

void
g_async_queue_push (GAsyncQueue *queue, gpointer data)
{
  static void *next_g_async_queue_push;

  __tsan_release (data);
  NEXT (g_async_queue_push) (queue, data);
}

void
g_async_queue_push_unlocked (GAsyncQueue *queue, gpointer data)
{
  static void *next_g_async_queue_push_unlocked;

  __tsan_release (data);
  NEXT (g_async_queue_push_unlocked) (queue, data);
}

void
g_async_queue_push_front (GAsyncQueue *queue, gpointer data)
{
  static void *next_g_async_queue_push_front;

  __tsan_release (data);
  NEXT (g_async_queue_push_front) (queue, data);
}

gpointer
g_async_queue_pop (GAsyncQueue *queue)
{
  static void *next_g_async_queue_pop;
  gpointer data = NEXT (g_async_queue_pop) (queue);

  __tsan_acquire (data);
  return data;
}

gpointer
g_async_queue_try_pop (GAsyncQueue *queue)
{
  static void *next_g_async_queue_try_pop;
  gpointer data = NEXT (g_async_queue_try_pop) (queue);

  if (data != NULL)
    __tsan_acquire (data);
  return data;
}

/* -- what is done once -------------------------------------------------------------------------------- */

/* The macros g_once() and g_once_init_enter() first read the status, which is the address here, with an atomic load. */
typedef struct
{
  GOnce *once;
  GThreadFunc func;
  gpointer data;
} Call;

static gpointer
run_call (gpointer data)
{
  const Call *call = data;
  gpointer result = call->func (call->data);

  __tsan_release (call->once);
  return result;
}

gpointer
g_once_impl (GOnce *once, GThreadFunc func, gpointer data)
{
  static void *next_g_once_impl;
  Call call = { once, func, data };
  gpointer result = NEXT (g_once_impl) (once, run_call, &call);

  __tsan_acquire (once);
  return result;
}

gboolean
(g_once_init_enter) (volatile void *location)
{
  static void *next_g_once_init_enter;
  gboolean is_first = NEXT (g_once_init_enter) (location);

  __tsan_acquire ((void *) location);
  return is_first;
}

void
(g_once_init_leave) (volatile void *location, gsize result)
{
  static void *next_g_once_init_leave;

  __tsan_release ((void *) location);
  NEXT (g_once_init_leave) (location, result);
}
