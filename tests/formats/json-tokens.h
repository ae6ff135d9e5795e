/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON read in every way there is, as one text of tokens, so that the ways can be compared: { } [ ] as they are, k
 * and s with the text of a key or string, n with a number, t f z. Each token ends with a newline; texts are escaped.
 */
#pragma once

#include <glib.h>

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef HAVE_YAJL
#include <yajl/yajl_parse.h>
#endif

#include "formats/json/scanner-private.h"

typedef struct
{
  GString *tokens;
  char *error; /* NULL: there was none */
  TtRepairs repairs;
  guint64 offset; /* where the scanner stood at the end */
} Outcome;

static inline void
outcome_clear (Outcome *self)
{
  if (self->tokens != NULL)
    g_string_free (self->tokens, TRUE);
  g_free (self->error);
  memset (self, 0, sizeof *self);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Outcome, outcome_clear)

static inline void
add_token (GString *tokens, char kind, const char *bytes, gsize len)
{
  g_string_append_c (tokens, kind);
  for (gsize i = 0; i < len; i++)
    if (bytes[i] == '\n' || bytes[i] == '\\' || bytes[i] == 0)
      g_string_append_printf (tokens, "\\%02x", (guint) bytes[i]);
    else
      g_string_append_c (tokens, bytes[i]);
  g_string_append_c (tokens, '\n');
}

static inline void
add_text (Outcome *self, char kind, const TtJsonValue *value)
{
  GString *text = g_string_new (NULL);

  tt_json_unescape (value, text, &self->repairs);
  add_token (self->tokens, kind, text->str, text->len);
  g_string_free (text, TRUE);
}

/* A value as it lies in memory, by tt_json_member() and tt_json_item(). */
static inline void
add_value (Outcome *self, const TtJsonValue *value)
{
  TtJsonValue key, inner;
  const char *cursor = NULL;

  switch (value->kind)
    {
    case TT_JSON_OBJECT:
      add_token (self->tokens, '{', NULL, 0);
      while (tt_json_member (value->raw, &cursor, &key, &inner))
        {
          add_text (self, 'k', &key);
          add_value (self, &inner);
        }
      add_token (self->tokens, '}', NULL, 0);
      break;
    case TT_JSON_ARRAY:
      add_token (self->tokens, '[', NULL, 0);
      while (tt_json_item (value->raw, &cursor, &inner))
        add_value (self, &inner);
      add_token (self->tokens, ']', NULL, 0);
      break;
    case TT_JSON_STRING:
      add_text (self, 's', value);
      break;
    case TT_JSON_NUMBER:
      add_token (self->tokens, 'n', value->raw.bytes, value->raw.len);
      break;
    default:
      add_token (self->tokens, value->kind == TT_JSON_TRUE ? 't' : value->kind == TT_JSON_FALSE ? 'f' : 'z', NULL, 0);
    }
}

static inline gboolean
read_step (Outcome *self, TtJson *json, GByteArray *open, GError **error)
{
  TtJsonKind kind = tt_json_peek (json, error);
  TtJsonValue value;

  if (kind == TT_JSON_NONE)
    return FALSE;
  if (kind == TT_JSON_OBJECT || kind == TT_JSON_ARRAY)
    {
      const guint8 *bracket = (const guint8 *) (kind == TT_JSON_OBJECT ? "{" : "[");

      if (kind == TT_JSON_OBJECT ? !tt_json_begin_object (json, error) : !tt_json_begin_array (json, error))
        return FALSE;
      g_byte_array_append (open, bracket, 1);
      add_token (self->tokens, (char) *bracket, NULL, 0);
    }
  else
    {
      if (!tt_json_value (json, &value, error))
        return FALSE;
      g_assert_true (value.kind == kind || value.kind == TT_JSON_NULL);
      add_value (self, &value);
    }
  return TRUE;
}

/* Step by step, without recursion. */
static inline void
read_steps (Outcome *self, TtJson *json, GError **error)
{
  g_autoptr (GByteArray) open = g_byte_array_new ();
  TtJsonValue key;

  while (read_step (self, json, open, error))
    for (;;)
      {
        if (open->len == 0)
          {
            if (tt_json_peek (json, error) != TT_JSON_NONE)
              g_error ("a value behind the end");
            return;
          }

        gboolean is_object = open->data[open->len - 1] == '{';
        if (is_object ? tt_json_next_key (json, &key, error) : tt_json_next_item (json, error))
          {
            if (is_object)
              add_text (self, 'k', &key);
            break;
          }
        if (*error != NULL)
          return;
        add_token (self->tokens, is_object ? '}' : ']', NULL, 0);
        g_byte_array_set_size (open, open->len - 1);
      }
}

static inline void
read_whole (Outcome *self, TtJson *json, GError **error)
{
  TtJsonValue value;

  if (tt_json_peek (json, error) == TT_JSON_NONE || !tt_json_value (json, &value, error))
    return;
  add_value (self, &value);
  tt_json_peek (json, error);
}

static inline void
read_skip (Outcome *self, TtJson *json, GError **error)
{
  if (tt_json_peek (json, error) != TT_JSON_NONE && tt_json_skip (json, error))
    tt_json_peek (json, error);
}

/* Places of members are those that a walk over the object finds. TRUE: they are there. */
static inline gboolean
check_indexed (const TtJson *json, TtSlice object)
{
  TtJsonValue key, value, placed;
  const char *cursor = NULL;
  guint n, i = 0;
  const TtJsonMemberPlace *places = tt_json_indexed (json, object, &n);

  if (places == NULL)
    return FALSE;
  for (; tt_json_member (object, &cursor, &key, &value); i++)
    {
      g_assert_cmpuint (i, <, n);
      g_assert_true (key.raw.bytes == object.bytes + places[i].key_at && key.raw.len == places[i].key_len);
      tt_json_value_at (object, &places[i], &placed);
      g_assert_true (placed.raw.bytes == value.raw.bytes && placed.raw.len == value.raw.len);
      g_assert_true (placed.kind == value.kind && placed.offset == value.offset);
      g_assert_false (key.has_escapes || value.has_escapes || placed.has_escapes);
    }
  g_assert_cmpuint (i, ==, n);
  return TRUE;
}

/* The records of an array, with their members by both walks, which must agree; anything else as a whole. */
static inline void
read_records (Outcome *self, TtJson *json, GError **error)
{
  TtJsonValue record, key, value, key2, value2;

  if (tt_json_peek (json, error) != TT_JSON_ARRAY)
    {
      read_whole (self, json, error);
      return;
    }
  if (!tt_json_begin_array (json, error))
    return;
  add_token (self->tokens, '[', NULL, 0);
  tt_json_index_member (json, "");
  while (tt_json_next_record (json, &record, error))
    {
      const char *cursor = NULL;

      if (record.kind != TT_JSON_OBJECT)
        {
          add_value (self, &record);
          continue;
        }
      add_token (self->tokens, '{', NULL, 0);
      while (tt_json_next_member (json, &key, &value))
        {
          g_assert_true (tt_json_member (record.raw, &cursor, &key2, &value2));
          g_assert_true (key.raw.bytes == key2.raw.bytes && key.raw.len == key2.raw.len);
          g_assert_true (value.raw.bytes == value2.raw.bytes && value.raw.len == value2.raw.len);
          g_assert_true (key.has_escapes == key2.has_escapes && value.has_escapes == value2.has_escapes);
          g_assert_true (key.kind == key2.kind && value.kind == value2.kind);
          g_assert_cmpuint (key.offset, ==, record.offset + key2.offset);
          g_assert_cmpuint (value.offset, ==, record.offset + value2.offset);
          check_indexed (json, value.raw);
          add_text (self, 'k', &key);
          add_value (self, &value);
        }
      g_assert_false (tt_json_member (record.raw, &cursor, &key2, &value2));
      add_token (self->tokens, '}', NULL, 0);
    }
  if (*error != NULL)
    return;
  add_token (self->tokens, ']', NULL, 0);
  tt_json_peek (json, error);
}

typedef void (*ReadFunc) (Outcome *self, TtJson *json, GError **error);

/* A file in memory: its path. */
static inline const char *
memory_file (const void *bytes, gsize len)
{
  static int fd = -1;
  static char path[64];

  if (fd < 0)
    fd = memfd_create ("json", MFD_CLOEXEC);
  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (ftruncate (fd, 0), ==, 0);
  for (gsize done = 0; done < len;)
    {
      gssize n = pwrite (fd, (const char *) bytes + done, len - done, (off_t) done);

      g_assert_cmpint (n, >, 0);
      done += (gsize) n;
    }
  g_snprintf (path, sizeof path, "/proc/self/fd/%d", fd);
  return path;
}

/* Reads with a buffer of @size bytes at first. */
static inline void
read_file (Outcome *self, const char *path, ReadFunc func, gsize size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TtInput) input = tt_input_open (path, &error);

  memset (self, 0, sizeof *self);
  self->tokens = g_string_new (NULL);
  g_assert_no_error (error);

  g_autoptr (TtJson) json = tt_json_new_sized (input, &self->repairs, size);
  func (self, json, &error);
  self->offset = tt_json_offset (json);
  if (error != NULL)
    self->error = g_strdup (error->message);
}

static inline void
assert_same (const Outcome *a, const Outcome *b)
{
  g_autofree char *repairs_a = tt_repairs_to_json (&a->repairs), *repairs_b = tt_repairs_to_json (&b->repairs);

  g_assert_cmpstr (a->error, ==, b->error);
  g_assert_cmpstr (a->tokens->str, ==, b->tokens->str);
  g_assert_cmpstr (repairs_a, ==, repairs_b);
  if (a->error == NULL)
    g_assert_cmpuint (a->offset, ==, b->offset);
}

/* -- yajl ----------------------------------------------------------------------------------------- */

#ifdef HAVE_YAJL
static int
yajl_on_null (void *tokens)
{
  add_token (tokens, 'z', NULL, 0);
  return 1;
}

static int
yajl_on_boolean (void *tokens, int is_true)
{
  add_token (tokens, is_true ? 't' : 'f', NULL, 0);
  return 1;
}

static int
yajl_on_number (void *tokens, const char *bytes, size_t len)
{
  add_token (tokens, 'n', bytes, len);
  return 1;
}

static int
yajl_on_string (void *tokens, const unsigned char *bytes, size_t len)
{
  add_token (tokens, 's', (const char *) bytes, len);
  return 1;
}

static int
yajl_on_key (void *tokens, const unsigned char *bytes, size_t len)
{
  add_token (tokens, 'k', (const char *) bytes, len);
  return 1;
}

static int
yajl_on_object (void *tokens)
{
  add_token (tokens, '{', NULL, 0);
  return 1;
}

static int
yajl_on_object_end (void *tokens)
{
  add_token (tokens, '}', NULL, 0);
  return 1;
}

static int
yajl_on_array (void *tokens)
{
  add_token (tokens, '[', NULL, 0);
  return 1;
}

static int
yajl_on_array_end (void *tokens)
{
  add_token (tokens, ']', NULL, 0);
  return 1;
}

/* TRUE if yajl takes it as a JSON text. */
static inline gboolean
yajl_read (GString *tokens, const void *bytes, gsize len)
{
  static const yajl_callbacks callbacks = {
    .yajl_null = yajl_on_null,
    .yajl_boolean = yajl_on_boolean,
    .yajl_number = yajl_on_number,
    .yajl_string = yajl_on_string,
    .yajl_start_map = yajl_on_object,
    .yajl_map_key = yajl_on_key,
    .yajl_end_map = yajl_on_object_end,
    .yajl_start_array = yajl_on_array,
    .yajl_end_array = yajl_on_array_end,
  };
  yajl_handle handle = yajl_alloc (&callbacks, NULL, tokens);
  gboolean is_taken =
      yajl_parse (handle, bytes, len) == yajl_status_ok && yajl_complete_parse (handle) == yajl_status_ok;

  yajl_free (handle);
  return is_taken;
}
#endif
