/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/args-merge.h"

#include "src/base/append.h"

#include <string.h>

typedef struct
{
  const char *key; /* between its quotes, escapes undone */
  gsize key_len;
  const char *member, *value; /* the text from the key's quote, from the value on */
  gsize head_len, value_len;  /* head: up to the value */
} Member;

/* Up to this many members are searched one by one. */
#define FEW_MEMBERS 16u

typedef struct
{
  Member *members; /* `few`, or on the heap */
  guint n, room;
  Member few[FEW_MEMBERS];
  GHashTable *by_key;  /* Member index + 1; NULL while there are few */
  GStringChunk *texts; /* keys that had escapes; NULL: none */
} Object;

/* -- scanning ------------------------------------------------------------------------------------------ */

static gboolean
is_blank (char c)
{
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static const char *
skip_blanks (const char *at, const char *end)
{
  while (at < end && is_blank (*at))
    at++;
  return at;
}

/* @at is a quote; returns what follows the closing one, or NULL. */
static const char *
skip_string (const char *at, const char *end)
{
  for (at++; at < end; at++)
    {
      if (*at == '"')
        return at + 1;
      if (*at == '\\')
        at++;
    }
  return NULL;
}

/* Returns what follows a value of any depth: a comma or bracket of the object that contains it. NULL: its end is
 * missing. */
static const char *
skip_value (const char *at, const char *end)
{
  gsize depth = 0;

  while (at < end)
    switch (*at)
      {
      case '"':
        at = skip_string (at, end);
        if (at == NULL)
          return NULL;
        break;
      case '{':
      case '[':
        depth++;
        at++;
        break;
      case '}':
      case ']':
        if (depth == 0)
          return at;
        depth--;
        at++;
        break;
      case ',':
        if (depth == 0)
          return at;
        at++;
        break;
      default:
        at++;
      }
  return NULL;
}

/* -- keys ---------------------------------------------------------------------------------------------- */

/* The code unit of \uXXXX at @at, which is after the u; -1: none. */
static gint32
hex_unit (const char *at, const char *end)
{
  gint32 unit = 0;

  if (end - at < 4)
    return -1;
  for (int i = 0; i < 4; i++)
    {
      if (!g_ascii_isxdigit (at[i]))
        return -1;
      unit = unit << 4 | g_ascii_xdigit_value (at[i]);
    }
  return unit;
}

static const char *
append_unit (GString *text, const char *at, const char *end)
{
  gint32 unit = hex_unit (at, end);
  gunichar c;

  if (unit < 0)
    {
      g_string_append (text, "\\u");
      return at;
    }
  at += 4;
  c = (gunichar) unit;
  if (unit >= 0xd800 && unit < 0xdc00 && end - at >= 6 && at[0] == '\\' && at[1] == 'u')
    {
      gint32 low = hex_unit (at + 2, end);
      if (low >= 0xdc00 && low < 0xe000)
        {
          c = 0x10000 + (((gunichar) unit - 0xd800) << 10) + ((gunichar) low - 0xdc00);
          at += 6;
        }
    }
  g_string_append_unichar (text, c);
  return at;
}

static void
unescape (GString *text, const char *at, const char *end)
{
  static const char letters[] = "bfnrt", meanings[] = "\b\f\n\r\t";

  while (at < end)
    {
      char c = *at++;
      if (c != '\\' || at == end)
        {
          g_string_append_c (text, c);
          continue;
        }
      c = *at++;
      const char *letter = c == '\0' ? NULL : strchr (letters, c);
      if (c == 'u')
        at = append_unit (text, at, end);
      else
        g_string_append_c (text, letter != NULL ? meanings[letter - letters] : c);
    }
}

static void
read_key (Object *self, Member *member, const char *from, const char *end)
{
  member->key = from;
  member->key_len = (gsize) (end - from);
  if (memchr (from, '\\', member->key_len) == NULL)
    return;

  g_autoptr (GString) text = g_string_new (NULL);
  unescape (text, from, end);
  if (self->texts == NULL)
    self->texts = g_string_chunk_new (256);
  member->key_len = text->len;
  member->key = g_string_chunk_insert_len (self->texts, text->str, (gssize) text->len);
}

static guint
hash_key (gconstpointer key)
{
  const Member *member = key;
  guint hash = 5381;

  for (gsize i = 0; i < member->key_len; i++)
    hash = hash * 33 + (guchar) member->key[i];
  return hash;
}

static gboolean
equal_keys (gconstpointer a, gconstpointer b)
{
  const Member *x = a, *y = b;

  return x->key_len == y->key_len && memcmp (x->key, y->key, x->key_len) == 0;
}

/* -- members ------------------------------------------------------------------------------------------- */

static Member *
find (Object *self, const Member *member)
{
  if (self->by_key != NULL)
    {
      guint index = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_key, member));
      return index == 0 ? NULL : &self->members[index - 1];
    }
  for (guint i = 0; i < self->n; i++)
    if (equal_keys (&self->members[i], member))
      return &self->members[i];
  return NULL;
}

static void
index_member (Object *self, guint index)
{
  const Member *member = &self->members[index];

  g_hash_table_insert (self->by_key, g_memdup2 (member, sizeof *member), GUINT_TO_POINTER (index + 1));
}

static void
grow (Object *self)
{
  Member *members = g_new (Member, self->room * 2);

  memcpy (members, self->members, self->n * sizeof *members);
  if (self->members != self->few)
    g_free (self->members);
  self->members = members;
  self->room *= 2;
}

static void
add (Object *self, const Member *member)
{
  Member *other = find (self, member);

  if (other != NULL)
    {
      other->value = member->value;
      other->value_len = member->value_len;
      return;
    }
  if (self->n == self->room)
    grow (self);
  self->members[self->n++] = *member;
  if (self->by_key != NULL)
    index_member (self, self->n - 1);
  else if (self->n > FEW_MEMBERS)
    {
      self->by_key = g_hash_table_new_full (hash_key, equal_keys, g_free, NULL);
      for (guint i = 0; i < self->n; i++)
        index_member (self, i);
    }
}

static gboolean
read_object (Object *self, const char *at, gsize len)
{
  const char *end = at + len;

  at = skip_blanks (at, end);
  if (at == end || *at++ != '{')
    return FALSE;
  for (;;)
    {
      Member member;

      while (at < end && (is_blank (*at) || *at == ','))
        at++;
      if (at < end && *at == '}')
        return skip_blanks (at + 1, end) == end;
      const char *key_end = at < end && *at == '"' ? skip_string (at, end) : NULL;
      if (key_end == NULL)
        return FALSE;
      const char *colon = skip_blanks (key_end, end);
      if (colon == end || *colon != ':')
        return FALSE;

      member.member = at;
      member.value = skip_blanks (colon + 1, end);
      member.head_len = (gsize) (member.value - at);
      read_key (self, &member, at + 1, key_end - 1);
      at = skip_value (member.value, end);
      if (at == NULL)
        return FALSE;
      const char *value_end = at;
      while (value_end > member.value && is_blank (value_end[-1]))
        value_end--;
      member.value_len = (gsize) (value_end - member.value);
      if (member.value_len == 0)
        return FALSE;
      add (self, &member);
    }
}

gboolean
tt_args_merge (const char *first, gsize first_len, const char *more, gsize more_len, GString *out)
{
  Object object;

  object.members = object.few;
  object.n = 0;
  object.room = FEW_MEMBERS;
  object.by_key = NULL;
  object.texts = NULL;
  gboolean done = read_object (&object, first, first_len) && read_object (&object, more, more_len);

  if (done)
    {
      g_string_append_c (out, '{');
      for (guint i = 0; i < object.n; i++)
        {
          const Member *member = &object.members[i];
          if (i > 0)
            g_string_append_c (out, ',');
          tt_append (out, member->member, member->head_len);
          tt_append (out, member->value, member->value_len);
        }
      g_string_append_c (out, '}');
    }
  if (object.members != object.few)
    g_free (object.members);
  g_clear_pointer (&object.by_key, g_hash_table_unref);
  g_clear_pointer (&object.texts, g_string_chunk_free);
  return done;
}

gboolean
tt_args_share_no_key (const char *first, gsize first_len, const char *more, gsize more_len)
{
  const char *at = more + 1, *end = more + more_len;

  while (at < end && *at == '"')
    {
      const char *key_end = skip_string (at, end);

      if (key_end == NULL || memmem (first, first_len, at, (gsize) (key_end - at)) != NULL)
        return FALSE;
      at = skip_value (key_end + 1, end);
      if (at == NULL)
        return FALSE;
      at++;
    }
  return at == end;
}
