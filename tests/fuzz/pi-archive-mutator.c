/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mutations that keep a packed PI trace what it is (formats/pi/archive/archive.h): entries appear twice, go, change
 * places or get another name, and what is in them changes before it is packed. A fuzzer that changes bytes hardly ever
 * gets another frame that unpacks. A fourth of the mutations are of bytes all the same.
 *
 * For targets that name this file under "Links:".
 */
#include "config.h"

#include <glib.h>

#include <string.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#define MAX_ENTRIES 64u
#define MAX_CONTENTS ((size_t) 1 << 16)

size_t LLVMFuzzerMutate (guint8 *bytes, size_t len, size_t max);
size_t LLVMFuzzerCustomMutator (guint8 *bytes, size_t len, size_t max, unsigned seed);

#ifdef HAVE_ZSTD

typedef struct
{
  guint8 kind;
  const guint8 *name, *packed; /* in the input, or in `own` */
  guint64 name_len, packed_len;
  guint8 *own;
} Entry;

typedef struct
{
  Entry entry[MAX_ENTRIES];
  guint n;
} Archive;

static gboolean
read_u64 (const guint8 **at, const guint8 *end, guint64 *value)
{
  if ((size_t) (end - *at) < sizeof *value)
    return FALSE;
  memcpy (value, *at, sizeof *value);
  *value = GUINT64_FROM_LE (*value);
  *at += sizeof *value;
  return *value <= (size_t) (end - *at);
}

static gboolean
read_entry (Entry *entry, const guint8 **at, const guint8 *end)
{
  *entry = (Entry){ .kind = *(*at)++ };
  if (!read_u64 (at, end, &entry->name_len))
    return FALSE;
  entry->name = *at;
  *at += entry->name_len;
  if (entry->kind == 0)
    return TRUE;
  if (!read_u64 (at, end, &entry->packed_len))
    return FALSE;
  entry->packed = *at;
  *at += entry->packed_len;
  return TRUE;
}

static void
read_archive (Archive *archive, const guint8 *bytes, size_t len)
{
  const guint8 *at = bytes + 1, *end = bytes + len;

  archive->n = 0;
  while (archive->n < MAX_ENTRIES - 1 && at < end && read_entry (&archive->entry[archive->n], &at, end))
    archive->n++;
}

static void
append_u64 (GByteArray *out, guint64 value)
{
  value = GUINT64_TO_LE (value);
  g_byte_array_append (out, (const guint8 *) &value, sizeof value);
}

static GByteArray *
write_archive (const Archive *archive, guint8 version)
{
  GByteArray *out = g_byte_array_new ();

  g_byte_array_append (out, &version, 1);
  for (guint i = 0; i < archive->n; i++)
    {
      const Entry *entry = &archive->entry[i];

      g_byte_array_append (out, &entry->kind, 1);
      append_u64 (out, entry->name_len);
      g_byte_array_append (out, entry->name, (guint) entry->name_len);
      if (entry->kind == 0)
        continue;
      append_u64 (out, entry->packed_len);
      g_byte_array_append (out, entry->packed, (guint) entry->packed_len);
    }
  return out;
}

static void
pack (Entry *entry, const guint8 *bytes, size_t len)
{
  size_t room = ZSTD_compressBound (len);

  g_free (entry->own);
  entry->own = g_malloc (room);
  size_t n = ZSTD_compress (entry->own, room, bytes, len, 1);
  entry->packed = entry->own;
  entry->packed_len = ZSTD_isError (n) ? 0 : n;
}

/* What cannot be unpacked is empty. */
static void
change_contents (Entry *entry)
{
  unsigned long long size = ZSTD_getFrameContentSize (entry->packed, entry->packed_len);

  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > MAX_CONTENTS)
    size = 0;
  size_t room = (size_t) size + 256;
  g_autofree guint8 *bytes = g_malloc0 (room);
  size_t n = ZSTD_decompress (bytes, room, entry->packed, entry->packed_len);
  pack (entry, bytes, LLVMFuzzerMutate (bytes, ZSTD_isError (n) ? 0 : n, room));
}

/* A name that a reader looks for. */
static void
rename_entry (Entry *entry, GRand *random)
{
  static const char *const names[] = {
    "main.pi_trace", "1.pi_trace", "main.trace",       "trace.data", "main.ttpi",
    "0.desc",        "1.desc",     "0_spir64_gen.spv", "buffers/",   "replay_config.json",
    "env",           "graph.json", "sycl.graph_trace", "buffers/0",  "files_config.json",
  };
  const char *name = names[g_rand_int_range (random, 0, G_N_ELEMENTS (names))];

  entry->name = (const guint8 *) name;
  entry->name_len = strlen (name);
}

/* @one comes once more, after @other. */
static void
repeat_entry (Archive *archive, guint one, guint other)
{
  Entry copy = archive->entry[one];

  copy.own = NULL;
  memmove (&archive->entry[other + 1], &archive->entry[other], (archive->n - other) * sizeof copy);
  archive->entry[other] = copy;
  archive->n++;
}

static void
change_archive (Archive *archive, GRand *random)
{
  guint one = (guint) g_rand_int_range (random, 0, (gint32) archive->n);
  guint other = (guint) g_rand_int_range (random, 0, (gint32) archive->n);
  Entry *entry = &archive->entry[one], kept = *entry;

  switch (g_rand_int_range (random, 0, 8))
    {
    case 0:
      repeat_entry (archive, one, other);
      break;
    case 1:
      memmove (entry, entry + 1, (--archive->n - one) * sizeof *entry);
      break;
    case 2:
      *entry = archive->entry[other];
      archive->entry[other] = kept;
      break;
    case 3:
      rename_entry (entry, random);
      break;
    default:
      if (entry->kind != 0)
        change_contents (entry);
      else
        rename_entry (entry, random);
      break;
    }
}

size_t
LLVMFuzzerCustomMutator (guint8 *bytes, size_t len, size_t max, unsigned seed)
{
  static Archive archive;
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);

  if (len == 0 || g_rand_int_range (random, 0, 4) == 0)
    return LLVMFuzzerMutate (bytes, len, max);
  read_archive (&archive, bytes, len);
  if (archive.n == 0)
    return LLVMFuzzerMutate (bytes, len, max);
  change_archive (&archive, random);
  g_autoptr (GByteArray) out = write_archive (&archive, bytes[0]);
  for (guint i = 0; i < archive.n; i++)
    g_clear_pointer (&archive.entry[i].own, g_free);
  if (out->len > max)
    return LLVMFuzzerMutate (bytes, len, max);
  memcpy (bytes, out->data, out->len);
  return out->len;
}

#else

size_t
LLVMFuzzerCustomMutator (guint8 *bytes, size_t len, size_t max, unsigned seed)
{
  return LLVMFuzzerMutate (bytes, len, max);
}

#endif
