/* SPDX-License-Identifier: Apache-2.0 */
#include "src/gpu/record/record.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* What CUDA's compilers put around several forms of a module; as cuobjdump shows it, and as public decoders read it. */
#define FATBIN_MAGIC 0xba55ed50u
#define WRAPPER_MAGIC 0x466243b1u
#define KIND_PTX 1u
#define FLAG_LZ4 0x2000u
#define FLAG_ZSTD 0x8000u
#define MOST_TEXT ((uint64_t) 64 << 20)

static uint64_t
number_at (const uint8_t *bytes, size_t at, unsigned n)
{
  uint64_t value = 0;

  for (unsigned i = 0; i < n; i++)
    value |= (uint64_t) bytes[at + i] << 8 * i;
  return value;
}

static char *
copy_text (const uint8_t *bytes, uint64_t n)
{
  char *text = n > MOST_TEXT ? NULL : malloc (n + 1);

  if (text == NULL)
    return NULL;
  memcpy (text, bytes, n);
  text[n] = '\0';
  return text;
}

/* -- LZ4 blocks --------------------------------------------------------------------------------------- */

typedef struct
{
  const uint8_t *from;
  uint64_t n, at;
  char *to;
  uint64_t most, len;
} Unpacking;

static int
read_length (Unpacking *self, uint64_t *length)
{
  uint8_t more = 255;

  while (*length >= 15 && more == 255)
    {
      if (self->at >= self->n)
        return 0;
      more = self->from[self->at++];
      *length += more;
    }
  return 1;
}

static int
copy_literals (Unpacking *self, uint64_t n)
{
  if (n > self->n - self->at || n > self->most - self->len)
    return 0;
  memcpy (self->to + self->len, self->from + self->at, n);
  self->at += n;
  self->len += n;
  return 1;
}

static int
copy_match (Unpacking *self, uint64_t n)
{
  if (self->n - self->at < 2)
    return 0;
  uint64_t back = number_at (self->from, self->at, 2);
  self->at += 2;
  if (!read_length (self, &n))
    return 0;
  n += 4;
  if (back == 0 || back > self->len || n > self->most - self->len)
    return 0;
  for (uint64_t i = 0; i < n; i++, self->len++)
    self->to[self->len] = self->to[self->len - back];
  return 1;
}

static char *
unpack (const uint8_t *bytes, uint64_t n, uint64_t most)
{
  Unpacking self = { .from = bytes, .n = n, .most = most, .to = most > MOST_TEXT ? NULL : malloc (most + 1) };
  int ok = self.to != NULL;

  while (ok && self.at < n && self.len < most)
    {
      uint8_t token = bytes[self.at++];
      uint64_t literals = token >> 4;

      ok = read_length (&self, &literals) && copy_literals (&self, literals);
      if (ok && self.at < n && self.len < most)
        ok = copy_match (&self, token & 15);
    }
  if (!ok || self.len != most)
    {
      free (self.to);
      return NULL;
    }
  self.to[most] = '\0';
  return self.to;
}

/* -- zstd ---------------------------------------------------------------------------------------------- */

typedef struct
{
  size_t (*decompress) (void *to, size_t most, const void *from, size_t n);
  unsigned (*is_error) (size_t code);
} Zstd;

/* Looked for when it is needed: a program that has its own keeps it, and most need none. NULL: it is not here. */
static const Zstd *
find_zstd (void)
{
  static Zstd self;
  void *library = self.is_error != NULL ? NULL : dlopen ("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);

  if (library != NULL)
    {
      *(void **) &self.decompress = tt_record_real_dlsym (library, "ZSTD_decompress");
      *(void **) &self.is_error = tt_record_real_dlsym (library, "ZSTD_isError");
    }
  return self.decompress != NULL && self.is_error != NULL ? &self : NULL;
}

static char *
unpack_zstd (const uint8_t *bytes, uint64_t n, uint64_t most, const char **why)
{
  const Zstd *zstd = find_zstd ();
  char *text = zstd == NULL || most > MOST_TEXT ? NULL : malloc (most + 1);

  if (zstd == NULL)
    *why = "its PTX is compressed with zstd, and libzstd.so.1 is not here: compile with --compress-mode=none";
  if (text == NULL)
    return NULL;
  size_t len = zstd->decompress (text, most, bytes, n);
  if (zstd->is_error (len) || len != most)
    {
      free (text);
      return NULL;
    }
  text[most] = '\0';
  return text;
}

/* -- fat binaries -------------------------------------------------------------------------------------- */

/* Of the text for the newest machine. */
static char *
take_entry (const uint8_t *entry, uint64_t head, const char **why)
{
  uint64_t size = number_at (entry, 8, 8), packed = number_at (entry, 16, 4), flags = number_at (entry, 40, 8);
  char *text;

  uint64_t whole = number_at (entry, 56, 8);

  if ((flags & (FLAG_LZ4 | FLAG_ZSTD)) == 0)
    return copy_text (entry + head, size);
  *why = "its PTX is compressed in a way that is not known: compile with --no-compress";
  if (packed > size)
    return NULL;
  text = flags & FLAG_ZSTD ? unpack_zstd (entry + head, packed, whole, why) : unpack (entry + head, packed, whole);
  return text;
}

static char *
read_fat_binary (const uint8_t *bytes, size_t n, const char **why)
{
  uint64_t head = number_at (bytes, 6, 2), left = number_at (bytes, 8, 8), arch = 0, best_head = 0;
  const uint8_t *best = NULL;

  if (head > n || left > n - head)
    {
      *why = "it is a fat binary that is cut";
      return NULL;
    }
  for (const uint8_t *entry = bytes + head; left >= 64;)
    {
      uint64_t entry_head = number_at (entry, 4, 4), payload = number_at (entry, 8, 8);

      if (entry_head < 64 || entry_head > left || payload > left - entry_head)
        {
          *why = "it is a fat binary of a form that is not known";
          return NULL;
        }
      if (number_at (entry, 0, 2) == KIND_PTX && number_at (entry, 28, 4) >= arch)
        {
          best = entry;
          best_head = entry_head;
          arch = number_at (entry, 28, 4);
        }
      entry += entry_head + payload;
      left -= entry_head + payload;
    }
  if (best != NULL)
    return take_entry (best, best_head, why);
  *why = "it has no PTX (compile with -gencode arch=compute_NN,code=compute_NN)";
  return NULL;
}

char *
tt_record_image_text (const void *image, size_t n, const char **why)
{
  const uint8_t *bytes = image;

  /* Its pointer means something in memory alone. */
  if (number_at (bytes, 0, 4) == WRAPPER_MAGIC && n == TT_RECORD_ANY_SIZE)
    memcpy (&bytes, bytes + 8, sizeof bytes);
  if (bytes != NULL && number_at (bytes, 0, 4) == FATBIN_MAGIC)
    return read_fat_binary (bytes, n, why);
  if (bytes != image)
    {
      *why = "it is a fat binary of a form that is not known";
      return NULL;
    }
  if (memcmp (bytes, "\177ELF", 4) == 0)
    {
      *why = "it is machine code, without PTX";
      return NULL;
    }
  if (bytes[0] != '/' && bytes[0] != '.' && bytes[0] != '\n' && bytes[0] != ' ' && bytes[0] != '\t' && bytes[0] != '\r')
    {
      *why = "it is of a form that is not known";
      return NULL;
    }
  return copy_text (bytes, strlen (image));
}
