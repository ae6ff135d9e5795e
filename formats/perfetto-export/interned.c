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
    .sent_categories = g_byte_array_new (),
    .sent_names = g_byte_array_new (),
    .sent_values = g_byte_array_new (),
    .keeps_values = TRUE,
    .values = g_new0 (Value, N_VALUES),
  };
}

void
tt_perfetto_interned_clear (PerfettoInterned *self)
{
  g_clear_pointer (&self->categories, g_hash_table_unref);
  g_clear_pointer (&self->keys, g_hash_table_unref);
  g_clear_pointer (&self->values, g_free);
  g_clear_pointer (&self->sent_categories, g_byte_array_unref);
  g_clear_pointer (&self->sent_names, g_byte_array_unref);
  g_clear_pointer (&self->sent_values, g_byte_array_unref);
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

/* Sets bit @at; TRUE: it was not set before. */
static inline gboolean
set_bit (GByteArray *bits, guint64 at)
{
  guint old_len = bits->len;
  guint8 mask = (guint8) (1u << at % 8);

  if (G_UNLIKELY (at / 8 >= old_len))
    {
      g_byte_array_set_size (bits, (guint) (at / 8 * 3 / 2 + 1024));
      memset (bits->data + old_len, 0, bits->len - old_len);
    }
  if ((bits->data[at / 8] & mask) != 0)
    return FALSE;
  bits->data[at / 8] |= mask;
  return TRUE;
}

/* -- categories and keys ------------------------------------------------------------------------------- */

/* @text must end with NUL. 0: there is no room for one more. */
static guint64
number_of (GHashTable *texts, const char *text, gsize len, gboolean *is_new)
{
  guint64 iid = GPOINTER_TO_SIZE (g_hash_table_lookup (texts, text));

  *is_new = iid == 0 && len <= MAX_TEXT_LEN && g_hash_table_size (texts) < MAX_TEXTS;
  if (*is_new)
    {
      iid = g_hash_table_size (texts) + 1;
      g_hash_table_insert (texts, g_strndup (text, len), GSIZE_TO_POINTER (iid));
    }
  return iid;
}

guint64
tt_perfetto_reserve_category (PerfettoInterned *self, const char *text)
{
  gboolean is_new;

  return number_of (self->categories, text, strlen (text), &is_new);
}

guint64
tt_perfetto_intern_category (PerfettoInterned *self, const char *text)
{
  guint64 iid = tt_perfetto_reserve_category (self, text);

  if (iid != 0 && set_bit (self->sent_categories, iid))
    add_pending (self, INTERNED_CATEGORY, iid, text, strlen (text));
  return iid;
}

guint64
tt_perfetto_intern_key (PerfettoInterned *self, const char *text, gsize len)
{
  char key[MAX_TEXT_LEN + 1];
  gboolean is_new;

  if (len > MAX_TEXT_LEN || memchr (text, '\0', len) != NULL)
    return 0;
  memcpy (key, text, len);
  key[len] = '\0';
  guint64 iid = number_of (self->keys, key, len, &is_new);
  if (is_new)
    add_pending (self, INTERNED_KEY, iid, key, len);
  return iid;
}

/* -- values -------------------------------------------------------------------------------------------- */

/* Those of names are odd. */
guint64
tt_perfetto_reserve_value (PerfettoInterned *self)
{
  return ++self->n_values * 2;
}

gboolean
tt_perfetto_must_send (PerfettoInterned *self, guint64 value)
{
  return set_bit (self->sent_values, value / 2);
}

void
tt_perfetto_send_value (PerfettoInterned *self, guint64 value, const char *text)
{
  add_pending (self, INTERNED_VALUE, value, text, strlen (text));
}

guint64
tt_perfetto_intern_value (PerfettoInterned *self, const char *text, gsize len)
{
  if (len < MIN_VALUE_LEN || len > MAX_VALUE_LEN || !self->keeps_values)
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
      value->iid = tt_perfetto_reserve_value (self);
      add_pending (self, INTERNED_VALUE, value->iid, text, len);
    }
  return value->iid;
}

/* -- texts of names ------------------------------------------------------------------------------------ */

/* Values of names are odd, so that they never meet those that are counted. */
guint64
tt_perfetto_name_number (guint32 id, PerfettoNameText which)
{
  if (which == PERFETTO_EVENT_NAME)
    return (guint64) id + 1;
  return (guint64) id << 2 | (which == PERFETTO_RAW_VALUE ? 2 : 0) | 1;
}

guint64
tt_perfetto_intern_name (PerfettoInterned *self, guint32 id, PerfettoNameText which, const char *text)
{
  guint64 iid = tt_perfetto_name_number (id, which);

  if (set_bit (self->sent_names, (guint64) id * PERFETTO_N_NAME_TEXTS + which))
    add_pending (self, which == PERFETTO_EVENT_NAME ? INTERNED_EVENT_NAME : INTERNED_VALUE, iid, text, strlen (text));
  return iid;
}
