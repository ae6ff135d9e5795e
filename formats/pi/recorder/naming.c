/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libtracetool-pi-threads.so, to be preloaded: gives every thread the name of its creator and a number, counted from 0
 * by each creator: main, main_0, main_0_0. The kernel's name of a thread is set to it where it fits (15 bytes);
 * tt_pi_thread_name() returns the whole name, whatever the program renames its threads to; tt_pi_thread_was_made() says
 * whether a name was given.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

#define MAX_NAME 200
#define MAX_TASK 15

#define EXPORT __attribute__ ((visibility ("default")))

typedef void *(*Run) (void *);

/* The function of a new thread; one of the two is set. */
typedef struct
{
  Run run;
  thrd_start_t run_standard;
  void *data;
  char name[MAX_NAME + 16];
} Start;

static _Thread_local char own_name[MAX_NAME + 16];
static _Thread_local unsigned n_created;

EXPORT const char *tt_pi_thread_name (void);

/* NULL: a thread that neither pthread_create() nor thrd_create() made. */
const char *
tt_pi_thread_name (void)
{
  if (own_name[0] == '\0' && syscall (SYS_gettid) == getpid ())
    snprintf (own_name, sizeof own_name, "main");
  return own_name[0] != '\0' ? own_name : NULL;
}

/* Names that were given, for who looks for a thread that is not there. Without a lock: a child of fork() has no other
 * threads that could open it. */
typedef struct Made Made;
struct Made
{
  Made *next;
  char name[];
};

#define MAX_MADE 4096

static Made *all_made;
static unsigned n_made;

EXPORT bool tt_pi_thread_was_made (const char *name);

bool
tt_pi_thread_was_made (const char *name)
{
  const Made *made = __atomic_load_n (&all_made, __ATOMIC_ACQUIRE);

  while (made != NULL && strcmp (made->name, name) != 0)
    made = made->next;
  return made != NULL;
}

static void
note_made (const char *name)
{
  size_t len = strlen (name) + 1;
  Made *made = NULL;

  if (__atomic_load_n (&n_made, __ATOMIC_RELAXED) < MAX_MADE &&
      __atomic_fetch_add (&n_made, 1, __ATOMIC_RELAXED) < MAX_MADE)
    made = malloc (sizeof *made + len);
  if (made == NULL)
    return;
  memcpy (made->name, name, len);
  made->next = __atomic_load_n (&all_made, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n (&all_made, &made->next, made, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
    continue;
}

/* NULL: the thread is made as it is. */
static Start *
new_start (Run run, thrd_start_t run_standard, void *data)
{
  const char *name = tt_pi_thread_name ();
  Start *start = name != NULL ? malloc (sizeof *start) : NULL;

  if (start == NULL)
    return NULL;
  start->run = run;
  start->run_standard = run_standard;
  start->data = data;
  /* Of a name that is too long the first part stays: the recorder makes names unique. */
  snprintf (start->name, sizeof start->name, "%.*s_%u", MAX_NAME, name, n_created);
  note_made (start->name);
  return start;
}

static Start
take_name (Start *given)
{
  Start start = *given;

  free (given);
  memcpy (own_name, start.name, sizeof own_name);
  if (strlen (own_name) <= MAX_TASK)
    prctl (PR_SET_NAME, own_name);
  return start;
}

static void *
run_named (void *data)
{
  Start start = take_name (data);

  return start.run (start.data);
}

static int
run_named_standard (void *data)
{
  Start start = take_name (data);

  return start.run_standard (start.data);
}

/* @made: the thread runs and owns @start; else it is freed here. */
static void
count_thread (bool made, Start *start)
{
  if (made)
    n_created++;
  else
    free (start);
}

/* The next function of that name after ours. */
static void *
find_next (void **known, const char *name)
{
  void *found = __atomic_load_n (known, __ATOMIC_RELAXED);

  if (found == NULL)
    {
      found = dlsym (RTLD_NEXT, name);
      __atomic_store_n (known, found, __ATOMIC_RELAXED);
    }
  return found;
}

EXPORT int pthread_create (pthread_t *, const pthread_attr_t *, Run, void *);
EXPORT int thrd_create (thrd_t *, thrd_start_t, void *);

int
pthread_create (pthread_t *thread, const pthread_attr_t *attributes, Run run, void *data)
{
  static void *known;
  int (*create) (pthread_t *, const pthread_attr_t *, Run, void *) =
      (int (*) (pthread_t *, const pthread_attr_t *, Run, void *)) find_next (&known, "pthread_create");

  if (create == NULL)
    return EAGAIN;
  Start *start = new_start (run, NULL, data);
  if (start == NULL)
    return create (thread, attributes, run, data);
  int error = create (thread, attributes, run_named, start);
  count_thread (error == 0, start);
  return error;
}

/* The C library's thrd_create() does not call pthread_create(). */
int
thrd_create (thrd_t *thread, thrd_start_t run, void *data)
{
  static void *known;
  int (*create) (thrd_t *, thrd_start_t, void *) =
      (int (*) (thrd_t *, thrd_start_t, void *)) find_next (&known, "thrd_create");

  if (create == NULL)
    return thrd_error;
  Start *start = new_start (NULL, run, data);
  if (start == NULL)
    return create (thread, run, data);
  int result = create (thread, run_named_standard, start);
  count_thread (result == thrd_success, start);
  return result;
}
