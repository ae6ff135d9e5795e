/*
 * libtracetool-pi-threads.so, to be preloaded: gives every thread the name of its creator and a number, counted from 0
 * by each creator: main, main_0, main_0_0. The kernel's name of a thread is set to it where it fits (15 bytes);
 * tt_pi_thread_name() tells the whole name, whatever the program renames its threads to.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_NAME 200
#define MAX_TASK 15

#define EXPORT __attribute__ ((visibility ("default")))

typedef struct
{
  void *(*run) (void *);
  void *data;
  char name[MAX_NAME + 16];
} Start;

static _Thread_local char own_name[MAX_NAME + 16];
static _Thread_local unsigned n_created;

EXPORT const char *tt_pi_thread_name (void);

/* NULL: a thread that pthread_create() did not make. */
const char *
tt_pi_thread_name (void)
{
  if (own_name[0] == '\0' && syscall (SYS_gettid) == getpid ())
    strcpy (own_name, "main");
  return own_name[0] != '\0' ? own_name : NULL;
}

static void *
begin (void *data)
{
  Start start = *(Start *) data;

  free (data);
  strcpy (own_name, start.name);
  if (strlen (own_name) <= MAX_TASK)
    prctl (PR_SET_NAME, own_name);
  return start.run (start.data);
}

EXPORT int pthread_create (pthread_t *, const pthread_attr_t *, void *(*) (void *), void *);

int
pthread_create (pthread_t *thread, const pthread_attr_t *attributes, void *(*run) (void *), void *data)
{
  typedef int (*Create) (pthread_t *, const pthread_attr_t *, void *(*) (void *), void *);
  static Create next;
  Create create = __atomic_load_n (&next, __ATOMIC_RELAXED);

  if (create == NULL)
    {
      create = (Create) dlsym (RTLD_NEXT, "pthread_create");
      if (create == NULL)
        return EAGAIN;
      __atomic_store_n (&next, create, __ATOMIC_RELAXED);
    }

  const char *name = tt_pi_thread_name ();
  Start *start = name != NULL ? malloc (sizeof *start) : NULL;
  if (start == NULL)
    return create (thread, attributes, run, data);
  start->run = run;
  start->data = data;
  /* A name that is too long keeps its beginning: whoever needs different names makes them so. */
  snprintf (start->name, sizeof start->name, "%.*s_%u", MAX_NAME, name, n_created);

  int error = create (thread, attributes, begin, start);
  if (error != 0)
    free (start);
  else
    n_created++;
  return error;
}
