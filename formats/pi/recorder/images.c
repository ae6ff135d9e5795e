/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/pi/recorder/images.h"

#include "formats/pi/native.h"
#include "formats/pi/recorder/session.h"
#include "formats/pi/recorder/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The runtime's structures of version 2, the one with property sets and two texts of options (its header pi.h). */
typedef struct
{
  void *address;
  const char *name;
  uint64_t size;
  int32_t flags, reserved;
} Entry;

typedef struct
{
  const char *name;
  const void *value;
  uint32_t type;
  uint64_t size; /* of a uint32: its value */
} Property;

typedef struct
{
  const char *name;
  const Property *begin, *end;
} PropertySet;

typedef struct
{
  uint16_t version;
  uint8_t kind, format;
  const char *target, *compile_options, *link_options;
  const char *manifest_begin, *manifest_end;
  const uint8_t *begin, *end;
  const Entry *entries_begin, *entries_end;
  const PropertySet *sets_begin, *sets_end;
} Image;

_Static_assert(offsetof (Image, target) == 8 && offsetof (Image, begin) == 48 && sizeof (Image) == 96,
               "layout of pi_device_binary_struct");
_Static_assert(sizeof (Entry) == 32 && sizeof (Property) == 32 && sizeof (PropertySet) == 24,
               "layout of offload entries and properties");

#define KIND_SYCL 4
#define VERSION 2
#define TYPE_UINT32 1

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const Image **seen;
static uint32_t n_seen, max_seen;

static const char *
text_or_empty (const char *given)
{
  return given != NULL ? given : "";
}

static void
put_text (TtRecordBytes *out, unsigned field, const char *given)
{
  const char *text = text_or_empty (given);

  tt_record_put_bytes (out, field, text, strlen (text), false);
}

static void
put_property (TtRecordBytes *set, const Property *property)
{
  TtRecordBytes bytes = { 0 };
  uint8_t number[4];

  put_text (&bytes, 1, property->name);
  tt_record_put_number (&bytes, 2, property->type, false);
  tt_pi_put32 (number, (uint32_t) property->size);
  if (property->type == TYPE_UINT32)
    tt_record_put_bytes (&bytes, 3, number, 4, false);
  else if (property->value != NULL)
    tt_record_put_bytes (&bytes, 3, property->value, (size_t) property->size, false);
  tt_record_put_bytes (set, 2, bytes.bytes, bytes.len, true);
  set->failed |= bytes.failed;
  free (bytes.bytes);
}

static void
put_protobuf (TtRecordBytes *out, const Image *image)
{
  TtRecordBytes part = { 0 };

  tt_record_put_number (out, 1, image->version, false);
  tt_record_put_number (out, 2, image->kind, false);
  tt_record_put_number (out, 3, image->format, false);
  put_text (out, 4, image->target);
  put_text (out, 5, image->compile_options);
  put_text (out, 6, image->link_options);
  for (const Entry *entry = image->entries_begin; entry != NULL && entry < image->entries_end; entry++)
    {
      part.len = 0;
      tt_record_put_number (&part, 1, (uintptr_t) entry->address, false);
      put_text (&part, 2, entry->name);
      tt_record_put_number (&part, 3, entry->size, false);
      tt_record_put_number (&part, 4, (uint64_t) (int64_t) entry->flags, false);
      tt_record_put_bytes (out, 7, part.bytes, part.len, true);
    }
  for (const PropertySet *set = image->sets_begin; set != NULL && set < image->sets_end; set++)
    {
      part.len = 0;
      put_text (&part, 1, set->name);
      for (const Property *property = set->begin; property != NULL && property < set->end; property++)
        put_property (&part, property);
      tt_record_put_bytes (out, 8, part.bytes, part.len, true);
    }
  if (image->manifest_begin != NULL && image->manifest_end > image->manifest_begin)
    tt_record_put_bytes (out, 9, image->manifest_begin, (size_t) (image->manifest_end - image->manifest_begin), false);
  out->failed |= part.failed;
  free (part.bytes);
}

static void
put_u64 (TtRecordBytes *out, uint64_t value)
{
  uint8_t bytes[8];

  tt_pi_put64 (bytes, value);
  tt_record_put (out, bytes, 8);
}

static void
put_raw_text (TtRecordBytes *out, const char *given)
{
  size_t len = strlen (text_or_empty (given)) + 1;

  put_u64 (out, len);
  tt_record_put (out, text_or_empty (given), len);
}

/* The layout before 2021-08-07 (pi.md 6), which belongs to the described format. */
static void
put_raw (TtRecordBytes *out, const Image *image)
{
  uint8_t head[4] = { (uint8_t) image->version, (uint8_t) (image->version >> 8), image->kind, image->format };
  const PropertySet *sets = image->sets_begin;

  tt_record_put (out, head, sizeof head);
  put_raw_text (out, image->target);
  put_raw_text (out, image->compile_options);
  put_raw_text (out, image->link_options);
  put_u64 (out, image->entries_begin != NULL ? (uint64_t) (image->entries_end - image->entries_begin) : 0);
  for (const Entry *entry = image->entries_begin; entry != NULL && entry < image->entries_end; entry++)
    {
      put_u64 (out, (uintptr_t) entry->address);
      put_raw_text (out, entry->name);
      put_u64 (out, entry->size);
    }
  put_u64 (out, sets != NULL ? (uint64_t) (image->sets_end - sets) : 0);
  for (const PropertySet *set = sets; set != NULL && set < image->sets_end; set++)
    {
      put_raw_text (out, set->name);
      put_u64 (out, set->begin != NULL ? (uint64_t) (set->end - set->begin) : 0);
      for (const Property *property = set->begin; property != NULL && property < set->end; property++)
        {
          uint8_t type[4];
          put_raw_text (out, property->name);
          put_u64 (out, (uintptr_t) property->value);
          tt_pi_put32 (type, property->type);
          tt_record_put (out, type, 4);
          put_u64 (out, property->size);
        }
    }
}

static void
write_image_file (const char *name, const void *bytes, size_t len, const void *more, size_t more_len)
{
  int fd = tt_record_open (name, O_WRONLY | O_CREAT | O_EXCL);

  bool is_written = fd >= 0 && tt_record_write_all (fd, bytes, len) && tt_record_write_all (fd, more, more_len);
  if (!is_written)
    tt_record_complain ("cannot write", name, errno);
  if (fd >= 0 && close (fd) != 0 && is_written)
    tt_record_complain ("cannot write", name, errno);
}

static void
write_image (const Image *image, uint32_t number)
{
  static const char *const suffixes[] = { ".none", ".bin", ".spv", ".bc" };
  TtRecordBytes descriptor = { 0 };
  char name[256], target[100];
  uint8_t length[8];

  snprintf (target, sizeof target, "%s", text_or_empty (image->target));
  for (char *at = target; *at != '\0'; at++)
    if (*at == '/' || (unsigned char) *at < 32)
      *at = '_';
  snprintf (name, sizeof name, "%u_%s%s", number, target, image->format < 4 ? suffixes[image->format] : "");
  if (image->begin != NULL && image->end >= image->begin)
    write_image_file (name, image->begin, (size_t) (image->end - image->begin), NULL, 0);

  if (tt_recorder.format == TT_RECORD_DOC)
    put_raw (&descriptor, image);
  else
    put_protobuf (&descriptor, image);
  snprintf (name, sizeof name, "%u.desc", number);
  tt_pi_put64 (length, descriptor.len);
  if (!descriptor.failed)
    write_image_file (name, length, tt_recorder.format == TT_RECORD_DOC ? 0 : 8, descriptor.bytes, descriptor.len);
  free (descriptor.bytes);
}

static uint32_t
find_number (const Image *image)
{
  for (uint32_t i = 0; i < n_seen; i++)
    if (seen[i] == image)
      return i;
  if (n_seen == max_seen)
    {
      const Image **larger = realloc (seen, (max_seen * 2 + 16) * sizeof *larger);
      if (larger == NULL)
        return UINT32_MAX;
      seen = larger;
      max_seen = max_seen * 2 + 16;
    }
  write_image (image, n_seen);
  seen[n_seen] = image;
  return n_seen++;
}

void
tt_record_images (void *const *images, uint32_t n, uint32_t *numbers)
{
  pthread_mutex_lock (&lock);
  for (uint32_t i = 0; images != NULL && i < n; i++)
    {
      const Image *image = images[i];
      /* Other kinds and versions have other layouts. */
      bool is_known = image != NULL && image->kind == KIND_SYCL && image->version == VERSION;
      uint32_t number = is_known ? find_number (image) : UINT32_MAX;
      if (numbers != NULL)
        numbers[i] = number;
    }
  pthread_mutex_unlock (&lock);
}

void
tt_record_images_after_fork (void)
{
  pthread_mutex_init (&lock, NULL);
  n_seen = 0;
}
