/* SPDX-License-Identifier: Apache-2.0 */
/* An application with a loader of the Unified Runtime in it, which reports its calls on the stream `ur.call` and makes
 * them to an adapter: to libur_adapter_host.so, or to the one that UR_ADAPTERS_FORCE_LOAD names. See README.md.
 *
 *   ur-loader [--factor N] [--first N] [--swap] [--other-event] [--row N] [--gap N] [--calls N]
 *
 * --factor: a kernel's argument (3); --first: of the numbers that are copied to the device (1); --swap: the two buffers
 * of the device change places; --other-event: the kernel waits for another command.
 * --row: what is written as a rectangle; --gap: what lies between its rows.
 * --calls: queries for the type of the device at the end, which do next to nothing (0). */
#include "pi-host.h"
#include "ur-host.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 64
#define ROW 8

static int (*notify) (uint8_t, uint16_t, void *, void *, uint64_t, const void *);
static uint8_t stream;
static uint64_t n_calls;

/* -- the loader ------------------------------------------------------------------------------------- */

#define FUNCTION(table, place, name, id, params) static int32_t (*ur##name) params;
UR_FUNCTIONS (FUNCTION)

static void *
symbol (void *library, const char *name)
{
  void *found = dlsym (library, name);

  if (found == NULL)
    exit (90);
  return found;
}

static void
load_framework (void)
{
  const char *dispatcher = getenv ("XPTI_FRAMEWORK_DISPATCHER"), *layers = getenv ("UR_ENABLE_LAYERS");

  if (dispatcher == NULL || layers == NULL || strstr (layers, "UR_LAYER_TRACING") == NULL)
    return;
  void *framework = dlopen (dispatcher, RTLD_LAZY);
  if (framework == NULL)
    exit (90);
  notify =
      (int (*) (uint8_t, uint16_t, void *, void *, uint64_t, const void *)) symbol (framework, "xptiNotifySubscribers");
  ((void (*) (void)) symbol (framework, "xptiFrameworkInitialize")) ();
  ((void (*) (const char *, uint32_t, uint32_t, const char *)) symbol (framework, "xptiInitialize")) ("ur.call", 0,
                                                                                                      UR_VERSION, "");
  stream = ((uint8_t (*) (const char *)) symbol (framework, "xptiRegisterStream")) ("ur.call");
}

static void
load_adapter (void)
{
  const char *forced = getenv ("UR_ADAPTERS_FORCE_LOAD");
  void *adapter = dlopen (forced != NULL ? forced : "libur_adapter_host.so", RTLD_LAZY | RTLD_LOCAL);
  void *table[MAX_TABLE];

  if (adapter == NULL)
    exit (91);
#define TAKE_IF(table_name, place, name, id, params) \
  if (strcmp (#table_name, which) == 0)              \
    memcpy (&ur##name, &table[place], sizeof (void *));
#define TAKE_FROM(which_table)       \
  {                                  \
    const char *which = which_table; \
    UR_FUNCTIONS (TAKE_IF)           \
  }
#define LOAD(name)                                                                                                  \
  memset (table, 0, sizeof table);                                                                                  \
  if (((int32_t (*) (uint32_t, void **)) symbol (adapter, "urGet" #name "ProcAddrTable")) (UR_VERSION, table) != 0) \
    exit (92);                                                                                                      \
  TAKE_FROM (#name)
  UR_TABLES (LOAD)
}

enum
{
#define ID(table, place, name, id, params) ID_##name = id,
  UR_FUNCTIONS (ID)
};

static void
report (uint32_t id, const char *name, void **params, int32_t *result)
{
  static uint64_t instance;
  Payload payload = { id, name, params, result, NULL };

  if (result == NULL)
    instance = ++n_calls;
  if (notify != NULL)
    notify (stream, result == NULL ? 28 : 29, NULL, NULL, instance, &payload);
}

/* A call with its values, each of the parameter's size: the layer passes pointers to the parameters. */
#define CALL(name, n, ...) CALL_##n (name, __VA_ARGS__)
#define MADE(name, ...)                                     \
  report (ID_##name, "ur" #name, params, NULL);             \
  int32_t result = ur##name (__VA_ARGS__);                  \
  report (ID_##name, "ur" #name, params, &result);          \
  if (result != 0)                                          \
    {                                                       \
      fprintf (stderr, "ur" #name " failed: %d\n", result); \
      exit (93);                                            \
    }
#define CALL_1(name, v0)      \
  {                           \
    __auto_type q0 = v0;      \
    void *params[] = { &q0 }; \
    MADE (name, q0)           \
  }
#define CALL_2(name, v0, v1)       \
  {                                \
    __auto_type q0 = v0;           \
    __auto_type q1 = v1;           \
    void *params[] = { &q0, &q1 }; \
    MADE (name, q0, q1)            \
  }
#define CALL_3(name, v0, v1, v2)        \
  {                                     \
    __auto_type q0 = v0;                \
    __auto_type q1 = v1;                \
    __auto_type q2 = v2;                \
    void *params[] = { &q0, &q1, &q2 }; \
    MADE (name, q0, q1, q2)             \
  }
#define CALL_4(name, v0, v1, v2, v3)         \
  {                                          \
    __auto_type q0 = v0;                     \
    __auto_type q1 = v1;                     \
    __auto_type q2 = v2;                     \
    __auto_type q3 = v3;                     \
    void *params[] = { &q0, &q1, &q2, &q3 }; \
    MADE (name, q0, q1, q2, q3)              \
  }
#define CALL_5(name, v0, v1, v2, v3, v4)          \
  {                                               \
    __auto_type q0 = v0;                          \
    __auto_type q1 = v1;                          \
    __auto_type q2 = v2;                          \
    __auto_type q3 = v3;                          \
    __auto_type q4 = v4;                          \
    void *params[] = { &q0, &q1, &q2, &q3, &q4 }; \
    MADE (name, q0, q1, q2, q3, q4)               \
  }
#define CALL_6(name, v0, v1, v2, v3, v4, v5)           \
  {                                                    \
    __auto_type q0 = v0;                               \
    __auto_type q1 = v1;                               \
    __auto_type q2 = v2;                               \
    __auto_type q3 = v3;                               \
    __auto_type q4 = v4;                               \
    __auto_type q5 = v5;                               \
    void *params[] = { &q0, &q1, &q2, &q3, &q4, &q5 }; \
    MADE (name, q0, q1, q2, q3, q4, q5)                \
  }
#define CALL_8(name, v0, v1, v2, v3, v4, v5, v6, v7)             \
  {                                                              \
    __auto_type q0 = v0;                                         \
    __auto_type q1 = v1;                                         \
    __auto_type q2 = v2;                                         \
    __auto_type q3 = v3;                                         \
    __auto_type q4 = v4;                                         \
    __auto_type q5 = v5;                                         \
    __auto_type q6 = v6;                                         \
    __auto_type q7 = v7;                                         \
    void *params[] = { &q0, &q1, &q2, &q3, &q4, &q5, &q6, &q7 }; \
    MADE (name, q0, q1, q2, q3, q4, q5, q6, q7)                  \
  }
#define CALL_9(name, v0, v1, v2, v3, v4, v5, v6, v7, v8)              \
  {                                                                   \
    __auto_type q0 = v0;                                              \
    __auto_type q1 = v1;                                              \
    __auto_type q2 = v2;                                              \
    __auto_type q3 = v3;                                              \
    __auto_type q4 = v4;                                              \
    __auto_type q5 = v5;                                              \
    __auto_type q6 = v6;                                              \
    __auto_type q7 = v7;                                              \
    __auto_type q8 = v8;                                              \
    void *params[] = { &q0, &q1, &q2, &q3, &q4, &q5, &q6, &q7, &q8 }; \
    MADE (name, q0, q1, q2, q3, q4, q5, q6, q7, q8)                   \
  }
#define CALL_12(name, v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11)                \
  {                                                                                    \
    __auto_type q0 = v0;                                                               \
    __auto_type q1 = v1;                                                               \
    __auto_type q2 = v2;                                                               \
    __auto_type q3 = v3;                                                               \
    __auto_type q4 = v4;                                                               \
    __auto_type q5 = v5;                                                               \
    __auto_type q6 = v6;                                                               \
    __auto_type q7 = v7;                                                               \
    __auto_type q8 = v8;                                                               \
    __auto_type q9 = v9;                                                               \
    __auto_type q10 = v10;                                                             \
    __auto_type q11 = v11;                                                             \
    void *params[] = { &q0, &q1, &q2, &q3, &q4, &q5, &q6, &q7, &q8, &q9, &q10, &q11 }; \
    MADE (name, q0, q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11)                      \
  }
#define CALL_14(name, v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13)                  \
  {                                                                                                \
    __auto_type q0 = v0;                                                                           \
    __auto_type q1 = v1;                                                                           \
    __auto_type q2 = v2;                                                                           \
    __auto_type q3 = v3;                                                                           \
    __auto_type q4 = v4;                                                                           \
    __auto_type q5 = v5;                                                                           \
    __auto_type q6 = v6;                                                                           \
    __auto_type q7 = v7;                                                                           \
    __auto_type q8 = v8;                                                                           \
    __auto_type q9 = v9;                                                                           \
    __auto_type q10 = v10;                                                                         \
    __auto_type q11 = v11;                                                                         \
    __auto_type q12 = v12;                                                                         \
    __auto_type q13 = v13;                                                                         \
    void *params[] = { &q0, &q1, &q2, &q3, &q4, &q5, &q6, &q7, &q8, &q9, &q10, &q11, &q12, &q13 }; \
    MADE (name, q0, q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11, q12, q13)                        \
  }

/* -- the application -------------------------------------------------------------------------------- */

typedef struct
{
  int32_t factor, first;
  long calls;
  bool swaps, other_event;
  char row, gap; /* of what is written as a rectangle: in its rows, and between them */
} Choices;

typedef struct
{
  void *adapter, *platform, *device, *context, *queue;
} Host;

static uint64_t
bytes (uint64_t n)
{
  return n;
}

static void
find_device (Host *host)
{
  uint32_t n = 0;
  char name[64];
  uint64_t length = 0;
  QueueProperties properties = { 0xe, NULL, 1 };

  CALL (AdapterGet, 3, 1u, &host->adapter, &n)
  CALL (PlatformGet, 4, host->adapter, 1u, &host->platform, &n)
  CALL (DeviceGet, 5, host->platform, 1u, 1u, &host->device, &n)
  CALL (DeviceGetInfo, 5, host->device, 3u, bytes (sizeof name), (void *) name, &length)
  printf ("%s\n", name);
  CALL (ContextCreate, 4, 1u, (void *const *) &host->device, (const void *) NULL, &host->context)
  CALL (QueueCreate, 4, host->context, host->device, (const QueueProperties *) &properties, &host->queue)
}

static void
compute (const Host *host, const Choices *choices)
{
  int32_t numbers[N], back[N] = { 0 };
  char small[N], square[6] = { 0 };
  void *memory[2], *buffer, *program, *kernel, *copied, *other, *launched, *returned;
  const uint64_t global[] = { N };

  for (int i = 0; i < N; i++)
    {
      numbers[i] = choices->first + i;
      small[i] = (char) i;
    }
  CALL (USMDeviceAlloc, 6, host->context, host->device, (const void *) NULL, (void *) NULL, bytes (sizeof numbers),
        &memory[0])
  CALL (USMDeviceAlloc, 6, host->context, host->device, (const void *) NULL, (void *) NULL, bytes (sizeof numbers),
        &memory[1])
  CALL (MemBufferCreate, 5, host->context, 1u, bytes (N), (const void *) NULL, &buffer)
  CALL (ProgramCreateWithIL, 5, host->context, (const void *) "mult", bytes (4), (const void *) NULL, &program)
  CALL (KernelCreate, 3, program, (const char *) "multiply", &kernel)
  CALL (EnqueueMemBufferWrite, 9, host->queue, buffer, true, bytes (0), bytes (N), (const void *) small, 0u,
        (void *const *) NULL, (void **) NULL)
  void *used = memory[choices->swaps];
  CALL (EnqueueUSMMemcpy, 8, host->queue, false, used, (const void *) numbers, bytes (sizeof numbers), 0u,
        (void *const *) NULL, &copied)
  CALL (EnqueueUSMMemcpy, 8, host->queue, false, memory[1], (const void *) numbers, bytes (sizeof numbers), 0u,
        (void *const *) NULL, &other)

  const KernelArgument args[] = {
    { 0x5000, NULL, POINTER, 0, 8, { .pointer = used } },
    { 0x5000, NULL, VALUE, 1, 4, { .value = &choices->factor } },
    { 0x5000, NULL, MEM_OBJ, 2, 8, { .object = { buffer, 1 } } },
  };
  void *const before[] = { choices->other_event ? other : copied };
  CALL (EnqueueKernelLaunchWithArgsExp, 12, host->queue, kernel, 1u, (const uint64_t *) NULL, (const uint64_t *) global,
        (const uint64_t *) NULL, 3u, (const KernelArgument *) args, (const void *) NULL, 1u, (void *const *) before,
        &launched)
  CALL (EnqueueUSMMemcpy, 8, host->queue, false, (void *) back, (const void *) used, bytes (sizeof back), 1u,
        (void *const *) &launched, &returned)
  const Rect from = { 1, 1, 0 }, to = { 0, 0, 0 }, region = { 2, 2, 1 };
  const char row = choices->row, gap = choices->gap;
  const char given[6] = { row, (char) (row + 1), gap, (char) (row + 2), (char) (row + 3), gap };
  square[2] = square[5] = gap;
  CALL (EnqueueMemBufferWriteRect, 14, host->queue, buffer, true, from, to, region, bytes (ROW), bytes (N), bytes (3),
        bytes (6), (const void *) given, 0u, (void *const *) NULL, (void **) NULL)
  CALL (EnqueueMemBufferReadRect, 14, host->queue, buffer, true, from, to, region, bytes (ROW), bytes (N), bytes (3),
        bytes (6), (void *) square, 0u, (void *const *) NULL, (void **) NULL)
  CALL (EventWait, 2, 1u, (void *const *) &returned)
  printf ("%d %d %d\n", back[0], back[1], back[N - 1]);
  printf ("%d %d %d %d %d\n", square[0], square[1], square[2], square[3], square[4]);
  CALL (EventRelease, 1, returned)
  CALL (EventRelease, 1, launched)
  CALL (EventRelease, 1, other)
  CALL (EventRelease, 1, copied)
  CALL (MemRelease, 1, buffer)
  CALL (USMFree, 2, host->context, memory[0])
  CALL (USMFree, 2, host->context, memory[1])
}

int
main (int argc, char **argv)
{
  Choices choices = { 3, 1, 0, false, false, 40, 0 };
  Host host;

  for (int i = 1; i < argc; i++)
    if (strcmp (argv[i], "--swap") == 0)
      choices.swaps = true;
    else if (strcmp (argv[i], "--other-event") == 0)
      choices.other_event = true;
    else if (i + 1 < argc && strcmp (argv[i], "--calls") == 0)
      choices.calls = strtol (argv[++i], NULL, 10);
    else if (i + 1 < argc && strcmp (argv[i], "--row") == 0)
      choices.row = (char) strtol (argv[++i], NULL, 10);
    else if (i + 1 < argc && strcmp (argv[i], "--gap") == 0)
      choices.gap = (char) strtol (argv[++i], NULL, 10);
    else if (i + 1 < argc && strcmp (argv[i], "--factor") == 0)
      choices.factor = (int32_t) strtol (argv[++i], NULL, 10);
    else if (i + 1 < argc && strcmp (argv[i], "--first") == 0)
      choices.first = (int32_t) strtol (argv[++i], NULL, 10);
  load_framework ();
  load_adapter ();
  find_device (&host);
  compute (&host, &choices);
  for (long i = 0; i < choices.calls; i++)
    {
      uint32_t type;
      CALL (DeviceGetInfo, 5, host.device, 0u, bytes (sizeof type), (void *) &type, (uint64_t *) NULL)
    }
  CALL (QueueFinish, 1, host.queue)
  CALL (QueueRelease, 1, host.queue)
  CALL (ContextRelease, 1, host.context)
  CALL (AdapterRelease, 1, host.adapter)
  return 0;
}
