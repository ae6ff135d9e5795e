/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/schema/parser.h"

#include <string.h>

#define MAX_BITS 64u

/* What integers and reals are made of. */
typedef struct
{
  TtCtfType *type;
  gboolean has_align, has_encoding;
  guint64 n_exponent, n_mantissa;
} Number;

static gboolean
is_one_of (const char *text, const char *const *words)
{
  return text != NULL && g_strv_contains (words, text);
}

static gboolean
take_boolean (TtTsdlParser *self, const char *name, const TtTsdlValue *value, gboolean *is_true)
{
  static const char *const yes[] = { "true", "TRUE", NULL }, *const no[] = { "false", "FALSE", NULL };

  if (value->kind == TT_TSDL_VALUE_UNSIGNED)
    *is_true = value->number != 0;
  else if (is_one_of (value->text, yes) || is_one_of (value->text, no))
    *is_true = is_one_of (value->text, yes);
  else
    return tt_tsdl_fail (&self->lexer, "'%s' is neither true nor false", name);
  return TRUE;
}

static gboolean
take_align (TtTsdlParser *self, Number *number, const TtTsdlValue *value)
{
  if (!tt_tsdl_is_number (self, "align", value))
    return FALSE;
  if (value->number == 0 || (value->number & (value->number - 1)) != 0)
    return tt_tsdl_fail (&self->lexer, "'align' is no power of 2: %" G_GUINT64_FORMAT, value->number);
  number->type->align = value->number;
  number->has_align = TRUE;
  return TRUE;
}

static gboolean
take_size (TtTsdlParser *self, Number *number, const TtTsdlValue *value)
{
  if (!tt_tsdl_is_number (self, "size", value))
    return FALSE;
  if (value->number == 0 || value->number > MAX_BITS)
    return tt_tsdl_fail (&self->lexer, "'size' is not 1 to %u: %" G_GUINT64_FORMAT, MAX_BITS, value->number);
  number->type->size = (guint) value->number;
  return TRUE;
}

static gboolean
take_base (TtTsdlParser *self, Number *number, const TtTsdlValue *value)
{
  static const struct
  {
    guint base;
    const char *const words[6];
  } bases[] = { { 10, { "decimal", "dec", "d", "i", "u" } },
                { 16, { "hexadecimal", "hex", "x", "X", "p" } },
                { 8, { "octal", "oct", "o" } },
                { 2, { "binary", "b" } } };

  for (guint i = 0; i < G_N_ELEMENTS (bases); i++)
    if (is_one_of (value->text, bases[i].words) ||
        (value->kind == TT_TSDL_VALUE_UNSIGNED && value->number == bases[i].base))
      {
        number->type->base = bases[i].base;
        return TRUE;
      }
  return tt_tsdl_fail (&self->lexer, "'base' is not 2, 8, 10 or 16");
}

static gboolean
take_encoding (TtTsdlParser *self, Number *number, const TtTsdlValue *value)
{
  static const char *const text[] = { "UTF8", "utf8", "utf-8", "UTF-8", "ASCII", "ascii", NULL };

  if (is_one_of (value->text, text))
    number->has_encoding = TRUE;
  else if (g_strcmp0 (value->text, "none") != 0)
    return tt_tsdl_fail (&self->lexer, "an encoding that is neither UTF8 nor ASCII");
  return TRUE;
}

/* "clock.NAME.value"; what else maps no clock. */
static gboolean
take_map (TtTsdlParser *self, Number *number, const TtTsdlValue *value)
{
  g_auto (GStrv) words = NULL;

  if (!tt_tsdl_is_string (self, "map", value))
    return FALSE;
  words = g_strsplit (value->text, ".", -1);
  if (g_strv_length (words) != 3 || strcmp (words[0], "clock") != 0 || strcmp (words[2], "value") != 0)
    return TRUE;
  number->type->clock = tt_ctf_schema_clock (self->schema, words[1]);
  return number->type->clock != NULL || tt_tsdl_fail (&self->lexer, "no clock is called '%s'", words[1]);
}

static gboolean
take_of_integer (TtTsdlParser *self, const char *name, const TtTsdlValue *value, gpointer data)
{
  Number *number = data;

  if (strcmp (name, "signed") == 0)
    return take_boolean (self, name, value, &number->type->is_signed);
  if (strcmp (name, "byte_order") == 0)
    return tt_tsdl_read_byte_order (self, value, &number->type->is_big_endian);
  if (strcmp (name, "size") == 0)
    return take_size (self, number, value);
  if (strcmp (name, "align") == 0)
    return take_align (self, number, value);
  if (strcmp (name, "base") == 0)
    return take_base (self, number, value);
  if (strcmp (name, "encoding") == 0)
    return take_encoding (self, number, value);
  return strcmp (name, "map") == 0 ? take_map (self, number, value) : TRUE;
}

static gboolean
number_begin (TtTsdlParser *self, Number *number, TtCtfTypeKind kind)
{
  *number = (Number){ .type = tt_tsdl_new_type (self, kind) };
  if (number->type == NULL)
    return FALSE;
  number->type->is_big_endian = self->schema->is_big_endian;
  return TRUE;
}

TtCtfType *
tt_tsdl_read_integer (TtTsdlParser *self)
{
  Number number;

  if (!number_begin (self, &number, TT_CTF_TYPE_INTEGER) || !tt_tsdl_read_attributes (self, take_of_integer, &number))
    return NULL;
  TtCtfType *type = number.type;
  if (type->size == 0)
    {
      tt_tsdl_fail (&self->lexer, "an integer without 'size'");
      return NULL;
    }
  if (!number.has_align)
    type->align = type->size % 8 == 0 ? 8 : 1;
  type->is_char = number.has_encoding && type->size == 8 && type->align == 8;
  return type;
}

static gboolean
take_of_real (TtTsdlParser *self, const char *name, const TtTsdlValue *value, gpointer data)
{
  Number *number = data;
  guint64 *digits = strcmp (name, "exp_dig") == 0    ? &number->n_exponent
                    : strcmp (name, "mant_dig") == 0 ? &number->n_mantissa
                                                     : NULL;

  if (strcmp (name, "byte_order") == 0)
    return tt_tsdl_read_byte_order (self, value, &number->type->is_big_endian);
  if (strcmp (name, "align") == 0)
    return take_align (self, number, value);
  if (digits == NULL)
    return TRUE;
  *digits = value->number;
  return tt_tsdl_is_number (self, name, value);
}

TtCtfType *
tt_tsdl_read_real (TtTsdlParser *self)
{
  Number number;

  if (!number_begin (self, &number, TT_CTF_TYPE_REAL) || !tt_tsdl_read_attributes (self, take_of_real, &number))
    return NULL;
  if (!(number.n_exponent == 8 && number.n_mantissa == 24) && !(number.n_exponent == 11 && number.n_mantissa == 53))
    {
      tt_tsdl_fail (&self->lexer, "a floating_point whose exp_dig and mant_dig are neither 8 and 24 nor 11 and 53");
      return NULL;
    }
  number.type->size = (guint) (number.n_exponent + number.n_mantissa);
  if (!number.has_align)
    number.type->align = 8;
  return number.type;
}

static gboolean
take_of_string (TtTsdlParser *self, const char *name, const TtTsdlValue *value, gpointer data)
{
  return strcmp (name, "encoding") != 0 || take_encoding (self, data, value);
}

TtCtfType *
tt_tsdl_read_string (TtTsdlParser *self)
{
  Number number;

  if (!number_begin (self, &number, TT_CTF_TYPE_STRING))
    return NULL;
  /* "string" alone has the defaults. */
  if (self->lexer.token == '{' && !tt_tsdl_read_attributes (self, take_of_string, &number))
    return NULL;
  return number.type;
}
