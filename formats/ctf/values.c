/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/values.h"

#include "formats/ctf/labels.h"
#include "formats/ctf/schema/sections.h"
#include "formats/ctf/units.h"
#include "src/base/append.h"

#define MAX_DEPTH 16u
#define MAX_ELEMENTS 4096u
#define MAX_TEXT_BYTES ((gsize) 1 << 16)
#define UUID_BITS 128u
#define MAX_BLOB_BYTES ((gsize) 4096)
#define MAX_JSON_BYTES ((gsize) 1 << 20)
/* Values without a bit of their own, such as empty sequences, beyond those that the bytes read so far account for. */
#define MAX_EMPTY (1u << 20)

TtCtfValueKind
tt_ctf_value_kind (const TtCtfType *type)
{
  switch (type->kind)
    {
    case TT_CTF_TYPE_INTEGER:
      return type->is_signed ? TT_CTF_SIGNED : TT_CTF_UNSIGNED;
    case TT_CTF_TYPE_REAL:
      return TT_CTF_REAL;
    case TT_CTF_TYPE_STRING:
      return TT_CTF_TEXT;
    default:
      return type->is_text ? TT_CTF_TEXT : TT_CTF_OTHER;
    }
}

/* -- lengths and choices -------------------------------------------------------------------------------------------- */

/* Of an array or sequence, whose elements come next. */
static gboolean
read_length (TtCtfBits *self, const TtCtfType *type, guint64 *n)
{
  *n = type->kind == TT_CTF_TYPE_ARRAY ? type->length : self->stores[type->from];
  return tt_ctf_bits_align (self, type->align);
}

/* Whether a value that began at @before may be followed by another: those without bits could be as many as the metadata
 * have room for, in events of a byte. */
static gboolean
may_go_on (TtCtfBits *self, guint64 before)
{
  if (self->at != before || ++self->n_empty <= MAX_EMPTY)
    return TRUE;
  return tt_ctf_bits_fail (self, "events have too many fields without contents");
}

/* The option of a variant; NULL: none, which is a fault unless it is optional. */
static gboolean
choose (TtCtfBits *self, const TtCtfType *type, const TtCtfField **option)
{
  const TtCtfSection *section =
      tt_ctf_sections_find (type->choices, type->n_choices, self->stores[type->from], type->has_signed_tag);

  *option = section == NULL ? NULL : &type->fields[section->key];
  return section != NULL || type->is_optional ||
         tt_ctf_bits_fail (self, "a variant has no option for the value that selects");
}

static gboolean
read_integer (TtCtfBits *self, const TtCtfType *type, guint64 *value)
{
  return tt_ctf_bits_number (self, type, value) && tt_ctf_bits_note (self, type, *value);
}

/* A text that ends with a NUL of 2 or 4 bytes. */
static gboolean
read_wide (TtCtfBits *self, const TtCtfType *type, const char **text, gsize *len)
{
  gsize left = (self->end - self->at) / 8, width = tt_ctf_unit_bytes (type);
  gsize n = tt_ctf_units_length (type, (const char *) tt_ctf_bits_bytes (self), left);

  *text = (const char *) tt_ctf_bits_bytes (self);
  if (left - n < width)
    return tt_ctf_bits_fail_end (self);
  *len = MIN (n, MAX_TEXT_BYTES);
  self->at += (guint64) (n + width) * 8;
  return TRUE;
}

gboolean
tt_ctf_value_text (TtCtfBits *self, const TtCtfType *type, const char **text, gsize *len)
{
  guint64 left, n;
  const char *end;

  if (type->kind != TT_CTF_TYPE_STRING)
    {
      if (!read_length (self, type, &n))
        return FALSE;
      if (n > (self->end - self->at) / 8)
        return tt_ctf_bits_fail_end (self);
      *text = (const char *) tt_ctf_bits_bytes (self);
      *len = type->is_blob ? MIN (n, MAX_BLOB_BYTES) : tt_ctf_units_length (type, *text, MIN (n, MAX_TEXT_BYTES));
      self->at += n * 8;
      return TRUE;
    }
  if (!tt_ctf_bits_align (self, 8))
    return FALSE;
  if (type->encoding != TT_CTF_UTF_8)
    return read_wide (self, type, text, len);
  left = (self->end - self->at) / 8;
  *text = (const char *) tt_ctf_bits_bytes (self);
  end = left == 0 ? NULL : memchr (*text, '\0', left);
  if (end == NULL)
    return tt_ctf_bits_fail_end (self);
  *len = MIN ((gsize) (end - *text), MAX_TEXT_BYTES);
  self->at += (guint64) (end + 1 - *text) * 8;
  return TRUE;
}

/* -- passing over --------------------------------------------------------------------------------------------------- */

static gboolean
skip_array (TtCtfBits *self, const TtCtfType *type)
{
  guint64 n;

  if (!read_length (self, type, &n))
    return FALSE;
  for (guint64 i = 0; i < n; i++)
    {
      guint64 before = self->at;

      if (!tt_ctf_value_skip (self, type->element) || !may_go_on (self, before))
        return FALSE;
      /* What took no bit told nothing: all after it are like it. */
      if (self->at == before)
        break;
    }
  return TRUE;
}

/* It has been passed over. */
static void
note_uuid (TtCtfBits *self)
{
  self->said[TT_CTF_UUID] = self->at - UUID_BITS;
  self->has_said |= 1u << TT_CTF_UUID;
}

gboolean
tt_ctf_value_skip (TtCtfBits *self, const TtCtfType *type)
{
  const TtCtfField *option;
  const char *text;
  guint64 value, before;
  gsize len;

  if (type->is_void)
    return tt_ctf_bits_align (self, type->align);
  switch (type->kind)
    {
    case TT_CTF_TYPE_INTEGER:
      return read_integer (self, type, &value);
    case TT_CTF_TYPE_REAL:
      return tt_ctf_bits_number (self, type, &value);
    case TT_CTF_TYPE_STRING:
      return tt_ctf_value_text (self, type, &text, &len);
    case TT_CTF_TYPE_STRUCT:
      if (!tt_ctf_bits_align (self, type->align))
        return FALSE;
      for (guint i = 0; i < type->n_fields; i++)
        {
          before = self->at;
          if (!tt_ctf_value_skip (self, type->fields[i].type) ||
              (!type->fields[i].type->is_void && !may_go_on (self, before)))
            return FALSE;
        }
      return TRUE;
    case TT_CTF_TYPE_VARIANT:
      return choose (self, type, &option) && (option == NULL || tt_ctf_value_skip (self, option->type));
    default:
      if (!(type->is_text ? tt_ctf_value_text (self, type, &text, &len) : skip_array (self, type)))
        return FALSE;
      if (type->meaning == TT_CTF_UUID)
        note_uuid (self);
      return TRUE;
    }
}

/* -- JSON ----------------------------------------------------------------------------------------------------------- */

static gboolean
append_integer (TtCtfBits *self, const TtCtfType *type, GString *json)
{
  g_autofree char *made = NULL;
  char digits[TT_CTF_MOST_DIGITS];
  const char *label;
  guint64 value;

  if (!read_integer (self, type, &value))
    return FALSE;
  label = tt_ctf_label (type, value, &made);
  if (type->is_bool)
    {
      g_string_append (json, value != 0 ? "true" : "false");
      return TRUE;
    }
  if (label != NULL)
    {
      tt_ctf_append_quoted (json, label, MAX_TEXT_BYTES);
      return TRUE;
    }
  const char *end = tt_ctf_put_integer (digits, value, type->is_signed, type->base == 16);
  tt_append (json, digits, (gsize) (end - digits));
  return TRUE;
}

gboolean
tt_ctf_value_real (TtCtfBits *self, const TtCtfType *type, guint64 *bits)
{
  if (!tt_ctf_bits_number (self, type, bits))
    return FALSE;
  *bits = tt_ctf_widen_real (*bits, type->size);
  return TRUE;
}

static gboolean
append_real (TtCtfBits *self, const TtCtfType *type, GString *json)
{
  guint64 bits;
  double value;

  if (!tt_ctf_value_real (self, type, &bits))
    return FALSE;
  memcpy (&value, &bits, sizeof value);
  tt_ctf_append_real (json, value);
  return TRUE;
}

/* The text of an element from @begin on, @n times more. */
static void
repeat (GString *json, gsize begin, guint64 n)
{
  const gsize len = json->len - begin;

  for (; n > 0; n--)
    {
      g_string_append_c (json, ',');
      if (json->len > MAX_JSON_BYTES)
        {
          tt_append (json, "null", 4);
          continue;
        }
      g_string_set_size (json, json->len + len);
      memcpy (json->str + json->len - len, json->str + begin, len);
    }
}

static gboolean
append_array (TtCtfBits *self, const TtCtfType *type, GString *json, guint depth)
{
  guint64 n;

  if (!read_length (self, type, &n))
    return FALSE;
  g_string_append_c (json, '[');
  for (guint64 i = 0; i < n; i++)
    {
      guint64 before = self->at;
      gsize begin;

      if (i > 0 && i < MAX_ELEMENTS)
        g_string_append_c (json, ',');
      begin = json->len;
      if (!(i < MAX_ELEMENTS ? tt_ctf_value_append (self, type->element, json, depth + 1)
                             : tt_ctf_value_skip (self, type->element)) ||
          !may_go_on (self, before))
        return FALSE;
      if (self->at != before)
        continue;
      if (i < MAX_ELEMENTS)
        repeat (json, begin, MIN (n, MAX_ELEMENTS) - i - 1);
      break;
    }
  g_string_append_c (json, ']');
  return TRUE;
}

static gboolean
append_structure (TtCtfBits *self, const TtCtfType *type, GString *json, guint depth)
{
  gboolean has_any = FALSE;

  if (!tt_ctf_bits_align (self, type->align))
    return FALSE;
  g_string_append_c (json, '{');
  for (guint i = 0; i < type->n_fields; i++)
    {
      const TtCtfField *field = &type->fields[i];
      guint64 before = self->at;

      if (!field->type->is_shown)
        {
          if (!tt_ctf_value_skip (self, field->type))
            return FALSE;
          continue;
        }
      if (has_any)
        g_string_append_c (json, ',');
      has_any = TRUE;
      tt_ctf_append_quoted (json, field->name, MAX_TEXT_BYTES);
      g_string_append_c (json, ':');
      if (!tt_ctf_value_append (self, field->type, json, depth + 1) ||
          (!field->type->is_void && !may_go_on (self, before)))
        return FALSE;
    }
  g_string_append_c (json, '}');
  return TRUE;
}

void
tt_ctf_value_append_text (const TtCtfType *type, const char *text, gsize len, GString *to)
{
  if (type->is_blob)
    for (gsize i = 0; i < len; i++)
      g_string_append_printf (to, "%02x", (guint) (guint8) text[i]);
  else if (type->encoding != TT_CTF_UTF_8)
    tt_ctf_units_append (type, text, len, to);
  else
    tt_append (to, text, len);
}

static void
append_text (const TtCtfType *type, const char *text, gsize len, GString *json)
{
  g_autoptr (GString) made = NULL;

  if (!type->is_blob && type->encoding == TT_CTF_UTF_8)
    {
      tt_ctf_append_quoted (json, text, len);
      return;
    }
  made = g_string_new (NULL);
  tt_ctf_value_append_text (type, text, len, made);
  tt_ctf_append_quoted (json, made->str, made->len);
}

gboolean
tt_ctf_value_append (TtCtfBits *self, const TtCtfType *type, GString *json, guint depth)
{
  const TtCtfField *option;
  const char *text;
  gsize len;

  if (depth > MAX_DEPTH || json->len > MAX_JSON_BYTES)
    {
      g_string_append (json, "null");
      return tt_ctf_value_skip (self, type);
    }
  switch (type->kind)
    {
    case TT_CTF_TYPE_INTEGER:
      return append_integer (self, type, json);
    case TT_CTF_TYPE_REAL:
      return append_real (self, type, json);
    case TT_CTF_TYPE_STRUCT:
      return append_structure (self, type, json, depth);
    case TT_CTF_TYPE_VARIANT:
      if (!choose (self, type, &option))
        return FALSE;
      if (option != NULL)
        return tt_ctf_value_append (self, option->type, json, depth + 1);
      g_string_append (json, "null");
      return TRUE;
    default:
      if (tt_ctf_value_kind (type) != TT_CTF_TEXT)
        return append_array (self, type, json, depth);
      if (!tt_ctf_value_text (self, type, &text, &len))
        return FALSE;
      append_text (type, text, len, json);
      return TRUE;
    }
}
