/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/json/scanner-private.h"

#include <string.h>

/* -- strings -------------------------------------------------------------------------------------- */

/* Bytes of the escape at @at; 0: the buffer ends first. What is no escape is one byte, counted. */
static gsize
escape_len (TtJson *self, const guint8 *at)
{
  const guint8 *end = self->bytes + self->filled;

  if (end - at < 2)
    return 0;
  if (at[1] != 'u')
    {
      if (at[1] != 0 && strchr ("\"\\/bfnrt", at[1]) != NULL)
        return 2;
      tt_json_pend (self, TT_REPAIR_JSON_ESCAPE, at);
      return 1;
    }
  for (int i = 2; i < 6; i++)
    {
      if (end - at <= i)
        return 0;
      if (!g_ascii_isxdigit (at[i]))
        {
          tt_json_pend (self, TT_REPAIR_JSON_ESCAPE, at);
          return 1;
        }
    }
  return 6;
}

const guint8 *
tt_json_walk_text (TtJson *self, const guint8 *at)
{
  for (;;)
    {
      at = tt_scan_text (at);
      if (*at == '"')
        return at + 1;
      if (*at == '\\')
        {
          gsize len = escape_len (self, at);

          if (len == 0)
            break;
          self->has_escapes = TRUE;
          at += len;
        }
      else if (at >= self->bytes + self->filled)
        break;
      else
        tt_json_pend (self, TT_REPAIR_JSON_CONTROL, at++);
    }
  self->text_at = (gsize) (at - self->bytes);
  return tt_json_stop (self, TT_WALK_MORE, NULL);
}

static inline const guint8 *
walk_string (TtJson *self, const guint8 *at)
{
  const guint8 *end = tt_scan_text (at + 1);

  self->has_escapes = FALSE;
  return G_LIKELY (*end == '"') ? end + 1 : tt_json_walk_text (self, end);
}

/* -- numbers and words ---------------------------------------------------------------------------- */

static inline gboolean
ends_word (guint8 byte)
{
  return byte == ',' || byte == '}' || byte == ']' || tt_is_json_space (byte);
}

static gboolean
is_no_number (const guint8 *at, gsize len)
{
  static const char *const words[] = { "nan", "inf", "infinity" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (len == strlen (words[i]) && g_ascii_strncasecmp ((const char *) at, words[i], len) == 0)
      return TRUE;
  return FALSE;
}

/* Numbers that JSON has not: a sign +, leading zeros, no digits before or after the point, NaN and Infinity. */
static gboolean
is_odd_number (const guint8 *at, const guint8 *end)
{
  const guint8 *digits = at += *at == '+' || *at == '-' ? 1 : 0;
  gsize n_digits;

  if (is_no_number (at, (gsize) (end - at)))
    return TRUE;
  at = tt_scan_digits (at);
  n_digits = (gsize) (at - digits);
  if (*at == '.')
    {
      digits = at + 1;
      at = tt_scan_digits (digits);
      n_digits += (gsize) (at - digits);
    }
  if (n_digits == 0)
    return FALSE;
  if ((*at | 0x20) == 'e')
    {
      at += at[1] == '+' || at[1] == '-' ? 2 : 1;
      digits = at;
      at = tt_scan_digits (at);
      if (at == digits)
        return FALSE;
    }
  return at == end;
}

static gboolean
is_literal (const guint8 *at, gsize len)
{
  return (len == 4 && memcmp (at, "true", 4) == 0) || (len == 4 && memcmp (at, "null", 4) == 0) ||
         (len == 5 && memcmp (at, "false", 5) == 0);
}

TtJsonKind
tt_json_kind_of_word (const guint8 *at, gsize len)
{
  if (*at == '0')
    return len > 1 && (at[1] | 0x20) == 'x' ? TT_JSON_STRING : TT_JSON_NUMBER;
  if (is_literal (at, len))
    return tt_json_kind_of (*at);
  if (len > 1 && (*at == '+' || *at == '-') && is_no_number (at + 1, len - 1))
    return TT_JSON_NUMBER;
  if (is_no_number (at, len))
    return TT_JSON_NUMBER;
  return g_ascii_isalpha (*at) || *at == '_' || *at == '(' ? TT_JSON_STRING : TT_JSON_NUMBER;
}

void
tt_json_tell_word (TtJsonValue *value)
{
  value->kind = tt_json_kind_of_word ((const guint8 *) value->raw.bytes, value->raw.len);
}

/* A word without its quotes, as a program prints that has forgotten them: ncclFloat, 0x7f52, (nil). */
static gboolean
is_bare_word (const guint8 *at, const guint8 *end)
{
  if (end - at > TT_JSON_LONGEST_WORD)
    return FALSE;
  if (g_ascii_isalpha (*at) || *at == '_')
    return TRUE;
  if (*at == '(')
    return end - at > 2 && end[-1] == ')';
  if (end - at < 3 || at[0] != '0' || (at[1] | 0x20) != 'x')
    return FALSE;
  for (at += 2; at < end && g_ascii_isxdigit (*at);)
    at++;
  return at == end;
}

/* Any value without quotes or brackets. At the end of the buffer it may go on, and where it stands within an array or
 * object at the end of the contents nobody knows. */
static const guint8 *
walk_word (TtJson *self, const guint8 *at)
{
  const guint8 *end = at, *last = self->bytes + self->filled;

  while (end < last && tt_is_bare_byte (*end))
    end++;
  if (end == last && (!self->is_whole || self->depth > 0))
    return tt_json_stop (self, TT_WALK_MORE, NULL);
  if ((end == last || tt_is_odd_space (*end) || ends_word (*end)) && end > at)
    {
      if (is_literal (at, (gsize) (end - at)) || tt_scan_number (at) == end)
        return end;
      if (is_odd_number (at, end))
        {
          tt_json_pend (self, TT_REPAIR_JSON_NUMBER, at);
          return end;
        }
      if (self->depth > 0 && tt_json_in_object (self) && is_bare_word (at, end))
        {
          tt_json_pend (self, TT_REPAIR_JSON_WORD, at);
          self->has_escapes = FALSE;
          return end;
        }
    }
  return tt_json_stop (self, TT_WALK_FAULT, "a value");
}

static inline const guint8 *
walk_scalar (TtJson *self, const guint8 *at)
{
  const guint8 *end = NULL;

  if (*at == '"')
    return walk_string (self, at);
  if (*at == '-' || g_ascii_isdigit (*at))
    end = tt_scan_number (at);
  else if (*at == 't' && memcmp (at, "true", 4) == 0)
    end = at + 4;
  if (G_LIKELY (end != NULL && ends_word (*end)))
    return end;
  return tt_is_bare_byte (*at) ? walk_word (self, at) : NULL;
}

/* -- members of a record -------------------------------------------------------------------------- */

/* TRUE if a key like this one may have been there before. */
static inline gboolean
may_repeat (TtJson *self, const guint8 *key, gsize len)
{
  guint64 word;

  memcpy (&word, key, sizeof word);
  if (len < sizeof word)
    word &= ((guint64) 1 << (8 * len)) - 1;
  guint64 bit = (guint64) 1 << (((word ^ len) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) >> 58);
  gboolean is_seen = (self->keys_seen & bit) != 0;

  self->keys_seen |= bit;
  return is_seen;
}

static void
look_for_key (TtJson *self, const guint8 *record, const guint8 *key, gsize len)
{
  for (guint i = 0; i < self->n_places; i++)
    {
      const TtJsonPlace *other = &self->places[i];

      if (other->key_end - other->key_at == len + 2 && memcmp (record + other->key_at + 1, key, len) == 0)
        {
          tt_json_pend (self, TT_REPAIR_JSON_DUPLICATE_KEY, key - 1);
          return;
        }
    }
}

static inline void
note_key (TtJson *self, const guint8 *at, const guint8 *end)
{
  const guint8 *record = self->bytes + self->record_at;

  if (self->n_places == TT_JSON_INDEXED)
    return;
  if (may_repeat (self, at + 1, (gsize) (end - at) - 2))
    look_for_key (self, record, at + 1, (gsize) (end - at) - 2);

  TtJsonPlace *place = &self->places[self->n_places];
  place->key_at = (guint32) (at - record);
  place->key_end = (guint32) (end - record);
  place->key_has_escapes = self->has_escapes;
  place->key_class = TT_JSON_NO_CLASS;
}

static inline void
note_value_begin (TtJson *self, const guint8 *at)
{
  if (self->n_places < TT_JSON_INDEXED)
    self->places[self->n_places].value_at = (guint32) (at - (self->bytes + self->record_at));
}

static inline void
note_value_end (TtJson *self, const guint8 *end)
{
  if (self->n_places == TT_JSON_INDEXED)
    return;

  TtJsonPlace *place = &self->places[self->n_places++];
  place->value_end = (guint32) (end - (self->bytes + self->record_at));
  place->value_has_escapes = self->has_escapes;
}

/* -- members of an object in a record -------------------------------------------------------------- */

/* The record's member of which the value begins at @at, an object, is the one asked for. */
static inline void
begin_inner (TtJson *self, const guint8 *at)
{
  const guint8 *record = self->bytes + self->record_at;
  const TtJsonPlace *place = &self->places[self->n_places];

  if (self->inner_key == NULL || self->n_places == TT_JSON_INDEXED ||
      place->key_end - place->key_at != self->inner_key_len + 2 ||
      memcmp (record + place->key_at + 1, self->inner_key, self->inner_key_len) != 0)
    return;
  self->inner_depth = self->depth;
  self->inner_at = (guint32) (at - record);
  self->n_inner = 0;
  self->has_inner = TRUE;
  self->is_inner_lost = place->key_has_escapes || self->has_pending;
}

static inline gsize
inner_offset (const TtJson *self, const guint8 *at)
{
  return (gsize) (at - self->bytes) - self->record_at - self->inner_at;
}

static inline void
note_inner_key (TtJson *self, const guint8 *at, const guint8 *end)
{
  if (self->n_inner == TT_JSON_INDEXED || self->has_escapes)
    {
      self->is_inner_lost = TRUE;
      self->n_inner = 0;
    }
  self->inner[self->n_inner].key_at = (guint16) (inner_offset (self, at) + 1);
  self->inner[self->n_inner].key_len = (guint16) (end - at - 2);
}

static inline void
note_inner_begin (TtJson *self, const guint8 *at)
{
  self->inner[self->n_inner].value_at = (guint16) inner_offset (self, at);
}

static inline void
note_inner_end (TtJson *self, const guint8 *end)
{
  TtJsonMemberPlace *place = &self->inner[self->n_inner];
  gsize to = inner_offset (self, end);

  self->is_inner_lost |= to > G_MAXUINT16;
  place->value_len = (guint16) (to - place->value_at);
  self->n_inner++;
}

/* -- the walk ------------------------------------------------------------------------------------- */

static inline const guint8 *
walk_key (TtJson *self, const guint8 *at)
{
  if (*at != '"')
    return NULL;

  const guint8 *end = walk_string (self, at);
  if (end != NULL)
    {
      if (self->depth == self->index_depth)
        note_key (self, at, end);
      else if (self->depth == self->inner_depth)
        note_inner_key (self, at, end);
      self->state = TT_STATE_COLON;
    }
  return end;
}

static inline const guint8 *
walk_value (TtJson *self, const guint8 *at)
{
  const guint8 *end;

  gboolean is_member = self->depth == self->index_depth;

  if (is_member)
    note_value_begin (self, at);
  else if (self->depth == self->inner_depth)
    note_inner_begin (self, at);
  if (*at == '{' || *at == '[')
    {
      if (self->depth == TT_JSON_DEPTH)
        return tt_json_stop (self, TT_WALK_FAULT, "at most 1024 arrays and objects within each other");
      tt_json_open (self, *at == '{');
      if (is_member && *at == '{')
        begin_inner (self, at);
      end = at + 1;
    }
  else
    {
      end = walk_scalar (self, at);
      if (end == NULL)
        return NULL;
      self->state = TT_STATE_NEXT;
      if (is_member)
        note_value_end (self, end);
      else if (self->depth == self->inner_depth)
        {
          self->is_inner_lost |= *at == '"' && self->has_escapes;
          note_inner_end (self, end);
        }
    }
  self->good_at = (gsize) (end - self->bytes);
  return end;
}

static inline const guint8 *
walk_next (TtJson *self, const guint8 *at)
{
  gboolean is_object = tt_json_in_object (self);

  if (*at == ',')
    self->state = is_object ? TT_STATE_KEY : TT_STATE_ITEM;
  else if (*at == (is_object ? '}' : ']'))
    tt_json_close (self);
  else
    return NULL;
  return at + 1;
}

static inline const guint8 *
walk_colon (TtJson *self, const guint8 *at)
{
  if (*at != ':')
    return NULL;
  self->state = TT_STATE_VALUE;
  return at + 1;
}

/* As far as all is as it should be; a state falls into the one that usually comes next. */
static inline const guint8 *
walk_on (TtJson *self, const guint8 **at, guint floor)
{
  const guint8 *next;

  switch (self->state)
    {
    case TT_STATE_FIRST_KEY:
    case TT_STATE_KEY:
      next = walk_key (self, *at);
      if (next == NULL)
        return NULL;
      *at = tt_scan_space (next);
      G_GNUC_FALLTHROUGH;
    case TT_STATE_COLON:
      next = walk_colon (self, *at);
      if (next == NULL)
        return NULL;
      *at = tt_scan_space (next);
      G_GNUC_FALLTHROUGH;
    case TT_STATE_VALUE:
    case TT_STATE_FIRST_ITEM:
    case TT_STATE_ITEM:
      next = walk_value (self, *at);
      if (next == NULL || self->state != TT_STATE_NEXT || self->depth == floor)
        return next;
      *at = tt_scan_space (next);
      G_GNUC_FALLTHROUGH;
    case TT_STATE_NEXT:
    default:
      return walk_next (self, *at);
    }
}

TtWalk
tt_json_walk (TtJson *self, guint floor)
{
  const guint8 *at = self->bytes + self->at, *next;

  self->outcome = TT_WALK_DONE;
  while (self->state != TT_STATE_NEXT || self->depth != floor)
    {
      guint depth = self->depth;

      at = tt_scan_space (at);
      next = walk_on (self, &at, floor);
      if (next == NULL && self->outcome == TT_WALK_DONE)
        next = tt_json_mend (self, at);
      if (next == NULL)
        break;
      at = next;
      if (self->depth < depth)
        {
          self->good_at = (gsize) (at - self->bytes);
          if (self->depth == self->index_depth)
            {
              self->inner_depth = G_MAXUINT;
              note_value_end (self, at);
            }
          else if (self->depth == self->inner_depth)
            note_inner_end (self, at);
        }
    }
  self->at = (gsize) (at - self->bytes);
  return self->outcome;
}
