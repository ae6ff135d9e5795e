/* SPDX-License-Identifier: Apache-2.0 */
/* An application with a loader of the Unified Runtime in it, which reports its calls on the stream `ur.call` and makes
 * them to an adapter: to libur_adapter_host.so, or to the one that UR_ADAPTERS_FORCE_LOAD names. See README.md.
 *
 *   ur-loader [--factor N] [--first N] [--swap] [--other-event] [--row N] [--gap N] [--calls N]
 *             [--events N] [--pause MS] [--late N] [--times] [--ask]
 *             [--unfinished] [--no-properties] [--binary N] [--last N] [--copies] [--pixel N] [--command-buffer] [--addresses]
 *
 * --factor: a kernel's argument (3); --first: of the numbers that are copied to the device (1); --swap: the two buffers
 * of the device change places; --other-event: the kernel waits for another command.
 * --row: what is written as a rectangle; --gap: what lies between its rows.
 * --calls: queries for the type of the device at the end, which do next to nothing (0).
 * --events: copies at the end, whose events are released after the last one (0); --pause: ms between them (0).
 * --late: copies at the end that do not block, are waited for at once and then written over (0).
 * --times: the queue takes times, and the program prints those of the kernel; --ask: it asks for them in any case.
 * --binary: the bytes of a binary from which a second program is made (0); --last: the last of them (0).
 * --copies: images, and rows of USM; --pixel: added to a byte of what is written to them.
 * --addresses: the binary has some of the program's own.
 * --command-buffer: one without times is put into the queue.
 * --unfinished: a copy that nobody waits for. --no-properties: the queue is made without any. */
#include "ur-host.h"
#include "ur-stream.h"

#include <stdio.h>
#include <sys/mman.h>
#include <time.h>

#define N 64
#define ROW 8

static uint64_t n_calls;

/* -- the loader ------------------------------------------------------------------------------------- */

#define FUNCTION(table, place, name, id, params) static int32_t (*ur##name) params;
UR_FUNCTIONS (FUNCTION)

/* The tables that a loader offers to whoever asks: here what the adapter has given it. */
static int32_t
offer (const char *which, uint32_t version, void **table)
{
  if (version != UR_VERSION || getenv ("UR_HOST_NO_TABLES") != NULL)
    return 77;
#define OFFER_IF(table_name, place, name, id, params) \
  if (strcmp (#table_name, which) == 0)               \
    memcpy (&table[place], &ur##name, sizeof (void *));
  UR_FUNCTIONS (OFFER_IF)
  return 0;
}

#define OFFER(name)                                                                                             \
  __attribute__ ((visibility ("default"))) int32_t urGet##name##ProcAddrTable (uint32_t version, void **table); \
  int32_t urGet##name##ProcAddrTable (uint32_t version, void **table)                                           \
  {                                                                                                             \
    return offer (#name, version, table);                                                                       \
  }
OFFER (Event)
OFFER (Device)

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

/* Pointers to copies of values, each of its parameter's size. */
#define HELD(v)                \
  (void *) (__typeof__ (v)[1]) \
  {                            \
    v                          \
  }
#define HELD_1(v) HELD (v)
#define HELD_2(v, ...) HELD (v), HELD_1 (__VA_ARGS__)
#define HELD_3(v, ...) HELD (v), HELD_2 (__VA_ARGS__)
#define HELD_4(v, ...) HELD (v), HELD_3 (__VA_ARGS__)
#define HELD_5(v, ...) HELD (v), HELD_4 (__VA_ARGS__)
#define HELD_6(v, ...) HELD (v), HELD_5 (__VA_ARGS__)
#define HELD_7(v, ...) HELD (v), HELD_6 (__VA_ARGS__)
#define HELD_8(v, ...) HELD (v), HELD_7 (__VA_ARGS__)
#define HELD_9(v, ...) HELD (v), HELD_8 (__VA_ARGS__)
#define HELD_10(v, ...) HELD (v), HELD_9 (__VA_ARGS__)
#define HELD_11(v, ...) HELD (v), HELD_10 (__VA_ARGS__)
#define HELD_12(v, ...) HELD (v), HELD_11 (__VA_ARGS__)
#define HELD_13(v, ...) HELD (v), HELD_12 (__VA_ARGS__)
#define HELD_14(v, ...) HELD (v), HELD_13 (__VA_ARGS__)

/* What the pointers point to, which a subscriber may have changed. */
#define GIVEN_1(i, v) (*(__typeof__ (v) *) params[i])
#define GIVEN_2(i, v, ...) GIVEN_1 (i, v), GIVEN_1 (i + 1, __VA_ARGS__)
#define GIVEN_3(i, v, ...) GIVEN_1 (i, v), GIVEN_2 (i + 1, __VA_ARGS__)
#define GIVEN_4(i, v, ...) GIVEN_1 (i, v), GIVEN_3 (i + 1, __VA_ARGS__)
#define GIVEN_5(i, v, ...) GIVEN_1 (i, v), GIVEN_4 (i + 1, __VA_ARGS__)
#define GIVEN_6(i, v, ...) GIVEN_1 (i, v), GIVEN_5 (i + 1, __VA_ARGS__)
#define GIVEN_7(i, v, ...) GIVEN_1 (i, v), GIVEN_6 (i + 1, __VA_ARGS__)
#define GIVEN_8(i, v, ...) GIVEN_1 (i, v), GIVEN_7 (i + 1, __VA_ARGS__)
#define GIVEN_9(i, v, ...) GIVEN_1 (i, v), GIVEN_8 (i + 1, __VA_ARGS__)
#define GIVEN_10(i, v, ...) GIVEN_1 (i, v), GIVEN_9 (i + 1, __VA_ARGS__)
#define GIVEN_11(i, v, ...) GIVEN_1 (i, v), GIVEN_10 (i + 1, __VA_ARGS__)
#define GIVEN_12(i, v, ...) GIVEN_1 (i, v), GIVEN_11 (i + 1, __VA_ARGS__)
#define GIVEN_13(i, v, ...) GIVEN_1 (i, v), GIVEN_12 (i + 1, __VA_ARGS__)
#define GIVEN_14(i, v, ...) GIVEN_1 (i, v), GIVEN_13 (i + 1, __VA_ARGS__)

/* A call with its @n values, as the layer makes it: it passes pointers to its parameters, and calls with them. */
#define TRY(result, name, n, ...)                         \
  void *params[] = { HELD_##n (__VA_ARGS__) };            \
  report (ID_##name, "ur" #name, params, NULL);           \
  int32_t result = ur##name (GIVEN_##n (0, __VA_ARGS__)); \
  report (ID_##name, "ur" #name, params, &result);
#define CALL(name, n, ...)                                    \
  {                                                           \
    TRY (result, name, n, __VA_ARGS__)                        \
    if (result != 0)                                          \
      {                                                       \
        fprintf (stderr, "ur" #name " failed: %d\n", result); \
        exit (93);                                            \
      }                                                       \
  }

/* -- the application -------------------------------------------------------------------------------- */

typedef struct
{
  int32_t factor, first;
  long calls, events, late, pause, binary;
  uint8_t last;
  uint8_t pixel;
  bool copies, command_buffer, addresses;
  bool swaps, other_event, times, asks, unfinished, no_properties;
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
find_device (Host *host, const Choices *choices)
{
  uint32_t n = 0;
  char name[64];
  uint64_t length = 0;
  QueueProperties properties = { 0xe, NULL, choices->times ? 3 : 1 };

  CALL (AdapterGet, 3, 1u, &host->adapter, &n)
  CALL (PlatformGet, 4, host->adapter, 1u, &host->platform, &n)
  CALL (DeviceGet, 5, host->platform, 1u, 1u, &host->device, &n)
  CALL (DeviceGetInfo, 5, host->device, 3u, bytes (sizeof name), (void *) name, &length)
  printf ("%s\n", name);
  CALL (ContextCreate, 4, 1u, (void *const *) &host->device, (const void *) NULL, &host->context)
  CALL (QueueCreate, 4, host->context, host->device,
        (const QueueProperties *) (choices->no_properties ? NULL : &properties), &host->queue)
}

static int32_t
ask_time (void *event, uint32_t which, uint64_t *time, uint64_t *size)
{
  TRY (result, EventGetProfilingInfo, 5, event, which, bytes (sizeof *time), (void *) time, size)
  return result;
}

/* What the program can see of its queue and of an event. */
static void
ask (const Host *host, void *event)
{
  uint32_t flags = 0, references = 0;
  uint64_t begun = 1, ended = 2, size = 3;

  CALL (QueueGetInfo, 5, host->queue, 3u, bytes (sizeof flags), (void *) &flags, &size)
  CALL (EventGetInfo, 5, event, 4u, bytes (sizeof references), (void *) &references, (uint64_t *) NULL)
  printf ("flags %u, %u references\n", flags, references);
  size = 3;
  int32_t result = ask_time (event, 2, &begun, &size);
  if (result == 0)
    result = ask_time (event, 3, &ended, &size);
  if (result == 0)
    printf ("kernel %llu %llu\n", (unsigned long long) begun, (unsigned long long) ended);
  else
    printf ("no times: %d, %llu %llu\n", result, (unsigned long long) begun, (unsigned long long) size);
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
  if (choices->times || choices->asks)
    ask (host, launched);
  CALL (EventRelease, 1, returned)
  CALL (EventRelease, 1, launched)
  CALL (EventRelease, 1, other)
  CALL (EventRelease, 1, copied)
  CALL (MemRelease, 1, buffer)
  CALL (USMFree, 2, host->context, memory[0])
  CALL (USMFree, 2, host->context, memory[1])
}

static void
make_program (const Host *host, const Choices *choices)
{
  const uint64_t length = (uint64_t) choices->binary;
  /* Where libraries are: a program that is not moved in memory has a heap whose addresses look like numbers. */
  uint8_t *binary = mmap (NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const uint8_t *binaries[] = { binary };
  void *program;

  if (binary == MAP_FAILED || length < 5)
    exit (94);
  memcpy (binary, "mult", 4);
  binary[length - 1] = choices->last;
  for (uint64_t at = 8; choices->addresses && at + 16 <= length; at += 16)
    memcpy (binary + at, &(void *){ binary + at }, sizeof (void *));
  CALL (ProgramCreateWithBinary, 7, host->context, 1u, (void *const *) &host->device, &length,
        (const uint8_t *const *) binaries, (const void *) NULL, &program)
  munmap (binary, length);
}

static void
copy_often (const Host *host, long n, long pause_ms)
{
  const struct timespec pause = { .tv_sec = pause_ms / 1000, .tv_nsec = pause_ms % 1000 * 1000000 };
  void **events = calloc ((size_t) n + 1, sizeof *events);
  char from = 1, to;

  if (events == NULL)
    exit (94);
  for (long i = 0; i < n; i++)
    {
      CALL (EnqueueUSMMemcpy, 8, host->queue, true, (void *) &to, (const void *) &from, bytes (1), 0u,
            (void *const *) NULL, &events[i])
      nanosleep (&pause, NULL);
    }
  for (long i = 0; i < n; i++)
    CALL (EventRelease, 1, events[i])
  free (events);
}

static void
copy_late (const Host *host, long n)
{
  void **events = calloc ((size_t) n + 1, sizeof *events);
  char *from = calloc ((size_t) n + 1, 1), *to = calloc ((size_t) n + 1, 1);
  long sum = 0;

  if (events == NULL || from == NULL || to == NULL)
    exit (94);
  for (long i = 0; i < n; i++)
    {
      from[i] = (char) (i % 100 + 1);
      CALL (EnqueueUSMMemcpy, 8, host->queue, false, (void *) &to[i], (const void *) &from[i], bytes (1), 0u,
            (void *const *) NULL, &events[i])
    }
  CALL (EventWait, 2, (uint32_t) n, (void *const *) events)
  for (long i = 0; i < n; i++)
    sum += to[i];
  printf ("%ld copied late\n", sum);
  memset (to, -1, (size_t) n);
  for (long i = 0; i < n; i++)
    CALL (EventRelease, 1, events[i])
  free (events);
  free (from);
  free (to);
}

static void
copy_unfinished (const Host *host)
{
  static char from, to;
  void *event;

  CALL (EnqueueUSMMemcpy, 8, host->queue, false, (void *) &to, (const void *) &from, bytes (1), 0u,
        (void *const *) NULL, &event)
}

static void
run_command_buffer (const Host *host)
{
  const BufferProperties properties = { 0x1000, NULL, 0, 1, 0 };
  void *buffer, *event;

  CALL (CommandBufferCreateExp, 4, host->context, host->device, &properties, &buffer)
  CALL (CommandBufferFinalizeExp, 1, buffer)
  CALL (EnqueueCommandBufferExp, 5, host->queue, buffer, 0u, (void *const *) NULL, &event)
  CALL (EventWait, 2, 1u, (void *const *) &event)
  CALL (EventRelease, 1, event)
  CALL (CommandBufferReleaseExp, 1, buffer)
  printf ("command buffer done\n");
}

#include "ur-copies.h"

int
main (int argc, char **argv)
{
  Choices choices = { .factor = 3, .first = 1, .row = 40 };
  Host host;

  for (int i = 1; i < argc; i++)
    if (strcmp (argv[i], "--swap") == 0)
      choices.swaps = true;
    else if (strcmp (argv[i], "--other-event") == 0)
      choices.other_event = true;
    else if (strcmp (argv[i], "--times") == 0)
      choices.times = true;
    else if (strcmp (argv[i], "--ask") == 0)
      choices.asks = true;
    else if (strcmp (argv[i], "--addresses") == 0)
      choices.addresses = true;
    else if (strcmp (argv[i], "--command-buffer") == 0)
      choices.command_buffer = true;
    else if (strcmp (argv[i], "--copies") == 0)
      choices.copies = true;
    else if (i + 1 < argc && strcmp (argv[i], "--pixel") == 0)
      choices.pixel = (uint8_t) strtol (argv[++i], NULL, 10);
    else if (strcmp (argv[i], "--unfinished") == 0)
      choices.unfinished = true;
    else if (strcmp (argv[i], "--no-properties") == 0)
      choices.no_properties = true;
    else if (i + 1 < argc && strcmp (argv[i], "--calls") == 0)
      choices.calls = strtol (argv[++i], NULL, 10);
    else if (i + 1 < argc && strcmp (argv[i], "--events") == 0)
      choices.events = strtol (argv[++i], NULL, 10);
    else if (i + 1 < argc && strcmp (argv[i], "--binary") == 0)
      choices.binary = strtol (argv[++i], NULL, 10);
    else if (i + 1 < argc && strcmp (argv[i], "--last") == 0)
      choices.last = (uint8_t) strtol (argv[++i], NULL, 10);
    else if (i + 1 < argc && strcmp (argv[i], "--pause") == 0)
      choices.pause = strtol (argv[++i], NULL, 10);
    else if (i + 1 < argc && strcmp (argv[i], "--late") == 0)
      choices.late = strtol (argv[++i], NULL, 10);
    else if (i + 1 < argc && strcmp (argv[i], "--row") == 0)
      choices.row = (char) strtol (argv[++i], NULL, 10);
    else if (i + 1 < argc && strcmp (argv[i], "--gap") == 0)
      choices.gap = (char) strtol (argv[++i], NULL, 10);
    else if (i + 1 < argc && strcmp (argv[i], "--factor") == 0)
      choices.factor = (int32_t) strtol (argv[++i], NULL, 10);
    else if (i + 1 < argc && strcmp (argv[i], "--first") == 0)
      choices.first = (int32_t) strtol (argv[++i], NULL, 10);
  load_framework (UR_VERSION);
  load_adapter ();
  find_device (&host, &choices);
  compute (&host, &choices);
  if (choices.command_buffer)
    run_command_buffer (&host);
  if (choices.copies)
    {
      copy_image (&host, &choices);
      copy_rows_of_usm (&host, &choices);
    }
  if (choices.binary > 0)
    make_program (&host, &choices);
  for (long i = 0; i < choices.calls; i++)
    {
      uint32_t type;
      CALL (DeviceGetInfo, 5, host.device, 0u, bytes (sizeof type), (void *) &type, (uint64_t *) NULL)
    }
  copy_often (&host, choices.events, choices.pause);
  if (choices.late > 0)
    copy_late (&host, choices.late);
  if (choices.unfinished)
    copy_unfinished (&host);
  else
    CALL (QueueFinish, 1, host.queue)
  CALL (QueueRelease, 1, host.queue)
  CALL (ContextRelease, 1, host.context)
  CALL (AdapterRelease, 1, host.adapter)
  return 0;
}
