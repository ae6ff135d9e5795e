/* SPDX-License-Identifier: Apache-2.0 */
/* An application with a Unified Runtime in it, which reports its calls on the stream `ur.call`. See README.md.
 *
 *   ur-program [--old] [--no-block] [--new]
 *
 * --old: urPlatformGet and urEnqueueKernelLaunch with the parameters of other versions of UR.
 * --new: version 0.12 instead of 0.11, its launch with arguments, and the trace type that runtimes since 2025 give the
 * end of a call. --unknown: a version that is in no table. */
#include "ur-stream.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <threads.h>

#define N 8
#define MAX_PARAMS 16

typedef struct
{
  uint64_t x, y, z;
} Rect;

typedef int32_t (*Work) (void **params);

static uint64_t n_calls;
static bool old, no_block, new, unknown;

/* The layer passes on a structure of pointers to its own parameters; behind it is whatever the stack has. */
static int32_t
call (uint32_t id, const char *name, Work work, size_t n, void **params)
{
  struct
  {
    void *params[MAX_PARAMS];
  } args;
  uint64_t instance = __atomic_add_fetch (&n_calls, 1, __ATOMIC_RELAXED);
  Payload payload = { id, name, &args, NULL, NULL };

  for (size_t i = 0; i < MAX_PARAMS; i++)
    args.params[i] = i < n ? params[i] : (void *) (uintptr_t) 0x10;
  if (notify != NULL)
    notify (stream, 28, NULL, NULL, instance, &payload);
  int32_t result = work != NULL ? work (params) : 0;
  memset (&args, 0xee, sizeof args);
  payload.ret_data = &result;
  if (notify != NULL)
    notify (stream, new ? 29 : 31, NULL, NULL, instance, &payload);
  return result;
}

#define VALUE(type, number) \
  &(type)                   \
  {                         \
    number                  \
  }
#define POINTER(to) \
  &(const void *)   \
  {                 \
    to              \
  }
#define UR(id, name, work, ...) \
  call (id, #name, work, sizeof ((void *[]){ __VA_ARGS__ }) / sizeof (void *), (void *[]){ __VA_ARGS__ })

/* What the functions do: params are pointers to the parameters. */
static int32_t
one_platform (void **params)
{
  /* Before 0.12 it has two parameters for adapters. */
  void **platforms = *(void ***) params[new ? 2 : 3];
  uint32_t *n = *(uint32_t **) params[new ? 3 : 4];

  if (platforms != NULL)
    platforms[0] = (void *) (uintptr_t) 0x1000;
  if (n != NULL)
    *n = 1;
  return 0;
}

static int32_t
device_name (void **params)
{
  strcpy (*(char **) params[3], "Unified adder");
  *(*(size_t **) params[4]) = 14;
  return 0;
}

static uint64_t last_handle;

static void
put_handle (void *param)
{
  *(*(uint64_t **) param) = 0x7000 + 16 * __atomic_add_fetch (&last_handle, 1, __ATOMIC_RELAXED);
}

static int32_t
handle_3 (void **params)
{
  put_handle (params[3]);
  return 0;
}

static int32_t
handle_2 (void **params)
{
  put_handle (params[2]);
  return 0;
}

static int32_t
handle_8 (void **params)
{
  put_handle (params[8]);
  return 0;
}

static int32_t
read_buffer (void **params)
{
  int32_t *to = *(int32_t **) params[5];

  for (int i = 0; i < N; i++)
    to[i] = 100 + i;
  if (*(void **) params[8] != NULL)
    put_handle (params[8]);
  return 0;
}

static int32_t
device_memory (void **params)
{
  *(*(uint64_t **) params[5]) = 0x30; /* not to be read by the host */
  return 0;
}

static int32_t
refuse (void **params)
{
  return params != NULL ? 4 : 0;
}

typedef struct
{
  uint32_t stype;
  const void *next;
  uint32_t type, index;
  size_t size;
  union
  {
    const void *pointer;
    struct
    {
      uint64_t mem;
      uint32_t flags;
    } object;
  } value;
} Argument;

/* Of 0.12: a chain of properties, arguments of five types. */
static void
launch_with_args (uint64_t queue, uint64_t kernel, uint64_t *launched)
{
  static const float scale = 1.5f;
  static const size_t global[] = { 512, 3 };
  const struct
  {
    uint32_t stype;
    const void *next;
    size_t bytes;
  } memory = { 0x3, &memory, 4096 };
  const Argument args[] = {
    { 0x5000, NULL, 0, 0, 4, { .pointer = &scale } },
    { 0x5000, NULL, 1, 1, 8, { .pointer = (void *) (uintptr_t) 0x30 } },
    { 0x5000, &memory, 2, 2, 8, { .object = { 0x5000, 1 } } },
    { 0x5000, NULL, 3, 3, 256, { .pointer = NULL } },
    { 0x5000, NULL, 0, 4, 4, { .pointer = (void *) (uintptr_t) 0x10 } },
  };

  UR (295, urEnqueueKernelLaunchWithArgsExp, NULL, &queue, &kernel, VALUE (uint32_t, 2), POINTER (NULL),
      POINTER (global), POINTER (NULL), VALUE (uint32_t, 5), POINTER (args), POINTER (NULL), VALUE (uint32_t, 0),
      POINTER (NULL), POINTER (launched));
}

static void
launch (uint64_t queue, uint64_t kernel, const uint64_t *event)
{
  size_t global[] = { 512, 3 };
  uint64_t launched = 0;

  if (new)
    launch_with_args (queue, kernel, &launched);
  else if (old)
    UR (17, urEnqueueKernelLaunch, NULL, &queue, &kernel, VALUE (uint32_t, 2), POINTER (NULL), POINTER (global),
        POINTER (NULL), VALUE (uint32_t, 7));
  else
    UR (17, urEnqueueKernelLaunch, handle_8, &queue, &kernel, VALUE (uint32_t, 2), POINTER (NULL), POINTER (global),
        POINTER (NULL), VALUE (uint32_t, 1), POINTER (event), POINTER (&launched));
}

static void
copy_memory (uint64_t context, uint64_t queue)
{
  char text[32] = "host text of UR";
  void *device = NULL;

  UR (108, urUSMDeviceAlloc, device_memory, &context, VALUE (uint64_t, 0x2000), POINTER (NULL), POINTER (NULL),
      VALUE (size_t, 32), POINTER (&device));
  UR (33, urEnqueueUSMMemcpy, NULL, &queue, VALUE (bool, true), &device, POINTER (text), VALUE (size_t, 32),
      VALUE (uint32_t, 0), POINTER (NULL), POINTER (NULL));
  UR (110, urUSMFree, NULL, &context, &device);
}

static void
compute (uint64_t context, uint64_t queue)
{
  uint64_t buffer = 0, kernel = 0, event = 0, late = 0;
  int32_t in[N] = { 1, 2, 3 }, out[N] = { 0 };

  UR (64, urMemBufferCreate, NULL, &context, VALUE (uint32_t, 1), VALUE (size_t, sizeof in), POINTER (NULL),
      POINTER (&buffer));
  buffer = 0x5000;
  UR (48, urKernelCreate, handle_2, VALUE (uint64_t, 0x6000), POINTER ("_ZTS12unified_add"), POINTER (&kernel));
  UR (21, urEnqueueMemBufferWrite, handle_8, &queue, &buffer, VALUE (bool, true), VALUE (size_t, 0),
      VALUE (size_t, sizeof in), POINTER (in), VALUE (uint32_t, 0), POINTER (NULL), POINTER (&event));
  launch (queue, kernel, &event);
  UR (42, urEventWait, refuse, VALUE (uint32_t, 1), POINTER (&event));
  UR (20, urEnqueueMemBufferRead, read_buffer, &queue, &buffer, VALUE (bool, !no_block), VALUE (size_t, 0),
      VALUE (size_t, sizeof out), POINTER (out), VALUE (uint32_t, 0), POINTER (NULL),
      POINTER (no_block ? &late : NULL));
  UR (22, urEnqueueMemBufferReadRect, NULL, &queue, &buffer, VALUE (bool, true), (&(Rect){ 1, 2, 3 }),
      (&(Rect){ 4, 5, 6 }), (&(Rect){ 7, 8, 9 }), VALUE (size_t, 64), VALUE (size_t, 640), VALUE (size_t, 32),
      VALUE (size_t, 320), POINTER (out), VALUE (uint32_t, 0), POINTER (NULL), POINTER (NULL));
  printf ("%d\n", out[N - 1]);
}

static int
run (void *data)
{
  uint64_t context = 0, queue = 0, adapter = 0x100;
  void *platform = NULL, *device = (void *) (uintptr_t) 0x2000;
  uint32_t n = 0;
  char name[64];
  size_t len = 0;

  if (old)
    UR (72, urPlatformGet, NULL, VALUE (uint64_t, 0x100), VALUE (uint32_t, 0x20), POINTER (&platform), POINTER (&n));
  else if (new)
    UR (72, urPlatformGet, one_platform, VALUE (uint64_t, 0x100), VALUE (uint32_t, 1), POINTER (&platform),
        POINTER (&n));
  else
    UR (72, urPlatformGet, one_platform, POINTER (&adapter), VALUE (uint32_t, 1), VALUE (uint32_t, 1),
        POINTER (&platform), POINTER (&n));
  UR (9, urDeviceGetInfo, device_name, &device, VALUE (uint32_t, 3), VALUE (size_t, sizeof name), POINTER (name),
      POINTER (&len));
  UR (1, urContextCreate, handle_3, VALUE (uint32_t, 1), POINTER (&device), POINTER (NULL), POINTER (&context));
  UR (92, urQueueCreate, handle_3, &context, &device, POINTER (NULL), POINTER (&queue));
  copy_memory (context, queue);
  compute (context, queue);
  UR (9001, urFromTomorrow, NULL, VALUE (uint64_t, 5));
  UR (97, urQueueFinish, NULL, &queue);
  return data != NULL;
}

static void *
run_posix (void *data)
{
  return run (data) != 0 ? data : NULL;
}

int
main (int argc, char **argv)
{
  pthread_t posix;
  thrd_t standard;
  int result = 0, number = 1;

  for (int i = 1; i < argc; i++)
    {
      old |= strcmp (argv[i], "--old") == 0;
      new |= strcmp (argv[i], "--new") == 0;
      unknown |= strcmp (argv[i], "--unknown") == 0;
      no_block |= strcmp (argv[i], "--no-block") == 0;
    }
  load_framework (unknown ? 99 : new ? 12 : 11);
  run (NULL);
  if (pthread_create (&posix, NULL, run_posix, NULL) != 0 || pthread_join (posix, NULL) != 0)
    return 91;
  if (thrd_create (&standard, run, &number) != thrd_success || thrd_join (standard, &result) != thrd_success)
    return 92;
  return result == 1 ? 0 : 93;
}
