/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/limits.h"

#include <glib/gstdio.h>
#include <sys/resource.h>

#include "src/base/sanitizers.h"

#define MIB ((guint64) 1 << 20)

/* babeltrace2 takes 104 bytes for an element of a sequence, which may be a byte of the trace. */
#define MEMORY_PER_BYTE 128u
/* Of that no more than this, for sequences end with their packet. */
#define MAX_EVENT_MEMORY (512 * MIB)
/* Its index of packets has less than 128 bytes for each, and tracers write pages of 4 KiB. */
#define BYTES_PER_INDEX_BYTE 16u
#define BASE_MEMORY (64 * MIB)
#define STREAM_MEMORY (1 * MIB)
/* Libraries; windows of 8 MiB on each stream, of which there may be two. */
#define BASE_MAPPED (512 * MIB)
#define STREAM_MAPPED (16 * MIB)
/* It reads 20 MB and more in a second. */
#define BASE_SECONDS 10u
#define BYTES_PER_SECOND (256u << 10)

static void
count_files (const char *path, guint64 *n, guint64 *bytes)
{
  g_autoptr (GDir) directory = g_dir_open (path, 0, NULL);
  const char *name;

  while (directory != NULL && (name = g_dir_read_name (directory)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, name, NULL);
      GStatBuf status;

      if (g_stat (file, &status) != 0)
        continue;
      *n += 1;
      *bytes += (guint64) status.st_size;
    }
}

static guint64
from_environment (const char *variable, guint64 otherwise, guint64 unit)
{
  const char *text = g_getenv (variable);
  guint64 value;

  return text != NULL && g_ascii_string_to_unsigned (text, 10, 1, G_MAXUINT32, &value, NULL) ? value * unit : otherwise;
}

TtCtfLimits
tt_ctf_limits_of (const char *path)
{
  TtCtfLimits self = { 0 };
  guint64 n = 0;

  count_files (path, &n, &self.bytes);
  guint64 events = MIN (self.bytes, MAX_EVENT_MEMORY / MEMORY_PER_BYTE) * MEMORY_PER_BYTE;
  self.memory = from_environment (TT_CTF_MEMORY_VARIABLE,
                                  BASE_MEMORY + n * STREAM_MEMORY + events + self.bytes / BYTES_PER_INDEX_BYTE, MIB);
  self.mapped = self.memory + BASE_MAPPED + n * STREAM_MAPPED;
  self.seconds = from_environment (TT_CTF_SECONDS_VARIABLE, BASE_SECONDS + self.bytes / BYTES_PER_SECOND, 1);
  return self;
}

void
tt_ctf_limits_set (const TtCtfLimits *self)
{
#if !TT_HAS_SANITIZER
  const struct rlimit memory = { self->memory, self->memory }, mapped = { self->mapped, self->mapped };
  const struct rlimit time = { self->seconds, self->seconds + 5 };

  /* One that is lower already stays. */
  setrlimit (RLIMIT_DATA, &memory);
  setrlimit (RLIMIT_AS, &mapped);
  setrlimit (RLIMIT_CPU, &time);
#endif
}
