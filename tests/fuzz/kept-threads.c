/* SPDX-License-Identifier: Apache-2.0 */
/*
 * g_thread_try_new() and g_thread_join() for fuzz targets: a thread that has ended takes the next function. A sanitizer
 * needs longer to make one than most inputs take.
 *
 * For targets that name this file under "Links:".
 */
#include "config.h"

#include "tests/fuzz/kept-threads.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct
{
  GMutex lock;
  GCond change;
  GThreadFunc function; /* NULL: nothing to do */
  gpointer data, result;
} Kept;

static GMutex lock;
static GPtrArray *idle; /* of Kept */
static const char *refused;

void
fuzz_kept_threads_refuse (const char *name)
{
  refused = name;
}

static void *
run_functions (void *data)
{
  Kept *self = data;

  g_mutex_lock (&self->lock);
  for (;;)
    {
      while (self->function == NULL)
        g_cond_wait (&self->change, &self->lock);
      GThreadFunc function = self->function;
      g_mutex_unlock (&self->lock);
      gpointer result = function (self->data);
      g_mutex_lock (&self->lock);
      self->result = result;
      self->function = NULL;
      g_cond_broadcast (&self->change);
    }
  return NULL;
}

static Kept *
take_idle (void)
{
  g_mutex_lock (&lock);
  if (idle == NULL)
    idle = g_ptr_array_new ();
  Kept *self = idle->len == 0 ? NULL : g_ptr_array_steal_index_fast (idle, idle->len - 1);
  g_mutex_unlock (&lock);
  return self;
}

static Kept *
start (void)
{
  Kept *self = g_new0 (Kept, 1);
  pthread_t thread;

  if (pthread_create (&thread, NULL, run_functions, self) != 0 || pthread_detach (thread) != 0)
    abort ();
  return self;
}

GThread *
g_thread_try_new (const char *name, GThreadFunc function, gpointer data, GError **error)
{
  if (refused != NULL && strcmp (name, refused) == 0)
    return NULL;

  Kept *self = take_idle ();
  if (self == NULL)
    self = start ();
  g_mutex_lock (&self->lock);
  self->data = data;
  self->function = function;
  g_cond_broadcast (&self->change);
  g_mutex_unlock (&self->lock);
  return (GThread *) (gpointer) self;
}

gpointer
g_thread_join (GThread *thread)
{
  Kept *self = (Kept *) (gpointer) thread;

  g_mutex_lock (&self->lock);
  while (self->function != NULL)
    g_cond_wait (&self->change, &self->lock);
  gpointer result = self->result;
  g_mutex_unlock (&self->lock);
  g_mutex_lock (&lock);
  g_ptr_array_add (idle, self);
  g_mutex_unlock (&lock);
  return result;
}
