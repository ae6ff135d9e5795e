/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/ids.h"

#include "src/base/int128.h"

#include <string.h>
#include <xxhash.h>

#define FIRST_SLOTS 1024u

typedef struct
{
  guint64 hash, salt;
  gsize text; /* in `text`: a, then b */
  guint32 a_len, b_len;
  guint32 id; /* 0 = free */
} Entry;

/* A key of two slices of at most 8 bytes, as those of most processes, threads and short names: all of it. */
typedef struct
{
  guint64 a, b, salt;
  guint32 id; /* 0 = free */
  guint8 a_len, b_len;
} Short;

struct _TtByteIds
{
  Entry *entries;
  guint n_slots, n; /* n_slots: a power of two */
  Short *shorts;
  guint n_short_slots, n_short; /* likewise */
  GString *text;
  gsize most_bytes;
  guint64 seed; /* so that nobody can make keys that collide */
};

TtByteIds *
tt_byte_ids_new (gsize most_bytes)
{
  TtByteIds *self = g_new0 (TtByteIds, 1);

  self->n_slots = FIRST_SLOTS;
  self->entries = g_new0 (Entry, self->n_slots);
  self->n_short_slots = FIRST_SLOTS;
  self->shorts = g_new0 (Short, self->n_short_slots);
  self->text = g_string_new (NULL);
  self->most_bytes = most_bytes;
  self->seed = (guint64) g_random_int () << 32 | g_random_int ();
  return self;
}

void
tt_byte_ids_free (TtByteIds *self)
{
  if (self == NULL)
    return;
  g_free (self->entries);
  g_free (self->shorts);
  g_string_free (self->text, TRUE);
  g_free (self);
}

static inline guint64
hash_of (const TtByteIds *self, const TtByteKey *key)
{
  guint64 hash = XXH3_64bits_withSeed (key->a.bytes, key->a.len, self->seed ^ key->salt);

  if (key->b.len > 0)
    hash ^= XXH3_64bits_withSeed (key->b.bytes, key->b.len, ~self->seed) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return hash;
}

static inline gboolean
is_equal (const TtByteIds *self, const Entry *entry, const TtByteKey *key, guint64 hash)
{
  const char *text = self->text->str + entry->text;

  return entry->hash == hash && entry->salt == key->salt && entry->a_len == key->a.len && entry->b_len == key->b.len &&
         (key->a.len == 0 || memcmp (text, key->a.bytes, key->a.len) == 0) &&
         (key->b.len == 0 || memcmp (text + key->a.len, key->b.bytes, key->b.len) == 0);
}

static inline Entry *
find_entry (const TtByteIds *self, const TtByteKey *key, guint64 hash)
{
  guint slot = (guint) hash & (self->n_slots - 1);

  while (self->entries[slot].id != 0 && !is_equal (self, &self->entries[slot], key, hash))
    slot = (slot + 1) & (self->n_slots - 1);
  return &self->entries[slot];
}

/* -- short keys ----------------------------------------------------------------------------------- */

static inline gboolean
is_short (const TtByteKey *key)
{
  return key->a.len <= 8 && key->b.len <= 8;
}

static inline Short
make_short (const TtByteKey *key)
{
  return (Short){ .a = tt_slice_word (key->a),
                  .b = tt_slice_word (key->b),
                  .salt = key->salt,
                  .a_len = (guint8) key->a.len,
                  .b_len = (guint8) key->b.len };
}

static inline guint64
fold (guint64 a, guint64 b)
{
  tt_uint128 product = (tt_uint128) a * b;

  return (guint64) product ^ (guint64) (product >> 64);
}

/* Each factor has something in it that nobody knows: one that is zero would make all keys alike. */
static inline guint64
hash_of_short (const TtByteIds *self, const Short *key)
{
  const guint64 seed = self->seed, other = seed << 32 | seed >> 32;
  guint64 rest = key->salt ^ (guint64) (key->a_len << 4 | key->b_len) << 48;

  return fold (fold (key->a ^ seed, key->b ^ ~other) ^ seed, rest ^ other);
}

static inline Short *
find_short (const TtByteIds *self, const Short *key, guint64 hash)
{
  guint slot = (guint) hash & (self->n_short_slots - 1);

  for (;; slot = (slot + 1) & (self->n_short_slots - 1))
    {
      Short *entry = &self->shorts[slot];

      if (entry->id == 0 || (entry->a == key->a && entry->b == key->b && entry->salt == key->salt &&
                             entry->a_len == key->a_len && entry->b_len == key->b_len))
        return entry;
    }
}

static void
grow_shorts (TtByteIds *self)
{
  g_autofree Short *old = self->shorts;
  guint n_old = self->n_short_slots;

  self->n_short_slots *= 2;
  self->shorts = g_new0 (Short, self->n_short_slots);
  for (guint i = 0; i < n_old; i++)
    if (old[i].id != 0)
      *find_short (self, &old[i], hash_of_short (self, &old[i])) = old[i];
}

/* -- all of them ---------------------------------------------------------------------------------- */

guint32
tt_byte_ids_find (const TtByteIds *self, const TtByteKey *key, guint64 *hash)
{
  if (G_LIKELY (is_short (key)))
    {
      const Short wanted = make_short (key);

      *hash = hash_of_short (self, &wanted);
      return find_short (self, &wanted, *hash)->id;
    }
  *hash = hash_of (self, key);
  return find_entry (self, key, *hash)->id;
}

static void
grow (TtByteIds *self)
{
  g_autofree Entry *old = self->entries;
  guint n_old = self->n_slots;

  self->n_slots *= 2;
  self->entries = g_new0 (Entry, self->n_slots);
  for (guint i = 0; i < n_old; i++)
    {
      guint slot = (guint) old[i].hash & (self->n_slots - 1);

      if (old[i].id == 0)
        continue;
      while (self->entries[slot].id != 0)
        slot = (slot + 1) & (self->n_slots - 1);
      self->entries[slot] = old[i];
    }
}

static void
forget_all (TtByteIds *self)
{
  memset (self->entries, 0, self->n_slots * sizeof *self->entries);
  memset (self->shorts, 0, self->n_short_slots * sizeof *self->shorts);
  g_string_truncate (self->text, 0);
  self->n = self->n_short = 0;
}

static gsize
bytes_used (const TtByteIds *self)
{
  return self->text->len + self->n_slots * sizeof (Entry) + self->n_short_slots * sizeof (Short);
}

static void
set_short (TtByteIds *self, const TtByteKey *key, guint64 hash, guint32 id)
{
  Short wanted = make_short (key), *entry = find_short (self, &wanted, hash);

  if (entry->id != 0)
    {
      entry->id = id;
      return;
    }
  if (self->n_short + 1 > self->n_short_slots / 2)
    {
      if (self->most_bytes > 0 && bytes_used (self) * 2 > self->most_bytes)
        forget_all (self);
      else
        grow_shorts (self);
    }
  wanted.id = id;
  *find_short (self, &wanted, hash) = wanted;
  self->n_short++;
}

static void
set_long (TtByteIds *self, const TtByteKey *key, guint64 hash, guint32 id)
{
  gsize len = key->a.len + key->b.len;
  Entry *entry = find_entry (self, key, hash);

  if (entry->id != 0)
    {
      entry->id = id;
      return;
    }
  if (self->most_bytes > 0 && len > self->most_bytes / 64)
    return;
  if (self->n + 1 > self->n_slots / 2)
    {
      if (self->most_bytes > 0 && bytes_used (self) * 2 > self->most_bytes)
        forget_all (self);
      else
        grow (self);
    }
  else if (self->most_bytes > 0 && bytes_used (self) + len > self->most_bytes)
    forget_all (self);

  entry = find_entry (self, key, hash);
  *entry = (Entry){ .hash = hash,
                    .salt = key->salt,
                    .text = self->text->len,
                    .a_len = (guint32) key->a.len,
                    .b_len = (guint32) key->b.len,
                    .id = id };
  g_string_append_len (self->text, key->a.bytes, (gssize) key->a.len);
  if (key->b.len > 0)
    g_string_append_len (self->text, key->b.bytes, (gssize) key->b.len);
  self->n++;
}

void
tt_byte_ids_set (TtByteIds *self, const TtByteKey *key, guint64 hash, guint32 id)
{
  if (is_short (key))
    set_short (self, key, hash, id);
  else
    set_long (self, key, hash, id);
}
