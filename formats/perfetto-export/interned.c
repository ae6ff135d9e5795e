/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/perfetto-export/interned.h"

#include <xxhash.h>

#define IID 1
#define TEXT 2

/* Nobody has so many keys or categories but a file made to fill memory. */
#define MAX_TEXTS 8192u
#define MAX_TEXT_LEN 512u

#define N_VALUES 4096u
#define MAX_VALUE_LEN 51u

/* A text of few bytes costs no more than its number. */
#define MIN_VALUE_LEN 4u

typedef struct _PerfettoValue
{
  guint64 iid; /* 0: seen once */
  guint32 len; /* 0: free */
  char text[MAX_VALUE_LEN + 1];
} Value;

void
tt_perfetto_interned_init (PerfettoInterned *self)
{
  *self = (PerfettoInterned){
    .categories = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
    .keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
    .values = g_new0 (Value, N_VALUES),
    .is_named = g_byte_array_new (),
  };
}

void
tt_perfetto_interned_clear (PerfettoInterned *self)
{
  g_clear_pointer (&self->categories, g_hash_table_unref);
  g_clear_pointer (&self->keys, g_hash_table_unref);
  g_clear_pointer (&self->values, g_free);
  g_clear_pointer (&self->is_named, g_byte_array_unref);
  g_clear_pointer (&self->pending.bytes, g_free);
  self->pending.len = self->pending.size = 0;
}

static void
add_pending (PerfettoInterned *self, guint field, guint64 iid, const char *text, gsize len)
{
  gsize begin = tt_wire_open (&self->pending, field);

  tt_wire_add_varint (&self->pending, IID, iid);
  tt_wire_add_text (&self->pending, TEXT, text, len);
  tt_wire_close (&self->pending, begin);
}

/* @text must end with NUL. */
static guint64
intern (PerfettoInterned *self, GHashTable *texts, guint field, const char *text, gsize len)
{
  guint64 iid = GPOINTER_TO_SIZE (g_hash_table_lookup (texts, text));

  if (iid == 0 && len <= MAX_TEXT_LEN && g_hash_table_size (texts) < MAX_TEXTS)
    {
      iid = g_hash_table_size (texts) + 1;
      g_hash_table_insert (texts, g_strndup (text, len), GSIZE_TO_POINTER (iid));
      add_pending (self, field, iid, text, len);
    }
  return iid;
}

guint64
tt_perfetto_intern_category (PerfettoInterned *self, const char *text)
{
  return intern (self, self->categories, INTERNED_CATEGORY, text, strlen (text));
}

guint64
tt_perfetto_intern_key (PerfettoInterned *self, const char *text, gsize len)
{
  char key[MAX_TEXT_LEN + 1];

  if (len > MAX_TEXT_LEN || memchr (text, '\0', len) != NULL)
    return 0;
  memcpy (key, text, len);
  key[len] = '\0';
  return intern (self, self->keys, INTERNED_KEY, key, len);
}

static guint64
next_value (PerfettoInterned *self)
{
  return ++self->n_values * 2;
}

guint64
tt_perfetto_intern_value (PerfettoInterned *self, const char *text, gsize len)
{
  if (len < MIN_VALUE_LEN || len > MAX_VALUE_LEN)
    return 0;

  Value *value = &self->values[XXH3_64bits (text, len) % N_VALUES];
  if (value->len != len || memcmp (value->text, text, len) != 0)
    {
      value->iid = 0;
      value->len = (guint32) len;
      memcpy (value->text, text, len);
    }
  else if (value->iid == 0)
    {
      value->iid = next_value (self);
      add_pending (self, INTERNED_VALUE, value->iid, text, len);
    }
  return value->iid;
}

guint64
tt_perfetto_intern_new_value (PerfettoInterned *self, const char *text)
{
  guint64 iid = next_value (self);

  add_pending (self, INTERNED_VALUE, iid, text, strlen (text));
  return iid;
}

/* Values of names are odd, so that they never meet those that are counted. */
static guint64
name_iid (guint32 id, PerfettoNameText which)
{
  if (which == PERFETTO_EVENT_NAME)
    return (guint64) id + 1;
  return (guint64) id << 2 | (which == PERFETTO_RAW_VALUE ? 2 : 0) | 1;
}

guint64
tt_perfetto_intern_name (PerfettoInterned *self, guint32 id, PerfettoNameText which, const char *text)
{
  guint64 bit = (guint64) id * PERFETTO_N_NAME_TEXTS + which;
  guint64 iid = name_iid (id, which);
  guint old_len = self->is_named->len;

  if (bit / 8 >= old_len)
    {
      g_byte_array_set_size (self->is_named, (guint) (bit / 8 * 3 / 2 + 1024));
      memset (self->is_named->data + old_len, 0, self->is_named->len - old_len);
    }
  guint8 *bits = &self->is_named->data[bit / 8], mask = (guint8) (1u << bit % 8);
  if ((*bits & mask) == 0)
    {
      *bits |= mask;
      add_pending (self, which == PERFETTO_EVENT_NAME ? INTERNED_EVENT_NAME : INTERNED_VALUE, iid, text, strlen (text));
    }
  return iid;
}
