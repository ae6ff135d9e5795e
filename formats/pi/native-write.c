/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the native format through mapped windows of the file. Plain C11, for use inside foreign programs. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE
#endif
#include "formats/pi/native.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define WINDOW (2 * 1024 * 1024)
#define PAGE 65536u /* a multiple of every page size in use */

uint64_t
tt_pi_native_file_limit (void)
{
  struct rlimit limit;

  return getrlimit (RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ? UINT64_MAX : limit.rlim_cur;
}

/* Room on the disk is taken before it is mapped: a full disk is an error here, not a bus error later. */
static bool
map_window (TtPiNativeWriter *self, int fd, size_t size)
{
  uint64_t at = self->offset + self->used, offset = at - at % PAGE;
  uint64_t limit = tt_pi_native_file_limit ();
  size_t before = (size_t) (at - offset), want = WINDOW;

  while (want < before + size)
    want += WINDOW;
  size_t room = limit > offset && limit - offset < want ? (size_t) (limit - offset) : want;
  if (limit <= at)
    {
      self->error = EFBIG;
      return false;
    }
  self->error = posix_fallocate (fd, (off_t) offset, (off_t) room);
  if (self->error != 0)
    return false;

  /* Beyond the limit there is memory without a file, for a record that turns out not to fit. */
  void *window = room == want ? NULL : mmap (NULL, want, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (window != MAP_FAILED)
    window =
        mmap (window, room, PROT_READ | PROT_WRITE, MAP_SHARED | (room == want ? 0 : MAP_FIXED), fd, (off_t) offset);
  if (window == MAP_FAILED)
    {
      self->error = errno;
      return false;
    }
  if (self->window != NULL)
    munmap (self->window, self->window_size);
  self->window = window;
  self->window_size = want;
  self->room = room;
  self->offset = offset;
  self->used = before;
  return true;
}

bool
tt_pi_native_open (TtPiNativeWriter *self, const char *path, const TtPiNativeHeader *header)
{
  int fd = open (path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

  *self = (TtPiNativeWriter){ .path = path };
  if (fd < 0)
    {
      self->error = errno;
      return false;
    }
  bool mapped = map_window (self, fd, TT_PI_NATIVE_HEADER);
  close (fd);
  if (!mapped)
    return false;

  uint8_t *at = self->window;
  tt_pi_put32 (at + 8, TT_PI_NATIVE_VERSION);
  tt_pi_put32 (at + 12, TT_PI_NATIVE_HEADER);
  tt_pi_put64 (at + 16, header->zero_monotonic_ns);
  tt_pi_put64 (at + 24, header->zero_wall_ns);
  tt_pi_put32 (at + 32, header->pid);
  tt_pi_put32 (at + 36, header->tid);
  memcpy (at + 40, header->task, 16);
  memcpy (at, TT_PI_NATIVE_MAGIC, 8);
  self->used = TT_PI_NATIVE_HEADER;
  return true;
}

static bool
grow_file (TtPiNativeWriter *self, size_t size)
{
  int fd = open (self->path, O_RDWR | O_CLOEXEC);

  if (fd < 0)
    {
      self->error = errno;
      return false;
    }
  bool mapped = map_window (self, fd, size);
  close (fd);
  return mapped;
}

uint8_t *
tt_pi_native_reserve (TtPiNativeWriter *self, size_t size)
{
  if (self->error != 0 || self->window == NULL)
    return NULL;
  if (self->window_size - self->used < size && !grow_file (self, size))
    return NULL;
  return self->window + self->used;
}

void
tt_pi_native_commit (TtPiNativeWriter *self, uint16_t kind, uint16_t n, size_t size)
{
  uint8_t *at = self->window + self->used;
  size_t whole = TT_PI_NATIVE_PAD (size);

  if (self->used + whole > self->room)
    {
      self->error = EFBIG;
      return;
    }
  tt_pi_put16 (at + 4, kind);
  tt_pi_put16 (at + 6, n);
  /* After everything else, and in one piece: whoever sees the size sees the record. */
  uint8_t bytes[4];
  uint32_t word;
  tt_pi_put32 (bytes, (uint32_t) whole);
  memcpy (&word, bytes, sizeof word);
  __atomic_store_n ((uint32_t *) (void *) at, word, __ATOMIC_RELEASE);
  self->used += whole;
}

void
tt_pi_native_write_name (TtPiNativeWriter *self, const TtPiNativeName *name)
{
  size_t size = 24 + (size_t) name->n_params + name->name_len;
  uint8_t *at = tt_pi_native_reserve (self, TT_PI_NATIVE_PAD (size));

  if (at == NULL)
    return;
  tt_pi_put32 (at + 8, name->index);
  tt_pi_put32 (at + 12, name->id);
  at[16] = name->api;
  at[17] = name->n_params;
  tt_pi_put16 (at + 18, name->name_len);
  at[20] = name->major;
  at[21] = name->minor;
  tt_pi_put16 (at + 22, name->release);
  if (name->n_params > 0)
    memcpy (at + 24, name->sizes, name->n_params);
  memcpy (at + 24 + name->n_params, name->name, name->name_len);
  tt_pi_native_commit (self, TT_PI_NATIVE_NAME, 0, size);
}

void
tt_pi_native_write_lost (TtPiNativeWriter *self, uint64_t lost)
{
  uint8_t *at = tt_pi_native_reserve (self, 16);

  if (at == NULL)
    return;
  tt_pi_put64 (at + 8, lost);
  tt_pi_native_commit (self, TT_PI_NATIVE_LOST, 0, 16);
}

void
tt_pi_native_write_times (TtPiNativeWriter *self, const TtPiNativeTimes *times)
{
  uint8_t *at = tt_pi_native_reserve (self, 56);

  if (at == NULL)
    return;
  tt_pi_put64 (at + 8, times->instance);
  tt_pi_put32 (at + 16, times->which);
  tt_pi_put32 (at + 20, (uint32_t) times->result);
  for (unsigned i = 0; i < 4; i++)
    tt_pi_put64 (at + 24 + 8 * i, times->times[i]);
  tt_pi_native_commit (self, TT_PI_NATIVE_TIMES, times->of, 56);
}

void
tt_pi_native_close (TtPiNativeWriter *self, bool cut)
{
  if (self->window == NULL)
    return;
  munmap (self->window, self->window_size);
  self->window = NULL;
  if (!cut)
    return;

  /* When it cannot be cut the room stays: a reader stops at the first record of size 0. */
  if (truncate (self->path, (off_t) (self->offset + self->used)) != 0)
    self->error = errno;
}
