/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/json/scanner-private.h"

#include <string.h>

/* Of a gint64; more cannot matter but for rounding. */
#define MAX_DIGITS 19
#define MAX_EXPONENT ((gint64) 1 << 40)

/* Decimal text taken apart: digits with at most one point among them, and an exponent. */
typedef struct
{
  gboolean is_negative;
  const char *at, *end;
  gsize n_whole, n_digits; /* digits before the point, all digits */
  gint64 exponent;
} Decimal;

static gboolean
is_digit (char byte)
{
  return byte >= '0' && byte <= '9';
}

static TtSlice
strip (const TtJsonValue *value)
{
  TtSlice text = value->raw;

  if (value->kind != TT_JSON_STRING)
    return text;
  while (text.len > 0 && g_ascii_isspace (*text.bytes))
    {
      text.bytes++;
      text.len--;
    }
  while (text.len > 0 && g_ascii_isspace (text.bytes[text.len - 1]))
    text.len--;
  return text;
}

static gboolean
parse_exponent (Decimal *self, const char *at, const char *end)
{
  gboolean is_negative = at < end && *at == '-';

  if (at < end && (*at == '-' || *at == '+'))
    at++;
  if (at == end)
    return FALSE;
  for (; at < end && is_digit (*at); at++)
    self->exponent = MIN (self->exponent * 10 + (*at - '0'), MAX_EXPONENT);
  if (is_negative)
    self->exponent = -self->exponent;
  return at == end;
}

static gboolean
parse (Decimal *self, const TtJsonValue *value)
{
  gboolean has_point = FALSE;

  if (value->kind != TT_JSON_STRING && value->kind != TT_JSON_NUMBER)
    return FALSE;
  TtSlice text = strip (value);
  const char *at = text.bytes, *end = text.bytes + text.len;
  *self = (Decimal){ 0 };
  if (at < end && (*at == '-' || *at == '+'))
    self->is_negative = *at++ == '-';
  self->at = at;
  for (; at < end && (is_digit (*at) || (*at == '.' && !has_point)); at++)
    if (*at == '.')
      has_point = TRUE;
    else
      {
        self->n_digits++;
        self->n_whole += !has_point;
      }
  self->end = at;
  if (self->n_digits == 0)
    return FALSE;
  return at == end || ((*at == 'e' || *at == 'E') && parse_exponent (self, at + 1, end));
}

/* The first n digits as an integer, rounded by those after: n digits, where digits that are not there are 0. */
static gboolean
scale (const Decimal *self, guint decimals, guint64 *magnitude, gboolean *inexact)
{
  const char *at = self->at;
  gsize n_zeros = 0;
  gint64 n;
  gboolean rounds_up = FALSE;

  for (; at < self->end && (*at == '0' || *at == '.'); at++)
    n_zeros += *at == '0';
  *magnitude = 0;
  if (n_zeros == self->n_digits)
    return TRUE;
  n = (gint64) self->n_whole - (gint64) n_zeros + self->exponent + decimals;
  if (n > MAX_DIGITS)
    return FALSE;

  for (gint64 i = 0; at < self->end || i < n; at += at < self->end)
    {
      int digit = at < self->end ? *at - '0' : 0;

      if (at < self->end && *at == '.')
        continue;
      if (i < n)
        *magnitude = *magnitude * 10 + (guint64) digit;
      else
        {
          if (i == n && digit >= 5)
            rounds_up = TRUE;
          *inexact = *inexact || digit != 0;
        }
      i++;
    }
  *inexact = *inexact || n < 0;
  *magnitude += n >= 0 && rounds_up;
  return TRUE;
}

/* Without sign, exponent and the like, and with room to spare: what nearly all times are. */
static gboolean
parse_plain (const TtJsonValue *value, guint decimals, gint64 *scaled)
{
  guint64 magnitude = 0;
  guint n_fraction = 0;

  /* One that is not there has no bytes at all. */
  if (value->kind != TT_JSON_NUMBER || value->raw.len + decimals > 18 || value->raw.len == 0)
    return FALSE;
  const char *at = value->raw.bytes, *end = at + value->raw.len;
  if (!is_digit (*at))
    return FALSE;
  for (; at < end && is_digit (*at); at++)
    magnitude = magnitude * 10 + (guint64) (*at - '0');
  if (at < end && *at == '.')
    for (at++; at < end && is_digit (*at); at++, n_fraction++)
      magnitude = magnitude * 10 + (guint64) (*at - '0');
  if (at < end || n_fraction > decimals)
    return FALSE;
  for (; n_fraction < decimals; n_fraction++)
    magnitude *= 10;
  *scaled = (gint64) magnitude;
  return TRUE;
}

gboolean
tt_json_decimal (const TtJsonValue *value, guint decimals, gint64 *scaled, gboolean *inexact)
{
  Decimal decimal;
  guint64 magnitude;
  gboolean is_inexact = FALSE;

  if (value->kind != TT_JSON_STRING && value->kind != TT_JSON_NUMBER)
    return FALSE;
  if (parse_plain (value, decimals, scaled))
    return TRUE;
  if (!parse (&decimal, value) || !scale (&decimal, decimals, &magnitude, &is_inexact))
    return FALSE;
  if (magnitude > (guint64) G_MAXINT64 + (decimal.is_negative ? 1 : 0))
    return FALSE;
  *scaled = decimal.is_negative ? (gint64) (0 - magnitude) : (gint64) magnitude;
  if (inexact != NULL && is_inexact)
    *inexact = TRUE;
  return TRUE;
}

static gboolean
parse_hexadecimal (TtSlice text, guint64 *number)
{
  if (text.len < 3 || text.len > 18 || text.bytes[0] != '0' || (text.bytes[1] | 0x20) != 'x')
    return FALSE;
  *number = 0;
  for (gsize i = 2; i < text.len; i++)
    {
      int digit = g_ascii_xdigit_value (text.bytes[i]);

      if (digit < 0)
        return FALSE;
      *number = *number << 4 | (guint64) digit;
    }
  return TRUE;
}

static gboolean
parse_digits (TtSlice text, guint64 *number)
{
  guint64 result = 0;

  for (gsize i = 0; i < text.len; i++)
    {
      guint64 digit = (guint64) (text.bytes[i] - '0');

      if (!is_digit (text.bytes[i]) || result > (G_MAXUINT64 - digit) / 10)
        return FALSE;
      result = result * 10 + digit;
    }
  *number = result;
  return text.len > 0;
}

/* Also 5.0 and 1e3, which are integers. */
gboolean
tt_json_int64 (const TtJsonValue *value, gint64 *number)
{
  gboolean is_inexact = FALSE;
  guint64 magnitude;

  if (tt_json_decimal (value, 0, number, &is_inexact))
    return !is_inexact;
  if (value->kind != TT_JSON_STRING || !parse_hexadecimal (strip (value), &magnitude) || magnitude > G_MAXINT64)
    return FALSE;
  *number = (gint64) magnitude;
  return TRUE;
}

gboolean
tt_json_uint64 (const TtJsonValue *value, guint64 *number)
{
  TtSlice text = strip (value);
  gint64 whole;

  if (value->kind != TT_JSON_STRING && value->kind != TT_JSON_NUMBER)
    return FALSE;
  if (parse_digits (text, number) || (value->kind == TT_JSON_STRING && parse_hexadecimal (text, number)))
    return TRUE;
  if (!tt_json_int64 (value, &whole) || whole < 0)
    return FALSE;
  *number = (guint64) whole;
  return TRUE;
}
