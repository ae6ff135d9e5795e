/* SPDX-License-Identifier: Apache-2.0 */
/* libpi_opencl.so: a plugin with one device that adds vectors. See README.md. */
#include "device.h"
#include "pi-host.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

enum
{
  SUCCESS = 0,
  INVALID_VALUE = -30,
  INVALID_BINARY = -42,
  INVALID_HANDLE = -34,
};

#define MAX_ARGS 8

/* Everything a handle stands for. */
typedef struct Object Object;
struct Object
{
  char kind;
  int references;
  uint8_t *bytes; /* of memory */
  size_t size;
  Object *args[MAX_ARGS];
  char name[64];
  pthread_t creator;
  /* What a read that does not block has still to do. */
  void *to;
  const uint8_t *from;
  size_t length;
  Grid to_rows, from_rows;
  size_t width, height, depth;
  size_t extent[3], pixel;   /* of an image: in pixels, and bytes of one */
  uint64_t begin_ns, end_ns; /* of an event, if times are wanted: a kernel runs until somebody waits for it */
  Object *queue;             /* of an event */
  uint64_t flags;            /* of a queue */
};

static Object the_platform = { .kind = 'P', .references = 1 }, the_device = { .kind = 'D', .references = 1 };

static void *last_usm;
static unsigned long n_events, n_left, n_retained, n_released;

/* With PI_HOST_COUNT it says how many events there were, and how many are left. */
__attribute__ ((destructor)) static void
tell_counts (void)
{
  if (getenv ("PI_HOST_COUNT") != NULL)
    fprintf (stderr, "plugin: %lu events, %lu retained, %lu released, %lu left\n", n_events, n_retained, n_released,
             n_left);
}

#define NO_TIMES -7

static bool
bug (const char *name)
{
  return has_bug_in ("PI_HOST_BUG", name);
}

static Object *
new_object (char kind)
{
  Object *object = calloc (1, sizeof *object);

  object->kind = kind;
  object->references = 1;
  object->creator = pthread_self ();
  return object;
}

static int32_t
release (Object *object, char kind)
{
  if (object == NULL || object->kind != kind)
    return INVALID_HANDLE;
  if (__atomic_sub_fetch (&object->references, 1, __ATOMIC_ACQ_REL) > 0 || kind == 'D')
    return SUCCESS;
  object->kind = 'x';
  free (object->bytes);
  free (object);
  return SUCCESS;
}

static uint64_t read_device_clock (void);

static void
finish (Object *event)
{
  const struct timespec work = { 0, 2000000 };

  if (event->begin_ns != 0 && event->end_ns == 0)
    {
      nanosleep (&work, NULL);
      event->end_ns = read_device_clock ();
    }
  if (event->to != NULL)
    memcpy (event->to, event->from, event->length);
  if (event->width > 0)
    copy_rows (event->to_rows, event->from_rows, event->width, event->height, event->depth);
  event->to = NULL;
  event->width = 0;
}

/* A value for a query: the number of bytes, the bytes, or both. */
static int32_t
answer (const void *value, size_t len, size_t size, void *to, size_t *len_to)
{
  if (to != NULL && size < len)
    return INVALID_VALUE;
  if (to != NULL)
    memcpy (to, value, len);
  if (len_to != NULL)
    *len_to = len;
  return SUCCESS;
}

static int32_t
piPlatformsGet (uint32_t n, Object **platforms, uint32_t *found)
{
  if (platforms != NULL && n > 0)
    platforms[0] = &the_platform;
  if (found != NULL)
    *found = 1;
  return SUCCESS;
}

static int32_t
piPlatformGetInfo (Object *platform, uint32_t what, size_t size, void *value, size_t *len)
{
  return what == 0x902 ? answer ("Host of the tests", 18, size, value, len) : INVALID_VALUE;
}

static int32_t
piDevicesGet (Object *platform, uint64_t type, uint32_t n, Object **devices, uint32_t *found)
{
  if (platform != &the_platform)
    return INVALID_HANDLE;
  if (devices != NULL && n > 0)
    devices[0] = &the_device;
  if (found != NULL)
    *found = 1;
  return SUCCESS;
}

static int32_t
piDeviceGetInfo (Object *device, uint32_t what, size_t size, void *value, size_t *len)
{
  uint64_t type = 4;

  if (what == 0x1000)
    return answer (&type, sizeof type, size, value, len);
  if (what == 0x1031)
    return answer (&(Object *){ &the_platform }, sizeof (Object *), size, value, len);
  return what == 0x102B ? answer ("Adder", 6, size, value, len) : INVALID_VALUE;
}

static int32_t
piDeviceRetain (Object *device)
{
  __atomic_add_fetch (&device->references, 1, __ATOMIC_ACQ_REL);
  return SUCCESS;
}

static int32_t
piDeviceRelease (Object *device)
{
  return release (device, 'D');
}

static int32_t
piextDeviceSelectBinary (Object *device, DeviceBinary **binaries, uint32_t n, uint32_t *selected)
{
  for (uint32_t i = 0; i < n; i++)
    if (strcmp (binaries[i]->target, "spir64") == 0 && binaries[i]->end - binaries[i]->begin == 1024 &&
        binaries[i]->entries_begin != NULL && strcmp (binaries[i]->entries_begin->name, "_ZTS10vector_add") == 0)
      {
        *selected = i;
        return SUCCESS;
      }
  return INVALID_BINARY;
}

static int32_t
piContextCreate (const int64_t *properties,
                 uint32_t n,
                 Object *const *devices,
                 void *notify,
                 void *data,
                 Object **context)
{
  if (n != 1 || devices[0] != &the_device)
    return INVALID_VALUE;
  *context = new_object ('C');
  return SUCCESS;
}

static int32_t
piContextRelease (Object *context)
{
  return release (context, 'C');
}

static int32_t
piQueueCreate (Object *context, Object *device, uint64_t properties, Object **queue)
{
  if (context == NULL || context->kind != 'C' || device != &the_device)
    return INVALID_HANDLE;
  if (bug ("no-times") && (properties & 2) != 0)
    return INVALID_VALUE;
  *queue = new_object ('Q');
  (*queue)->flags = properties;
  return SUCCESS;
}

static int32_t
piQueueGetInfo (Object *queue, uint32_t what, size_t size, void *value, size_t *len)
{
  return queue->kind != 'Q' || what != 0x1093 ? INVALID_VALUE : answer (&queue->flags, 8, size, value, len);
}

static int32_t
piQueueFinish (Object *queue)
{
  return queue->kind == 'Q' ? SUCCESS : INVALID_HANDLE;
}

static int32_t
piQueueRetain (Object *queue)
{
  __atomic_add_fetch (&queue->references, 1, __ATOMIC_ACQ_REL);
  return SUCCESS;
}

static int32_t
piQueueRelease (Object *queue)
{
  return release (queue, 'Q');
}

static int32_t
piMemBufferCreate (Object *context,
                   uint64_t flags,
                   size_t size,
                   void *host,
                   Object **memory,
                   const uint64_t *properties)
{
  Object *object = new_object ('M');

  object->bytes = calloc (1, size + 1);
  object->size = size;
  if (host != NULL && (flags & 0x28) != 0)
    memcpy (object->bytes, host, size);
  *memory = object;
  return SUCCESS;
}

static int32_t
piMemRelease (Object *memory)
{
  return release (memory, 'M');
}

static int32_t
piProgramCreate (Object *context, const void *il, size_t length, Object **program)
{
  const uint8_t *bytes = il;

  for (size_t i = 0; i < length; i++)
    if (bytes[i] != (uint8_t) (i * 7))
      return INVALID_VALUE;
  *program = new_object ('R');
  return length == 1024 ? SUCCESS : INVALID_VALUE;
}

static int32_t
piProgramBuild (Object *program, uint32_t n, Object *const *devices, const char *options, void *notify, void *data)
{
  return n == 1 && devices[0] == &the_device && strcmp (options, "-cl-std=CL2.0") == 0 ? SUCCESS : INVALID_VALUE;
}

static int32_t
piProgramRelease (Object *program)
{
  return release (program, 'R');
}

static int32_t
piKernelCreate (Object *program, const char *name, Object **kernel)
{
  if (program->kind != 'R')
    return INVALID_HANDLE;
  *kernel = new_object ('K');
  snprintf ((*kernel)->name, sizeof (*kernel)->name, "%s", name);
  return SUCCESS;
}

/* An address of the program that is asked for what is there, as drivers do. */
static int32_t
piextProgramCreateWithNativeHandle (const int *native, Object *context, Object **program)
{
  if (*native != 42)
    return INVALID_HANDLE;
  *program = new_object ('R');
  return SUCCESS;
}

/* A structure of 16 bytes has the address of device memory in its second half. */
static int32_t
piKernelSetArg (Object *kernel, uint32_t index, size_t size, const void *value)
{
  if (size == 16 && memcmp ((const uint8_t *) value + 8, &last_usm, sizeof last_usm) != 0)
    return INVALID_VALUE;
  return bug ("result") && index == 2 ? -49 : SUCCESS;
}

static int32_t
piKernelGetInfo (Object *kernel, uint32_t what, size_t size, void *value, size_t *len)
{
  return what == 0x1190 ? answer (kernel->name, strlen (kernel->name) + 1, size, value, len) : INVALID_VALUE;
}

static int32_t
piKernelGetGroupInfo (Object *kernel, Object *device, uint32_t what, size_t size, void *value, size_t *len)
{
  size_t n = 64;

  return what == 0x11B0 ? answer (&n, sizeof n, size, value, len) : INVALID_VALUE;
}

static int32_t
piKernelRelease (Object *kernel)
{
  return release (kernel, 'K');
}

static int32_t
piextKernelSetArgMemObj (Object *kernel, uint32_t index, Object *const *memory)
{
  if (index >= MAX_ARGS || (*memory)->kind != 'M')
    return INVALID_VALUE;
  kernel->args[index] = *memory;
  return SUCCESS;
}

static int32_t
piEventsWait (uint32_t n, Object *const *events)
{
  for (uint32_t i = 0; i < n; i++)
    {
      if (events[i] == NULL || events[i]->kind != 'E')
        return INVALID_HANDLE;
      finish (events[i]);
    }
  return SUCCESS;
}

static int32_t
piEventRetain (Object *event)
{
  __atomic_add_fetch (&n_retained, 1, __ATOMIC_RELAXED);
  __atomic_add_fetch (&event->references, 1, __ATOMIC_ACQ_REL);
  return event->kind == 'E' ? SUCCESS : INVALID_HANDLE;
}

static int32_t
piEventRelease (Object *event)
{
  __atomic_add_fetch (&n_released, 1, __ATOMIC_RELAXED);
  if (event != NULL && event->references == 1)
    __atomic_sub_fetch (&n_left, 1, __ATOMIC_RELAXED);
  return release (event, 'E');
}

static int32_t
piEventGetInfo (Object *event, uint32_t what, size_t size, void *value, size_t *len)
{
  const int32_t status = event->begin_ns != 0 && event->end_ns == 0 ? 1 : 0;

  if (event->kind != 'E')
    return INVALID_HANDLE;
  if (what == 0x11d0)
    return answer (&event->queue, 8, size, value, len);
  return what == 0x11d2   ? answer (&event->references, 4, size, value, len)
         : what == 0x11d3 ? answer (&status, 4, size, value, len)
                          : INVALID_VALUE;
}

/* By the device's clock. */
static uint64_t
read_device_clock (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec + 7000000000u;
}

static int32_t
piEventGetProfilingInfo (Object *event, uint32_t what, size_t size, void *value, size_t *len)
{
  if ((event->queue->flags & 2) == 0)
    return NO_TIMES;
  if (event->end_ns == 0 || what < 0x1280 || what > 0x1283)
    return INVALID_VALUE;
  return answer (what < 0x1283 ? &event->begin_ns : &event->end_ns, sizeof (uint64_t), size, value, len);
}

static void
give_event (Object *queue, Object **event)
{
  if (event == NULL)
    return;
  *event = new_object ('E');
  (*event)->queue = queue;
  if (getenv ("PI_HOST_TIMES") != NULL && (queue->flags & 2) != 0)
    (*event)->begin_ns = (*event)->end_ns = read_device_clock ();
  __atomic_add_fetch (&n_events, 1, __ATOMIC_RELAXED);
  __atomic_add_fetch (&n_left, 1, __ATOMIC_RELAXED);
}

#include "plugin-copies.h"

static int32_t
piEnqueueKernelLaunch (Object *queue,
                       Object *kernel,
                       uint32_t dimensions,
                       const size_t *offset,
                       const size_t *global,
                       const size_t *local,
                       uint32_t n_wait,
                       Object *const *wait,
                       Object **event)
{
  if (queue->kind != 'Q' || dimensions != 1 || strcmp (kernel->name, "_ZTS10vector_add") != 0)
    return INVALID_VALUE;
  piEventsWait (n_wait, wait);
  if (bug ("crash"))
    raise (SIGSEGV);
  if (!(bug ("order") && !pthread_equal (kernel->creator, pthread_self ())))
    for (size_t i = 0; i < global[0]; i++)
      {
        int32_t a, b, sum;
        memcpy (&a, kernel->args[0]->bytes + 4 * i, 4);
        memcpy (&b, kernel->args[1]->bytes + 4 * i, 4);
        sum = a + b + (bug ("value") && i == 7 ? 1 : 0);
        memcpy (kernel->args[2]->bytes + 4 * i, &sum, 4);
      }
  give_event (queue, event);
  if (event != NULL)
    (*event)->end_ns = 0;
  return SUCCESS;
}

static int32_t
piEnqueueMemBufferRead (Object *queue,
                        Object *buffer,
                        uint32_t blocking,
                        size_t offset,
                        size_t size,
                        void *to,
                        uint32_t n_wait,
                        Object *const *wait,
                        Object **event)
{
  if (buffer->kind != 'M' || offset + size > buffer->size)
    return INVALID_VALUE;
  piEventsWait (n_wait, wait);
  give_event (queue, event);
  if (blocking || event == NULL)
    memcpy (to, buffer->bytes + offset, size);
  else
    {
      (*event)->to = to;
      (*event)->from = buffer->bytes + offset;
      (*event)->length = size;
    }
  return SUCCESS;
}

static int32_t
piEnqueueMemBufferWrite (Object *queue,
                         Object *buffer,
                         uint32_t blocking,
                         size_t offset,
                         size_t size,
                         const void *from,
                         uint32_t n_wait,
                         Object *const *wait,
                         Object **event)
{
  if (buffer->kind != 'M' || offset + size > buffer->size)
    return INVALID_VALUE;
  memcpy (buffer->bytes + offset, from, size);
  give_event (queue, event);
  return SUCCESS;
}

static int32_t
piEnqueueMemBufferMap (Object *queue,
                       Object *buffer,
                       uint32_t blocking,
                       uint64_t flags,
                       size_t offset,
                       size_t size,
                       uint32_t n_wait,
                       Object *const *wait,
                       Object **event,
                       void **mapped)
{
  *mapped = buffer->bytes + offset;
  give_event (queue, event);
  return SUCCESS;
}

static int32_t
piEnqueueMemUnmap (Object *queue, Object *buffer, void *mapped, uint32_t n_wait, Object *const *wait, Object **event)
{
  if ((uint8_t *) mapped < buffer->bytes || (uint8_t *) mapped >= buffer->bytes + buffer->size)
    return INVALID_VALUE;
  give_event (queue, event);
  return SUCCESS;
}

static int32_t
piextUSMHostAlloc (void **to, Object *context, const uint64_t *properties, size_t size, uint32_t alignment)
{
  *to = calloc (1, size);
  return SUCCESS;
}

static int32_t
piextUSMSharedAlloc (void **to,
                     Object *context,
                     Object *device,
                     const uint64_t *properties,
                     size_t size,
                     uint32_t alignment)
{
  last_usm = *to = calloc (1, size);
  return SUCCESS;
}

static int32_t
piextUSMFree (Object *context, void *memory)
{
  free (memory);
  return SUCCESS;
}

static int32_t
piextUSMEnqueueMemset (Object *queue,
                       void *memory,
                       int32_t value,
                       size_t n,
                       uint32_t n_wait,
                       Object *const *wait,
                       Object **event)
{
  memset (memory, value, n);
  give_event (queue, event);
  return SUCCESS;
}

static int32_t
piextUSMEnqueueMemcpy (Object *queue,
                       uint32_t blocking,
                       void *to,
                       const void *from,
                       size_t n,
                       uint32_t n_wait,
                       Object *const *wait,
                       Object **event)
{
  memcpy (to, from, n);
  give_event (queue, event);
  return SUCCESS;
}

static int32_t
piTearDown (const Plugin *plugin)
{
  return plugin != NULL && strcmp (plugin->plugin_version, "5.7") == 0 ? SUCCESS : INVALID_VALUE;
}

#define piextUSMDeviceAlloc piextUSMSharedAlloc

__attribute__ ((visibility ("default"))) int32_t piPluginInit (Plugin *plugin);

int32_t
piPluginInit (Plugin *plugin)
{
#define SET(name, id) plugin->functions[id] = (void *) (uintptr_t) name;
  FUNCTIONS (SET)
#undef SET
  memcpy (plugin->plugin_version, "5.7", 4);
  return SUCCESS;
}
