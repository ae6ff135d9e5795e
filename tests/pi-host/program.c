/* SPDX-License-Identifier: Apache-2.0 */
/* An application with the runtime in it. See README.md.
 *
 *   program [--threads N] [--calls N] [--rename] [--late] [--usm] [--map] [--die SIGNAL] [--status N] [--fork]
 *           [--open FILE] [--other] [--old] [--nap MS] [--deep N] [--graph] [--pass]
 *           [--close] [--quit] [--raw-fork] [--rect] [--wild] [--real] [--shift N] [--late-release]
 *           [--no-release] [--times] [--ask] [--plain-queue] [--copies] [--pixel N] [--gap N] */
#include "pi-host.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define N 256

static struct
{
  unsigned threads, calls, nap_ms, deep, shift, pixel, gap;
  bool rename, late, usm, map, forks, other, graph, pass, closes, quits, raw_fork, rect, clears, wild, real,
      late_release, no_release, times, asks, plain_queue, copies;
  int die, status;
  const char *open;
} options;

/* -- the runtime ---------------------------------------------------------------------------------- */

typedef struct
{
  uint64_t value;
  unsigned size;
} Value;

typedef int32_t (*Function) (uint64_t,
                             uint64_t,
                             uint64_t,
                             uint64_t,
                             uint64_t,
                             uint64_t,
                             uint64_t,
                             uint64_t,
                             uint64_t,
                             uint64_t,
                             uint64_t,
                             uint64_t,
                             uint64_t,
                             uint64_t,
                             uint64_t,
                             uint64_t);

static Plugin plugin = { "5.7", "5.7", NULL, { NULL } };
static int (*notify) (uint8_t, uint16_t, void *, void *, uint64_t, const void *);
static void (*finalize) (const char *);
static void *framework;
static uint8_t stream, graph_stream;
static uint64_t n_calls;

static void *
symbol (void *library, const char *name)
{
  void *found = dlsym (library, name);

  if (found == NULL)
    {
      fprintf (stderr, "program: %s\n", dlerror ());
      exit (90);
    }
  return found;
}

static void
load (void)
{
  const char *enabled = getenv ("XPTI_TRACE_ENABLE"), *dispatcher = getenv ("XPTI_FRAMEWORK_DISPATCHER");
  const char *library = getenv ("SYCL_OVERRIDE_PI_OPENCL");
  static const char *const streams[] = { "sycl", "sycl.pi", "sycl.pi.debug" };

  if (enabled != NULL && dispatcher != NULL)
    {
      framework = dlopen (dispatcher, RTLD_LAZY);
      if (framework == NULL)
        fprintf (stderr, "program: %s\n", dlerror ());
    }
  if (framework != NULL)
    {
      notify = (int (*) (uint8_t, uint16_t, void *, void *, uint64_t, const void *)) symbol (framework,
                                                                                             "xptiNotifySubscribers");
      finalize = (void (*) (const char *)) symbol (framework, "xptiFinalize");
      ((void (*) (void)) symbol (framework, "xptiFrameworkInitialize")) ();
      for (size_t i = 0; i < 3; i++)
        ((void (*) (const char *, uint32_t, uint32_t, const char *)) symbol (framework, "xptiInitialize")) (
            streams[i], 4, 6, "5.7");
      stream = ((uint8_t (*) (const char *)) symbol (framework, "xptiRegisterStream")) ("sycl.pi.debug");
      graph_stream = ((uint8_t (*) (const char *)) symbol (framework, "xptiRegisterStream")) ("sycl");
    }
  void *handle = dlopen (library != NULL && !options.real ? library : "libpi_opencl.so", RTLD_NOW);
  if (handle == NULL)
    {
      fprintf (stderr, "program: %s\n", dlerror ());
      exit (91);
    }
  if (((int32_t (*) (Plugin *)) symbol (handle, "piPluginInit")) (&plugin) != 0)
    exit (92);
}

#define WILD 0x10

/* What a plugin answers that looks at a pointer before it follows it. */
static int32_t
refuse (void)
{
  return -30;
}

static int32_t
call (Plugin *of, unsigned id, const char *name, unsigned n, const Value *values)
{
  uint8_t packed[256];
  uint64_t a[16] = { 0 };
  uint64_t instance = __atomic_add_fetch (&n_calls, 1, __ATOMIC_RELAXED);
  Payload payload = { id, name, packed, NULL, of };
  size_t len = 0;

  for (unsigned i = 0; i < n; i++)
    {
      memcpy (packed + len, &values[i].value, values[i].size);
      len += values[i].size;
      a[i] = values[i].value;
    }
  if (notify != NULL)
    notify (stream, 28, NULL, NULL, instance, &payload);
  Function function = (Function) (uintptr_t) of->functions[id];
  for (unsigned i = 0; options.wild && i < n; i++)
    if (values[i].value == WILD)
      function = (Function) (uintptr_t) refuse;
  int32_t result =
      function (a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14], a[15]);
  /* As in runtimes of 2021 the arguments are gone at the end. */
  memset (packed, 0xee, sizeof packed);
  payload.ret_data = &result;
  if (notify != NULL)
    notify (stream, 31, NULL, NULL, instance, &payload);
  return result;
}

#define U4(x)         \
  {                   \
    (uint32_t) (x), 4 \
  }
#define U8(x)         \
  {                   \
    (uint64_t) (x), 8 \
  }
#define P(x)                      \
  {                               \
    (uint64_t) (uintptr_t) (x), 8 \
  }
#define PI(name, ...) \
  call (&plugin, ID_##name, #name, sizeof ((Value[]){ __VA_ARGS__ }) / sizeof (Value), (Value[]){ __VA_ARGS__ })
#define MUST(name, ...)                                                  \
  do                                                                     \
    {                                                                    \
      int32_t must_result = PI (name, __VA_ARGS__);                      \
      if (must_result != 0)                                              \
        {                                                                \
          fprintf (stderr, "program: " #name " gave %d\n", must_result); \
          exit (80);                                                     \
        }                                                                \
    }                                                                    \
  while (0)

/* -- the application ------------------------------------------------------------------------------ */

typedef struct
{
  unsigned number;
  void *platform, *device, *context, *queue, *program, *kernel, *last;
} Work;

static uint8_t image_bytes[1024];
static const OffloadEntry entries[] = { { image_bytes, "_ZTS10vector_add", 0, 0, 0 } };
static const Property properties[] = { { "SpecConst", NULL, 1, 77 }, { "Text", "abc", 3, 4 } };
static const PropertySet sets[] = { { "SYCL/test", properties, properties + 2 } };
static const DeviceBinary image = { 2,       4,           2,    "spir64",    "",
                                    "-link", NULL,        NULL, image_bytes, image_bytes + 1024,
                                    entries, entries + 1, sets, sets + 1 };

static void
find_device (Work *work)
{
  uint32_t n = 0;
  size_t len = 0;
  char name[64];

  MUST (piPlatformsGet, U4 (0), P (NULL), P (&n));
  MUST (piPlatformsGet, U4 (n), P (&work->platform), P (NULL));
  MUST (piPlatformGetInfo, P (work->platform), U4 (0x902), U8 (0), P (NULL), P (&len));
  MUST (piPlatformGetInfo, P (work->platform), U4 (0x902), U8 (len), P (name), P (NULL));
  /* A question that has no answer. */
  if (PI (piPlatformGetInfo, P (work->platform), U4 (0x904), U8 (0), P (NULL), P (&len)) != -30)
    exit (81);
  printf ("%s\n", name);
  MUST (piDevicesGet, P (work->platform), U8 (0xffffffff), U4 (0), P (NULL), P (&n));
  MUST (piDevicesGet, P (work->platform), U8 (0xffffffff), U4 (n), P (&work->device), P (NULL));
  MUST (piDeviceGetInfo, P (work->device), U4 (0x102B), U8 (sizeof name), P (name), P (NULL));
  printf ("%s\n", name);
  void *platform = NULL;
  MUST (piDeviceGetInfo, P (work->device), U4 (0x1031), U8 (8), P (&platform), P (NULL));
  if (platform != work->platform)
    exit (82);
  MUST (piDeviceRetain, P (work->device));
}

static void
make_kernel (Work *work)
{
  uint32_t selected = 99;
  const DeviceBinary *binaries[] = { &image };
  char name[32] = "";

  MUST (piContextCreate, P (NULL), U4 (1), P (&work->device), P (NULL), P (NULL), P (&work->context));
  MUST (piQueueCreate, P (work->context), P (work->device), U8 (options.plain_queue ? 0 : 2), P (&work->queue));
  MUST (piextDeviceSelectBinary, P (work->device), P (binaries), U4 (1), P (&selected));
  if (selected != 0)
    exit (83);
  MUST (piProgramCreate, P (work->context), P (image_bytes), U8 (sizeof image_bytes), P (&work->program));
  MUST (piProgramBuild, P (work->program), U4 (1), P (&work->device), P ("-cl-std=CL2.0"), P (NULL), P (NULL));
  MUST (piKernelCreate, P (work->program), P ("_ZTS10vector_add"), P (&work->kernel));
  MUST (piKernelGetInfo, P (work->kernel), U4 (0x1190), U8 (sizeof name), P (name), P (NULL));
  if (strcmp (name, "_ZTS10vector_add") != 0)
    exit (84);
}

static void
read_back (Work *work, void *buffer, int32_t *to)
{
  void *event = NULL;

  if (options.map)
    {
      void *mapped = NULL;
      MUST (piEnqueueMemBufferMap, P (work->queue), P (buffer), U4 (1), U8 (1), U8 (0), U8 (4 * N), U4 (0), P (NULL),
            P (NULL), P (&mapped));
      memcpy (to, mapped, 4 * N);
      MUST (piEnqueueMemUnmap, P (work->queue), P (buffer), P (mapped), U4 (0), P (NULL), P (&event));
    }
  else if (options.late)
    {
      MUST (piEnqueueMemBufferRead, P (work->queue), P (buffer), U4 (0), U8 (0), U8 (4 * N), P (to), U4 (0), P (NULL),
            P (&event));
      MUST (piEventsWait, U4 (1), P (&event));
    }
  else
    {
      MUST (piEnqueueMemBufferRead, P (work->queue), P (buffer), U4 (1), U8 (0), U8 (4 * N), P (to), U4 (0), P (NULL),
            P (NULL));
      return;
    }
  MUST (piEventRelease, P (event));
}

static void
show_times (void *event)
{
  uint64_t begin = 0, end = 0;

  MUST (piEventGetProfilingInfo, P (event), U4 (0x1282), U8 (8), P (&begin), P (NULL));
  MUST (piEventGetProfilingInfo, P (event), U4 (0x1283), U8 (8), P (&end), P (NULL));
  printf ("kernel %llu %llu\n", (unsigned long long) begin, (unsigned long long) end);
}

/* What the program can see of its queue and of an event. */
static void
ask (const Work *work, void *event)
{
  uint64_t flags = 9, begin = 1, size = 3;
  uint32_t references = 0;

  MUST (piQueueGetInfo, P (work->queue), U4 (0x1093), U8 (8), P (&flags), P (NULL));
  MUST (piEventGetInfo, P (event), U4 (0x11d2), U8 (4), P (&references), P (NULL));
  int32_t result = PI (piEventGetProfilingInfo, P (event), U4 (0x1282), U8 (8), P (&begin), P (&size));
  printf ("flags %llu, %u references, times %d %d\n", (unsigned long long) flags, references, result,
          result == 0 || (begin == 1 && size == 3));
}

static void
add_vectors (Work *work)
{
  int32_t a[N], b[N], sum[N] = { 0 };
  void *buffers[3], *event = NULL;
  size_t global = N, local = 0;
  int64_t total = 0;

  for (int i = 0; i < N; i++)
    {
      a[i] = i + (int) (work->number + options.shift);
      b[i] = 2 * i;
    }
  MUST (piMemBufferCreate, P (work->context), U8 (0x21), U8 (4 * N), P (a), P (&buffers[0]), P (NULL));
  MUST (piMemBufferCreate, P (work->context), U8 (0x1), U8 (4 * N), P (NULL), P (&buffers[1]), P (NULL));
  MUST (piMemBufferCreate, P (work->context), U8 (0x1), U8 (4 * N), P (NULL), P (&buffers[2]), P (NULL));
  MUST (piEnqueueMemBufferWrite, P (work->queue), P (buffers[1]), U4 (1), U8 (0), U8 (4 * N), P (b), U4 (0), P (NULL),
        P (&event));
  for (unsigned i = 0; i < 3; i++)
    MUST (piextKernelSetArgMemObj, P (work->kernel), U4 (i), P (&buffers[i]));
  MUST (piKernelGetGroupInfo, P (work->kernel), P (work->device), U4 (0x11B0), U8 (8), P (&local), P (NULL));

  void *launched = NULL;
  MUST (piEnqueueKernelLaunch, P (work->queue), P (work->kernel), U4 (1), P (NULL), P (&global), P (&local), U4 (1),
        P (&event), P (&launched));
  void *both[] = { event, launched };
  MUST (piEventsWait, U4 (2), P (both));
  if (options.times)
    show_times (launched);
  if (options.asks)
    ask (work, launched);
  MUST (piEventRelease, P (event));
  MUST (piEventRelease, P (launched));
  read_back (work, buffers[2], sum);
  MUST (piQueueFinish, P (work->queue));
  for (int i = 0; i < N; i++)
    total += sum[i];
  printf ("thread %u: %lld\n", work->number, (long long) total);
  for (unsigned i = 0; i < 3; i++)
    if (i < 2 || (!options.late_release && !options.no_release))
      MUST (piMemRelease, P (buffers[i]));
  work->last = buffers[2];
}

static void
use_usm (Work *work)
{
  char *host = NULL, *device = NULL, back[64];

  MUST (piextUSMHostAlloc, P (&host), P (work->context), P (NULL), U8 (64), U4 (0));
  MUST (piextUSMDeviceAlloc, P (&device), P (work->context), P (work->device), P (NULL), U8 (64), U4 (0));
  snprintf (host, 64, "from the host, thread %u", work->number);
  MUST (piextUSMEnqueueMemcpy, P (work->queue), U4 (1), P (device), P (host), U8 (64), U4 (0), P (NULL), P (NULL));
  MUST (piextUSMEnqueueMemset, P (work->queue), P (device + 60), U4 ('!'), U8 (3), U4 (0), P (NULL), P (NULL));
  MUST (piextUSMEnqueueMemcpy, P (work->queue), U4 (1), P (back), P (device), U8 (64), U4 (0), P (NULL), P (NULL));
  printf ("%s %s\n", back, back + 60);
  MUST (piextUSMFree, P (work->context), P (device));
  MUST (piextUSMFree, P (work->context), P (host));
}

#include "program-copies.h"

/* The middle of four rows of four bytes. */
static void
read_middle (Work *work)
{
  char table[] = "abcdefghijklmnop", middle[] = "....";
  size_t from[] = { 1, 1, 0 }, to[] = { 0, 0, 0 }, region[] = { 2, 2, 1 };
  void *buffer = NULL;

  MUST (piMemBufferCreate, P (work->context), U8 (0x21), U8 (16), P (table), P (&buffer), P (NULL));
  for (int i = 0; i < 2; i++)
    MUST (piEnqueueMemBufferReadRect, P (work->queue), P (buffer), U4 (1), P (from), P (to), P (region), U8 (4),
          U8 (16), U8 (2), U8 (4), P (middle), U4 (0), P (NULL), P (NULL));
  printf ("middle: %s\n", middle);
  MUST (piMemRelease, P (buffer));
}

/* Each with a value that no other call of any thread has. */
static void
make_calls (Work *work)
{
  for (uint32_t i = 0; i < options.calls; i++)
    {
      uint64_t value = (uint64_t) work->number << 32 | i;
      MUST (piKernelSetArg, P (work->kernel), U4 (i), U8 (8), P (&value));
    }
}

static void
nap (void)
{
  struct timespec pause = { options.nap_ms / 1000, (long) (options.nap_ms % 1000) * 1000000 };

  nanosleep (&pause, NULL);
}

static void
end_work (Work *work)
{
  if (options.late_release && work->last != NULL)
    MUST (piMemRelease, P (work->last));
  MUST (piKernelRelease, P (work->kernel));
  MUST (piProgramRelease, P (work->program));
  MUST (piQueueRetain, P (work->queue));
  MUST (piQueueRelease, P (work->queue));
  MUST (piQueueRelease, P (work->queue));
  MUST (piContextRelease, P (work->context));
  MUST (piDeviceRelease, P (work->device));
}

/* Pointers to nothing, in the place of a text, of a list, of sizes and of contents. */
static void
be_wild (Work *work)
{
  PI (piKernelCreate, P (work->program), P (WILD), P (&work->kernel));
  PI (piEventsWait, U4 (2), P (WILD));
  PI (piEnqueueKernelLaunch, P (work->queue), P (work->kernel), U4 (1), P (NULL), P (WILD), P (NULL), U4 (0), P (NULL),
      P (NULL));
  PI (piKernelSetArg, P (work->kernel), U4 (0), U8 (8), P (WILD));
  be_wild_with_images (work);
}

static void *
run (void *data)
{
  Work *work = data;

  if (options.rename)
    prctl (PR_SET_NAME, "all/the same");
  find_device (work);
  make_kernel (work);
  if (options.usm)
    use_usm (work);
  make_calls (work);
  add_vectors (work);
  if (options.nap_ms > 0)
    nap ();
  end_work (work);
  return NULL;
}

static void *
go_deeper (void *data)
{
  unsigned left = *(unsigned *) data;
  pthread_t thread;

  if (left == 0)
    return run (&(Work){ .number = 1000 });
  left--;
  pthread_create (&thread, NULL, go_deeper, &left);
  pthread_join (thread, NULL);
  return NULL;
}

static void
make_graph (void)
{
  EventData *(*make) (uint64_t, int64_t, int64_t) =
      (EventData * (*) (uint64_t, int64_t, int64_t)) symbol (framework, "xptiMakeEvent");
  void (*add) (EventData *, const char *, const char *) =
      (void (*) (EventData *, const char *, const char *)) symbol (framework, "xptiAddMetadata");
  EventData *copy = make (1, 0, 0), *kernel = make (2, 0, 0), *edge = make (3, 1, 2);

  add (copy, "memory_object", "0x1000");
  add (copy, "allocation_type", "copy");
  add (kernel, "kernel_name", "vector_add");
  add (kernel, "sym_line_no", "12");
  add (edge, "access_mode", "1024");
  notify (graph_stream, 4, NULL, copy, 1, "command");
  notify (graph_stream, 4, NULL, kernel, 2, "command");
  notify (graph_stream, 6, NULL, edge, 3, NULL);
  notify (graph_stream, 10, NULL, kernel, 2, NULL);
  notify (graph_stream, 11, NULL, kernel, 2, NULL);
}

/* Kernels made by one thread and used by another. */
static void *
pass_on (void *data)
{
  add_vectors (data);
  return NULL;
}

static void
run_threads (void)
{
  pthread_t threads[64];
  Work works[64] = { { 0 } };

  for (unsigned i = 0; i < options.threads && i < 64; i++)
    {
      works[i].number = i + 1;
      pthread_create (&threads[i], NULL, run, &works[i]);
      /* In order, so that what is printed is, too; with naps they run side by side. */
      if (options.nap_ms == 0 && options.calls == 0)
        pthread_join (threads[i], NULL);
    }
  for (unsigned i = 0; i < options.threads && i < 64 && (options.nap_ms > 0 || options.calls > 0); i++)
    pthread_join (threads[i], NULL);
}

static void
parse (int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    {
      const char *word = argv[i], *value = i + 1 < argc ? argv[i + 1] : "0";
      unsigned number = (unsigned) strtoul (value, NULL, 10);
      bool takes = true;
      if (strcmp (word, "--threads") == 0)
        options.threads = number;
      else if (strcmp (word, "--calls") == 0)
        options.calls = number;
      else if (strcmp (word, "--nap") == 0)
        options.nap_ms = number;
      else if (strcmp (word, "--deep") == 0)
        options.deep = number;
      else if (strcmp (word, "--die") == 0)
        options.die = (int) number;
      else if (strcmp (word, "--shift") == 0)
        options.shift = number;
      else if (strcmp (word, "--pixel") == 0)
        options.pixel = number;
      else if (strcmp (word, "--gap") == 0)
        options.gap = number;
      else if (strcmp (word, "--status") == 0)
        options.status = (int) number;
      else if (strcmp (word, "--open") == 0)
        options.open = value;
      else
        takes = false;
      if (takes)
        i++;
      options.rename |= strcmp (word, "--rename") == 0;
      options.late |= strcmp (word, "--late") == 0;
      options.usm |= strcmp (word, "--usm") == 0;
      options.map |= strcmp (word, "--map") == 0;
      options.forks |= strcmp (word, "--fork") == 0;
      options.other |= strcmp (word, "--other") == 0;
      /* Of a version before those that tell how long the table is. */
      if (strcmp (word, "--old") == 0)
        memcpy (plugin.host_version, "1.1", 4), memcpy (plugin.plugin_version, "1.1", 4);
      options.graph |= strcmp (word, "--graph") == 0;
      options.pass |= strcmp (word, "--pass") == 0;
      options.closes |= strcmp (word, "--close") == 0;
      options.rect |= strcmp (word, "--rect") == 0;
      options.quits |= strcmp (word, "--quit") == 0;
      options.wild |= strcmp (word, "--wild") == 0;
      options.real |= strcmp (word, "--real") == 0;
      options.times |= strcmp (word, "--times") == 0;
      options.copies |= strcmp (word, "--copies") == 0;
      options.asks |= strcmp (word, "--ask") == 0;
      options.plain_queue |= strcmp (word, "--plain-queue") == 0;
      options.late_release |= strcmp (word, "--late-release") == 0;
      options.no_release |= strcmp (word, "--no-release") == 0;
      options.clears |= strcmp (word, "--clear-environment") == 0;
      options.raw_fork |= strcmp (word, "--raw-fork") == 0;
    }
}

static void *
do_nothing (void *data)
{
  return data;
}

static int32_t
tear_nothing_down (void)
{
  return 0;
}

/* What runtimes of 2023 and 2024 do beside the calls of the program. */
static void
begin_as_real (const Work *work)
{
  static int native = 42;
  struct
  {
    uint64_t n;
    void *memory;
  } given = { 1, NULL };
  /* Room in a structure that nobody has set: an address of the stack was there. */
  const uint64_t padded[] = { 5, (uint64_t) (uintptr_t) &given, options.shift };
  char name[64];
  void *program = NULL;
  pthread_t thread;

  /* They ask more when they are traced. */
  if (notify != NULL)
    MUST (piDeviceGetInfo, P (work->device), U4 (0x102B), U8 (sizeof name), P (name), P (NULL));
  /* An object that the program has made without the plugin. */
  MUST (piextProgramCreateWithNativeHandle, P (&native), P (work->context), P (&program));
  MUST (piProgramRelease, P (program));
  /* A structure with an address. */
  MUST (piextUSMDeviceAlloc, P (&given.memory), P (work->context), P (work->device), P (NULL), U8 (64), U4 (0));
  MUST (piKernelSetArg, P (work->kernel), U4 (0), U8 (sizeof given), P (&given));
  MUST (piextUSMFree, P (work->context), P (given.memory));
  MUST (piKernelSetArg, P (work->kernel), U4 (1), U8 (sizeof padded), P (padded));
  /* A thread of the device's own; without the device there is none. */
  if (getenv ("TRACETOOL_PI_REPLAY") == NULL)
    {
      pthread_create (&thread, NULL, do_nothing, NULL);
      pthread_join (thread, NULL);
    }
}

/* A plugin without devices. */
static void
end_as_real (void)
{
  static Plugin other = { "5.7", "5.7", NULL, { NULL } };
  const Value itself[] = { P (&other) };
  int32_t (*function) (void) = tear_nothing_down;

  memcpy (&other.functions[0], &function, sizeof function);
  memcpy (&other.functions[ID_piTearDown], &function, sizeof function);
  call (&other, ID_piTearDown, "piTearDown", 1, itself);
}

static void
show_file (void)
{
  char text[256] = "";
  FILE *file = fopen (options.open, "r");

  if (file == NULL || fgets (text, sizeof text, file) == NULL)
    printf ("cannot read %s\n", options.open);
  else
    printf ("%s", text);
  if (file != NULL)
    fclose (file);
}

/* As daemons do; and what is opened then has the numbers of what was closed. */
static void
close_all (void)
{
  int null, last = -1;

  for (int i = 3; i < 1024; i++)
    close (i);
  while (last < 600 && (null = open ("own.txt", O_RDWR | O_CREAT, 0666)) >= 0)
    last = null;
}

int
main (int argc, char **argv)
{
  Work work = { 0 };
  pthread_t thread;

  for (size_t i = 0; i < sizeof image_bytes; i++)
    image_bytes[i] = (uint8_t) (i * 7);
  parse (argc, argv);
  setvbuf (stdout, NULL, _IOLBF, 0);
  if (options.open != NULL)
    show_file ();
  load ();
  if (options.clears)
    clearenv ();
  find_device (&work);
  make_kernel (&work);
  if (options.real)
    begin_as_real (&work);
  if (options.closes)
    close_all ();
  if (options.other)
    MUST (piDeviceRetain, P (work.device));
  if (options.usm)
    use_usm (&work);
  if (options.wild)
    be_wild (&work);
  if (options.graph && framework != NULL)
    make_graph ();
  if (options.rect)
    read_middle (&work);
  if (options.copies)
    copy_rectangles (&work);
  make_calls (&work);
  if (options.pass)
    {
      pthread_create (&thread, NULL, pass_on, &work);
      pthread_join (thread, NULL);
    }
  else
    add_vectors (&work);
  run_threads ();
  if (options.deep > 0)
    go_deeper (&options.deep);
  if (options.forks || options.raw_fork)
    {
      /* The system call alone: who waits for pthread_atfork() hears nothing. */
      pid_t child = options.raw_fork ? (pid_t) syscall (SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL) : fork ();
      if (child == 0)
        {
          add_vectors (&work);
          exit (0);
        }
      waitpid (child, NULL, 0);
    }
  if (options.quits)
    _exit (options.status);
  if (options.die != 0)
    raise (options.die);
  end_work (&work);
  MUST (piTearDown, P (&plugin));
  if (options.real)
    end_as_real ();
  if (finalize != NULL)
    finalize ("sycl");
  return options.status;
}
