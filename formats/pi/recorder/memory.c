/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "formats/pi/recorder/memory.h"

#include "formats/pi/recorder/plugin.h"
#include "formats/pi/recorder/session.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_LIST 64
#define HOST_PTR_USE 8u
#define HOST_PTR_COPY 32u

/* Memory of devices, by address. */
typedef struct
{
  uintptr_t address;
  uint64_t size;
} Range;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Range *ranges;
static size_t n_ranges, max_ranges;
static TtPiPixels pixels = TT_PI_PIXELS_INIT;

static uint64_t
value_of (const TtRecordCall *call, int param)
{
  return param < 0 ? 0 : tt_pi_shapes_value (call->function->function, &call->function->shapes, call->args, param);
}

static bool
peek (const void *data, unsigned param, void *to, size_t size)
{
  const void *from = (const void *) (uintptr_t) value_of (data, (int) param);

  return from != NULL && tt_record_copy (to, from, size);
}

TtPiGiven
tt_record_given (const TtRecordCall *call)
{
  return (TtPiGiven){
    .function = call->function->function,
    .shapes = &call->function->shapes,
    .args = call->args,
    .release = call->function->release,
    .peek = peek,
    .data = call,
    .pixels = &pixels,
  };
}

void
tt_record_image_made (const TtRecordCall *call, int32_t result)
{
  if (call->function->shapes.rows != TT_PI_ROWS_WHOLE_IMAGE || result != 0 || call->args_size == 0)
    return;
  const TtPiGiven given = tt_record_given (call);
  tt_pi_given_note (&given);
}

uint64_t
tt_record_argument (const TtRecordCall *call, const char *name)
{
  const TtPiFunction *function = call->function->function;

  for (unsigned i = 0; i < function->n_params; i++)
    if (strcmp (function->params[i].name, name) == 0)
      return value_of (call, (int) i);
  return 0;
}

bool
tt_record_gather (const TtRecordFunction *function, uint8_t *to, const void *pointers)
{
  const TtPiFunction *known = function->function;
  void *from[TT_PI_MAX_PARAMS];

  if (!tt_record_copy (from, pointers, known->n_params * sizeof from[0]))
    return false;
  for (unsigned i = 0; i < known->n_params; i++)
    if (!tt_record_copy (to + function->shapes.offsets[i], from[i], known->params[i].size))
      return false;
  return true;
}

/* Length of a text that may be unreadable; read in aligned pieces, for memory after it may be unreadable, too. */
bool
tt_record_text_size (const uint8_t *text, uint64_t *size)
{
  char part[256];

  for (*size = 0; *size < TT_PI_NATIVE_MAX_BLOCKS;)
    {
      size_t len = sizeof part - ((uintptr_t) text + *size) % sizeof part;
      if (!tt_record_copy (part, text + *size, len))
        return false;
      size_t used = strnlen (part, len);
      *size += used;
      if (used < len)
        return true;
    }
  return true;
}

static bool
list_size (const uint8_t *list, uint64_t *size)
{
  uint64_t word = 1;

  for (*size = 0; *size < 8 * MAX_LIST && word != 0; *size += 8)
    if (!tt_record_copy (&word, list + *size, sizeof word))
      return false;
  return true;
}

static void
note_device_memory (uintptr_t address, uint64_t size)
{
  if (n_ranges == max_ranges)
    {
      size_t more = max_ranges * 2 + 64;
      Range *larger = realloc (ranges, more * sizeof *larger);
      if (larger == NULL)
        return;
      ranges = larger;
      max_ranges = more;
    }
  ranges[n_ranges++] = (Range){ address, size };
}

static void
forget_device_memory (uintptr_t address)
{
  for (size_t i = 0; i < n_ranges; i++)
    if (ranges[i].address == address)
      ranges[i] = ranges[--n_ranges];
}

void
tt_record_usm (const TtRecordCall *call, int32_t result)
{
  const TtPiShapes *shapes = &call->function->shapes;

  uintptr_t address;

  if (result != 0 || call->args_size == 0 || (shapes->usm_free < 0 && !shapes->usm_is_device))
    return;
  pthread_mutex_lock (&lock);
  if (shapes->usm_free >= 0)
    forget_device_memory ((uintptr_t) value_of (call, shapes->usm_free));
  else if (value_of (call, shapes->usm_result) != 0 &&
           tt_record_copy (&address, (const void *) (uintptr_t) value_of (call, shapes->usm_result), sizeof address))
    note_device_memory (address, value_of (call, shapes->usm_size));
  pthread_mutex_unlock (&lock);
}

bool
tt_record_is_device_memory (const void *address)
{
  uintptr_t at = (uintptr_t) address;
  bool found = false;

  pthread_mutex_lock (&lock);
  for (size_t i = 0; i < n_ranges && !found; i++)
    found = at >= ranges[i].address && at - ranges[i].address < ranges[i].size;
  pthread_mutex_unlock (&lock);
  return found;
}

bool
tt_record_extent (const TtRecordCall *call, unsigned param, const uint8_t **bytes, uint64_t *size)
{
  const TtPiShape *shape = &call->function->shapes.params[param];
  uint64_t value = value_of (call, (int) param);
  const TtPiGiven given = tt_record_given (call);

  *bytes = (const uint8_t *) (uintptr_t) value;
  if (value == 0)
    return false;
  switch (shape->shape)
    {
    case TT_PI_SHAPE_TEXT:
      return tt_record_text_size (*bytes, size);
    case TT_PI_SHAPE_ANSWER:
      return tt_record_copy (bytes, *bytes, sizeof *bytes) && *bytes != NULL && tt_record_text_size (*bytes, size);
    case TT_PI_SHAPE_LIST:
      return list_size (*bytes, size);
    case TT_PI_SHAPE_MAPPED:
      if (!tt_record_copy (bytes, *bytes, sizeof *bytes))
        return false;
      *size = tt_pi_given_bytes (&given, (int) param);
      return *bytes != NULL && *size > 0;
    default:
      *size = tt_pi_given_bytes (&given, (int) param);
      return *size > 0;
    }
}

bool
tt_record_wants_memory (const TtRecordCall *call, unsigned param, bool *waited)
{
  const TtPiShapes *shapes = &call->function->shapes;
  const TtPiShape *shape = &shapes->params[param];

  if (tt_recorder.skip_memory)
    return false;
  if ((shape->flags & TT_PI_SHAPE_EITHER) != 0 &&
      tt_record_is_device_memory ((const void *) (uintptr_t) value_of (call, (int) param)))
    return false;
  if (shapes->flags >= 0 && (value_of (call, shapes->flags) & (HOST_PTR_USE | HOST_PTR_COPY)) == 0)
    return false;
  if ((shape->flags & TT_PI_SHAPE_LATE) == 0 || *waited || (value_of (call, shapes->blocking) & 0xff) != 0)
    return true;

  const void *place = (const void *) (uintptr_t) value_of (call, shapes->event);
  uint64_t event = 0;
  *waited = place != NULL && tt_record_copy (&event, place, sizeof event) && event != 0 &&
            tt_record_wait (call, (void *) (uintptr_t) event);
  return *waited;
}

bool
tt_record_memory_file (const TtRecordThread *thread,
                       const TtRecordCall *call,
                       const TtRecordContents *contents,
                       char *name)
{
  const size_t name_size = TT_RECORD_FILE_NAME;
  char path[4096 + 512];
  uint8_t length[8];

  if (contents->param < 0)
    snprintf (name, name_size, "%s_%llu.mem", thread->name, (unsigned long long) call->instance);
  else
    snprintf (name, name_size, "%s_%llu_%d.mem", thread->name, (unsigned long long) call->instance, contents->param);
  snprintf (path, sizeof path, "buffers/%.*s", TT_RECORD_FILE_NAME, name);

  int fd = tt_record_open (path, O_WRONLY | O_CREAT | O_EXCL);
  if (fd < 0)
    {
      tt_record_complain ("cannot write", path, errno);
      return false;
    }
  tt_pi_put64 (length, contents->size);
  bool written =
      tt_record_write_all (fd, length, 8) && tt_record_write_all (fd, contents->bytes, (size_t) contents->size);
  int error = errno;
  if (close (fd) != 0 && written)
    {
      error = errno;
      written = false;
    }
  if (written)
    return true;

  /* Memory of a device is expected to be unreadable; every other error is reported. */
  snprintf (path, sizeof path, "%.3000s/buffers/%s", tt_recorder.base, name);
  if (error != EFAULT)
    tt_record_complain ("cannot write", path, error);
  unlink (path);
  return false;
}

void
tt_record_memory_after_fork (void)
{
  /* A thread of the parent may have been changing them. */
  if (pthread_mutex_trylock (&lock) != 0)
    {
      ranges = NULL;
      n_ranges = max_ranges = 0;
    }
  pthread_mutex_init (&lock, NULL);
  tt_pi_pixels_after_fork (&pixels);
}
