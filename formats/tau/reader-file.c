/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau/reader-file.h"

#include "formats/tau/detect.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void
complain (const char *path, const char *reason)
{
  fprintf (stderr, "libtracetool-tau: %s: %s\n", path, reason);
}

/* A FIFO must not block, and nothing but a file has positions. */
int
tt_tau_reader_open_file (const char *path)
{
  struct stat status;
  int file = path == NULL ? -1 : open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

  if (file < 0 || fstat (file, &status) != 0)
    complain (path == NULL ? "(no name)" : path, path == NULL ? "no file" : strerror (errno));
  else if (!S_ISREG (status.st_mode))
    complain (path, "not a regular file");
  else
    return file;
  if (file >= 0)
    close (file);
  return -1;
}

ssize_t
tt_tau_reader_read_at (int file, uint8_t *bytes, size_t len, uint64_t offset)
{
  size_t n = 0;

  if (offset > (uint64_t) INT64_MAX - len)
    return 0;
  while (n < len)
    {
      ssize_t got = pread (file, bytes + n, len - n, (off_t) (offset + n));
      if (got < 0 && errno == EINTR)
        continue;
      if (got < 0)
        return -1;
      if (got == 0)
        break;
      n += (size_t) got;
    }
  return (ssize_t) n;
}

uint64_t
tt_tau_reader_size (const TtTauReader *self)
{
  struct stat status;

  return fstat (self->file, &status) == 0 && status.st_size > 0 ? (uint64_t) status.st_size : 0;
}

static TtTauKind
find_kind (int64_t id, void *data)
{
  switch (tt_tau_definitions_find (data, id))
    {
    case TT_TAU_DO_UNKNOWN:
      return TT_TAU_NOT_DEFINED;
    case TT_TAU_DO_INIT:
      return TT_TAU_INIT;
    default:
      return TT_TAU_OTHER;
    }
}

void
tt_tau_reader_find_layout (TtTauReader *self)
{
  ssize_t n = tt_tau_reader_read_at (self->file, self->block, TT_TAU_READER_BLOCK, 0);
  bool has_magic;

  self->n_block = 0;
  if (self->is_layout_known || n < (ssize_t) TT_TAU_MIN_RECORD)
    return;
  self->is_layout_known = true;
  if (tt_tau_count_magic (self->block, (size_t) n, &self->layout) == 1)
    return;

  TtTauDefinitions definitions = { 0 };
  bool is_read = tt_tau_definitions_read (&definitions, self->edf, NULL);
  const TtTauHead head = { self->block, (size_t) n, tt_tau_reader_size (self) };
  if (!is_read || !tt_tau_detect (&head, find_kind, &definitions, &self->layout, &has_magic))
    {
      self->layout = TT_TAU_24NATIVE;
      complain (self->edf, "the trace's layout is not known; it is read as this machine's");
    }
  tt_tau_definitions_clear (&definitions);
}
