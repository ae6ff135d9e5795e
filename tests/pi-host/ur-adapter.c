/* SPDX-License-Identifier: Apache-2.0 */
/* An adapter of the Unified Runtime with one device that really copies and computes; see README.md. A copy that does
 * not block is done when its event is waited for. UR_HOST_BUG=value: one element of a result is wrong; =result: a call
 * fails; =old-buffers: command buffers never take times; =no-buffer-times: none is made with them; =bare-handles: no
 * functions stand in them; =crash: a call ends the process. UR_HOST_COUNT: when it is unloaded it says how many events
 * there were, and how many are left. UR_HOST_DRIFT: parts of a million that the device's clock runs faster than the
 * host's. */
#include "device.h"
#include "ur-host.h"

#include <stdio.h>
#include <time.h>

#define EXPORT __attribute__ ((visibility ("default")))

/* Handles begin with the address of the adapter's tables, one after the other, as in real ones since May 2025. */
enum
{
  OF_Adapter = 0,
  OF_Platform = 7,
  OF_Context = 13,
  OF_Event = 20,
  N_FUNCTIONS = 28,
};

static void *tables[N_FUNCTIONS];

typedef struct
{
  void **tables;
} Context;

typedef struct
{
  void **tables;
  uint32_t flags;
} Queue;

typedef struct Event Event;
struct Event
{
  void **tables;
  void *to;
  const void *from;
  uint64_t size;
  Grid to_rows, from_rows;
  uint64_t width, height, depth;
  Queue *queue;
  uint32_t references;
  uint64_t times[4]; /* queued, submitted, begun, ended; on a clock that is 7 s ahead, and may run faster */
  Event *older, *newer;
};

#define AHEAD 7000000000u
#define NO_TIMES 17

static Event *newest;
static unsigned long n_events, n_left, n_retained, n_released;

typedef struct
{
  char *bytes;
  uint64_t extent[3], pixel; /* of an image: in pixels, and bytes of one */
} Memory;

static int adapter, platform, device;

static bool
has_bug (const char *name)
{
  return has_bug_in ("UR_HOST_BUG", name);
}

static int32_t
give_one (uint32_t n, void **to, uint32_t *number, void *what)
{
  if (to != NULL && n > 0)
    to[0] = what;
  if (number != NULL)
    *number = 1;
  return 0;
}

static int32_t
give_new (void **to, size_t size)
{
  *to = calloc (1, size);
  return *to == NULL;
}

static int32_t
free_object (void *object)
{
  free (object);
  return 0;
}

static long drift;

static uint64_t
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  uint64_t host = (uint64_t) time.tv_sec * 1000000000u + (uint64_t) time.tv_nsec;
  return host + (uint64_t) ((__int128) host * drift / 1000000) + AHEAD;
}

static void
finish (Event *event)
{
  if (event->size > 0)
    memcpy (event->to, event->from, event->size);
  if (event->width > 0)
    copy_rows (event->to_rows, event->from_rows, event->width, event->height, event->depth);
  if (event->times[3] == 0)
    event->times[3] = now ();
  event->size = event->width = 0;
}

/* Where nobody wants the event it is finished at once. */
static int32_t
give_event (void *queue, const Event *what, bool is_done, void **to)
{
  Event *event = calloc (1, sizeof *event);

  if (event == NULL)
    return 4;
  *event = *what;
  event->tables = tables;
  event->queue = queue;
  event->references = 1;
  event->times[0] = event->times[1] = event->times[2] = now ();
  if (is_done || to == NULL)
    finish (event);
  if (to == NULL)
    {
      free (event);
      return 0;
    }
  event->older = newest;
  if (newest != NULL)
    newest->newer = event;
  newest = *to = event;
  n_events++;
  n_left++;
  return 0;
}

__attribute__ ((destructor)) static void
tell_counts (void)
{
  if (getenv ("UR_HOST_COUNT") != NULL)
    fprintf (stderr, "adapter: %lu events, %lu retained, %lu released, %lu left\n", n_events, n_retained, n_released,
             n_left);
}

static void
wait_for (uint32_t n, void *const *events)
{
  for (uint32_t i = 0; i < n; i++)
    finish (events[i]);
}

static int32_t
AdapterGet (uint32_t n, void **to, uint32_t *number)
{
  return give_one (n, to, number, &adapter);
}

static int32_t
AdapterRelease (void *which)
{
  return which != &adapter;
}

static int32_t
PlatformGet (void *which, uint32_t n, void **to, uint32_t *number)
{
  return which != &adapter ? 4 : give_one (n, to, number, &platform);
}

static int32_t
DeviceGet (void *which, uint32_t type, uint32_t n, void **to, uint32_t *number)
{
  return which != &platform || type != 1 ? 4 : give_one (n, to, number, &device);
}

static int32_t
DeviceGetInfo (void *which, uint32_t name, uint64_t size, void *value, uint64_t *length)
{
  static const char text[] = "Loaded multiplier";

  if (which == &device && name == 0 && size == 4)
    {
      memset (value, 0, 4);
      return 0;
    }
  if (which != &device || name != 3 || has_bug ("result"))
    return 4;
  if (value != NULL && size >= sizeof text)
    memcpy (value, text, sizeof text);
  if (length != NULL)
    *length = sizeof text;
  return 0;
}

static int32_t
DeviceGetGlobalTimestamps (void *which, uint64_t *of_device, uint64_t *of_host)
{
  if (which != &device || has_bug ("no-clock"))
    return 4;
  *of_device = now ();
  if (of_host != NULL)
    *of_host = *of_device - AHEAD;
  return 0;
}

static int32_t
ContextCreate (uint32_t n, void *const *devices, const void *properties, void **context)
{
  if (n != 1 || devices[0] != &device || properties != NULL || give_new (context, sizeof (Context)) != 0)
    return 4;
  ((Context *) *context)->tables = tables;
  return 0;
}

static int32_t
ContextRelease (void *context)
{
  return free_object (context);
}

static int32_t
QueueCreate (void *context, void *which, const QueueProperties *properties, void **queue)
{
  if (context == NULL || which != &device || (properties != NULL && properties->stype != 0xe) ||
      give_new (queue, sizeof (Queue)) != 0)
    return 4;
  ((Queue *) *queue)->tables = tables;
  ((Queue *) *queue)->flags = properties != NULL ? properties->flags : 0;
  return has_bug ("no-times") && (((Queue *) *queue)->flags & 2) != 0 ? 4 : 0;
}

static int32_t
QueueRelease (void *queue)
{
  return free_object (queue);
}

static int32_t
QueueFinish (void *queue)
{
  for (Event *event = newest; event != NULL; event = event->older)
    if (event->queue == queue)
      finish (event);
  return queue == NULL;
}

static int32_t
QueueGetInfo (void *queue, uint32_t name, uint64_t size, void *value, uint64_t *length)
{
  if (queue == NULL || name != 3 || size != 4)
    return 4;
  memcpy (value, &((Queue *) queue)->flags, 4);
  if (length != NULL)
    *length = 4;
  return 0;
}

static int32_t
MemBufferCreate (void *context, uint32_t flags, uint64_t size, const void *properties, void **buffer)
{
  if (context == NULL || flags != 1 || properties != NULL || give_new (buffer, sizeof (Memory)) != 0)
    return 4;
  Memory *memory = *buffer;
  memory->bytes = calloc (1, size);
  return memory->bytes == NULL;
}

static int32_t
MemRelease (void *buffer)
{
  free (((Memory *) buffer)->bytes);
  return free_object (buffer);
}

static int32_t
USMDeviceAlloc (void *context, void *which, const void *properties, void *pool, uint64_t size, void **memory)
{
  return context == NULL || which != &device || properties != NULL || pool != NULL ? 4 : give_new (memory, size);
}

static int32_t
USMFree (void *context, void *memory)
{
  return context == NULL ? 4 : free_object (memory);
}

static int32_t
ProgramCreateWithIL (void *context, const void *code, uint64_t length, const void *properties, void **program)
{
  return context == NULL || length != 4 || memcmp (code, "mult", 4) != 0 || properties != NULL ? 4
                                                                                               : give_new (program, 8);
}

static int32_t
ProgramCreateWithBinary (void *context,
                         uint32_t n,
                         void *const *devices,
                         const uint64_t *lengths,
                         const uint8_t *const *binaries,
                         const void *properties,
                         void **program)
{
  if (context == NULL || n != 1 || devices[0] != &device || properties != NULL || lengths[0] < 4 ||
      memcmp (binaries[0], "mult", 4) != 0)
    return 4;
  return give_new (program, 8);
}

static int32_t
KernelCreate (void *program, const char *name, void **kernel)
{
  return program == NULL || strcmp (name, "multiply") != 0 ? 4 : give_new (kernel, 8);
}

static int32_t
EnqueueMemBufferWrite (void *queue,
                       void *buffer,
                       bool blocking,
                       uint64_t offset,
                       uint64_t size,
                       const void *from,
                       uint32_t n,
                       void *const *events,
                       void **event)
{
  if (queue == NULL || !blocking)
    return 4;
  wait_for (n, events);
  memcpy (((Memory *) buffer)->bytes + offset, from, size);
  return give_event (queue, &(Event){ 0 }, true, event);
}

static int32_t
EnqueueMemBufferReadRect (void *queue,
                          void *buffer,
                          bool blocking,
                          Rect from,
                          Rect to,
                          Rect region,
                          uint64_t row,
                          uint64_t slice,
                          uint64_t host_row,
                          uint64_t host_slice,
                          void *memory,
                          uint32_t n,
                          void *const *events,
                          void **event)
{
  if (queue == NULL || !blocking)
    return 4;
  wait_for (n, events);
  copy_rows (grid_from (memory, host_row, host_slice, to.x, to.y, to.z),
             grid_from (((Memory *) buffer)->bytes, row, slice, from.x, from.y, from.z), region.x, region.y, region.z);
  return give_event (queue, &(Event){ 0 }, true, event);
}

static int32_t
EnqueueMemBufferWriteRect (void *queue,
                           void *buffer,
                           bool blocking,
                           Rect from,
                           Rect to,
                           Rect region,
                           uint64_t row,
                           uint64_t slice,
                           uint64_t host_row,
                           uint64_t host_slice,
                           const void *memory,
                           uint32_t n,
                           void *const *events,
                           void **event)
{
  if (queue == NULL || !blocking)
    return 4;
  wait_for (n, events);
  copy_rows (grid_from (((Memory *) buffer)->bytes, row, slice, from.x, from.y, from.z),
             grid_from (memory, host_row, host_slice, to.x, to.y, to.z), region.x, region.y, region.z);
  return give_event (queue, &(Event){ 0 }, true, event);
}

#include "ur-adapter-copies.h"

static int32_t
EnqueueUSMMemcpy (void *queue,
                  bool blocking,
                  void *to,
                  const void *from,
                  uint64_t size,
                  uint32_t n,
                  void *const *events,
                  void **event)
{
  Event copy = { .to = to, .from = from, .size = size };

  if (queue == NULL)
    return 4;
  wait_for (n, events);
  return give_event (queue, &copy, blocking, event);
}

static int32_t
EnqueueKernelLaunchWithArgsExp (void *queue,
                                void *kernel,
                                uint32_t dimensions,
                                const uint64_t *offset,
                                const uint64_t *global,
                                const uint64_t *local,
                                uint32_t n_args,
                                const KernelArgument *args,
                                const void *properties,
                                uint32_t n,
                                void *const *events,
                                void **event)
{
  if (queue == NULL || kernel == NULL || dimensions != 1 || offset != NULL || local != NULL || n_args != 3 ||
      properties != NULL || args[0].type != POINTER || args[1].type != VALUE || args[2].type != MEM_OBJ)
    return 4;
  if (has_bug ("crash"))
    abort ();
  wait_for (n, events);
  int32_t *numbers = args[0].value.pointer, factor = *(const int32_t *) args[1].value.value;
  for (uint64_t i = 0; i < global[0]; i++)
    numbers[i] = numbers[i] * factor + ((Memory *) args[2].value.object.mem)->bytes[i];
  numbers[0] += has_bug ("value");
  return give_event (queue, &(Event){ 0 }, true, event);
}

/* Empty ones. They take times as their queue does, or are refused: as OpenCL's adapters have it, of which the old ones do
 * not look at what the program asks for. */
static int32_t
CommandBufferCreateExp (void *context, void *which, const BufferProperties *properties, void **buffer)
{
  if (context == NULL || which != &device || properties == NULL || properties->stype != 0x1000 ||
      (properties->takes_times != 0 && has_bug ("no-buffer-times")) || give_new (buffer, sizeof (Queue)) != 0)
    return 4;
  ((Queue *) *buffer)->tables = tables;
  ((Queue *) *buffer)->flags = properties->takes_times != 0 && !has_bug ("old-buffers") ? 2 : 0;
  return 0;
}

static int32_t
CommandBufferReleaseExp (void *buffer)
{
  return free_object (buffer);
}

static int32_t
CommandBufferFinalizeExp (void *buffer)
{
  return buffer == NULL ? 4 : 0;
}

static int32_t
EnqueueCommandBufferExp (void *queue, void *buffer, uint32_t n, void *const *events, void **event)
{
  if ((((Queue *) queue)->flags & 2) != ((Queue *) buffer)->flags)
    return 4;
  wait_for (n, events);
  return give_event (queue, &(Event){ 0 }, true, event);
}

static int32_t
EventGetInfo (void *of, uint32_t name, uint64_t size, void *value, uint64_t *length)
{
  const Event *event = of;
  uint32_t status = event != NULL && event->times[3] == 0 ? 3 : 0;

  if (event == NULL || length != NULL || (name != 0 && name != 3 && name != 4) || size < (name == 0 ? 8 : 4))
    return 4;
  if (name == 0)
    memcpy (value, &event->queue, 8);
  else
    memcpy (value, name == 3 ? &status : &event->references, 4);
  return 0;
}

static int32_t
EventGetProfilingInfo (void *of, uint32_t name, uint64_t size, void *value, uint64_t *length)
{
  const Event *event = of;

  if (event == NULL || name > 3 || size != 8)
    return 4;
  if ((event->queue->flags & 2) == 0 || event->times[3] == 0)
    return NO_TIMES;
  memcpy (value, &event->times[name], 8);
  if (length != NULL)
    *length = 8;
  return 0;
}

static int32_t
EventWait (uint32_t n, void *const *events)
{
  wait_for (n, events);
  return 0;
}

static int32_t
EventRetain (void *of)
{
  ((Event *) of)->references++;
  n_retained++;
  return 0;
}

static int32_t
EventRelease (void *of)
{
  Event *event = of;

  n_released++;
  if (--event->references > 0)
    return 0;
  finish (event);
  if (event->older != NULL)
    event->older->newer = event->newer;
  if (event->newer != NULL)
    event->newer->older = event->older;
  else
    newest = event->older;
  n_left--;
  free (event);
  return 0;
}

/* The tables. */
typedef struct
{
  const char *table, *name;
  unsigned place;
  void (*function) (void);
} Entry;

#define ENTRY(table, place, name, id, params) { #table, #name, place, (void (*) (void)) name },
static const Entry entries[] = { UR_FUNCTIONS (ENTRY) };

#define PLACE(table, place, name, id, params) PLACE_##table (place, name)
#define PUT(table, place, name) \
  memcpy (&tables[OF_##table + (place)], &(void (*[]) (void)){ (void (*) (void)) name }, sizeof (void *));
#define PLACE_Adapter(place, name) PUT (Adapter, place, name)
#define PLACE_Platform(place, name) PUT (Platform, place, name)
#define PLACE_Context(place, name) PUT (Context, place, name)
#define PLACE_Event(place, name) PUT (Event, place, name)
#define PLACE_Device(place, name)
#define PLACE_Queue(place, name)
#define PLACE_Mem(place, name)
#define PLACE_USM(place, name)
#define PLACE_Program(place, name)
#define PLACE_Kernel(place, name)
#define PLACE_Enqueue(place, name)
#define PLACE_EnqueueExp(place, name)
#define PLACE_CommandBufferExp(place, name)

__attribute__ ((constructor)) static void
fill_tables (void)
{
  if (!has_bug ("bare-handles"))
    {
      UR_FUNCTIONS (PLACE)
    }
  drift = getenv ("UR_HOST_DRIFT") != NULL ? strtol (getenv ("UR_HOST_DRIFT"), NULL, 10) : 0;
}

static int32_t
fill (const char *table, uint32_t version, void **to)
{
  if (version != UR_VERSION)
    return 77;
  for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
    if (strcmp (entries[i].table, table) == 0)
      memcpy (&to[entries[i].place], &entries[i].function, sizeof (void *));
  return 0;
}

#define TABLE(name)                                                        \
  EXPORT int32_t urGet##name##ProcAddrTable (uint32_t version, void **to); \
  int32_t urGet##name##ProcAddrTable (uint32_t version, void **to)         \
  {                                                                        \
    return fill (#name, version, to);                                      \
  }
UR_TABLES (TABLE)
