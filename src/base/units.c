/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/units.h"

#include <string.h>

#include "src/base/error.h"

#define MAX_DECIMALS 9
#define SHOWN_IN_ERRORS 40

const char *const tt_unit_words[] = {
  [TT_UNIT_NS] = "ns", [TT_UNIT_US] = "us", [TT_UNIT_MS] = "ms", [TT_UNIT_S] = "s", NULL,
};

static const struct
{
  gint64 ns;
  int digits; /* ns = 10 to the power of digits */
} units[] = {
  [TT_UNIT_NS] = { 1, 0 },
  [TT_UNIT_US] = { 1000, 3 },
  [TT_UNIT_MS] = { 1000000, 6 },
  [TT_UNIT_S] = { 1000000000, 9 },
};

const char *
tt_unit_text (TtUnit unit)
{
  return tt_unit_words[unit];
}

gint64
tt_unit_ns (TtUnit unit)
{
  return units[unit].ns;
}

gboolean
tt_unit_parse (const char *text, TtUnit *unit, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (strcmp (text, tt_unit_words[i]) == 0)
      {
        *unit = (TtUnit) i;
        return TRUE;
      }

  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "unit '%s' is not one of ns, us, ms, s", text);
  return FALSE;
}

const char *const tt_unit_choice_words[] = { "auto", "ns", "us", "ms", "s", NULL };

gboolean
tt_unit_choice_parse (const char *text, TtUnit *unit, gboolean *is_auto, GError **error)
{
  *is_auto = strcmp (text, tt_unit_choice_words[0]) == 0;
  if (*is_auto || tt_unit_parse (text, unit, NULL))
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "unit '%s' is not one of auto, ns, us, ms, s", text);
  return FALSE;
}

/* -- to text ---------------------------------------------------------------------------------- */

static tt_uint128
power_of_ten (int exponent)
{
  tt_uint128 power = 1;

  while (exponent-- > 0)
    power *= 10;
  return power;
}

/* @whole and @fraction (of @decimals digits) as text. */
static char *
put_parts (char buffer[TT_TIME_TEXT], gboolean is_negative, tt_uint128 whole, guint64 fraction, int decimals)
{
  char *p = buffer + TT_TIME_TEXT - 1;

  *p = '\0';
  for (int i = 0; i < decimals; i++, fraction /= 10)
    *--p = (char) ('0' + fraction % 10);
  if (decimals > 0)
    *--p = '.';
  do
    *--p = (char) ('0' + (int) (whole % 10));
  while ((whole /= 10) != 0);
  if (is_negative)
    *--p = '-';
  memmove (buffer, p, (gsize) (buffer + TT_TIME_TEXT - p));
  return buffer;
}

char *
tt_time_text_int128 (char buffer[TT_TIME_TEXT], tt_int128 ns, TtUnit unit, int decimals)
{
  tt_uint128 size = ns < 0 ? -(tt_uint128) ns : (tt_uint128) ns;
  int digits = units[unit].digits;

  if (decimals < 0)
    {
      tt_uint128 rest = size % (guint64) units[unit].ns;

      decimals = rest == 0 ? 0 : digits;
      for (; rest != 0 && rest % 10 == 0; rest /= 10)
        decimals--;
    }
  decimals = MIN (decimals, MAX_DECIMALS);

  if (decimals < digits)
    {
      tt_uint128 step = power_of_ten (digits - decimals);
      size = size / step + (size % step >= step - size % step ? 1 : 0);
    }
  tt_uint128 scale = power_of_ten (MIN (decimals, digits));
  guint64 fraction = (guint64) (size % scale) * (guint64) power_of_ten (MAX (decimals - digits, 0));

  return put_parts (buffer, ns < 0 && size != 0, size / scale, fraction, decimals);
}

char *
tt_time_text (char buffer[TT_TIME_TEXT], gint64 ns, TtUnit unit, int decimals)
{
  return tt_time_text_int128 (buffer, ns, unit, MAX (decimals, 0));
}

/* Three digits, in the largest of @names (steps of 1000) that leaves at least 1: "1.25 s". */
static char *
scaled_text (char buffer[TT_TIME_TEXT], gboolean is_negative, guint64 size, const char *const *names, guint n_names)
{
  guint name = 0;
  guint64 scale = 1;

  while (name + 1 < n_names && size / scale >= 1000)
    {
      scale *= 1000;
      name++;
    }

  guint64 whole = size / scale, divisor = scale;
  int decimals = whole >= 100 ? 0 : whole >= 10 ? 1 : 2;

  for (int i = 0; i < decimals && divisor > 1; i++)
    divisor /= 10;
  guint64 rounded = size / divisor + (size % divisor >= divisor - size % divisor ? 1 : 0);
  guint64 per_whole = scale / divisor;

  /* 999.9 rounds up to the next name's 1. */
  if (rounded / per_whole >= 1000 && name + 1 < n_names)
    {
      rounded = 1;
      per_whole = 1;
      name++;
    }

  guint64 fraction = rounded % per_whole;
  int shown = 0;
  for (guint64 rest = per_whole; rest > 1; rest /= 10)
    shown++;
  for (; shown > 0 && fraction % 10 == 0; fraction /= 10)
    shown--;

  put_parts (buffer, is_negative, rounded / per_whole, fraction, shown);
  g_strlcat (buffer, " ", TT_TIME_TEXT);
  g_strlcat (buffer, names[name], TT_TIME_TEXT);
  return buffer;
}

/* Two of days, hours, minutes and seconds: "2 h 5 min". */
static char *
long_time_text (char buffer[TT_TIME_TEXT], gboolean is_negative, guint64 size)
{
  static const struct
  {
    const char *name;
    guint64 seconds;
  } parts[] = { { "d", 86400 }, { "h", 3600 }, { "min", 60 }, { "s", 1 } };
  const guint64 ns_per_s = 1000000000;
  guint part = 0;

  while (size / ns_per_s < parts[part].seconds)
    part++;
  /* What rounds up to the next larger part is of it: 59 min 60 s is 1 h. */
  guint64 smallest = parts[part + 1].seconds, rounded = (size / ns_per_s + smallest / 2) / smallest * smallest;
  if (smallest == 1)
    rounded = (size + ns_per_s / 2) / ns_per_s;
  if (part > 0 && rounded >= parts[part - 1].seconds)
    part--;
  guint64 large = rounded / parts[part].seconds, small = rounded % parts[part].seconds / parts[part + 1].seconds;
  g_snprintf (buffer, TT_TIME_TEXT, "%s%" G_GUINT64_FORMAT " %s", is_negative ? "-" : "", large, parts[part].name);
  if (small > 0)
    g_snprintf (buffer + strlen (buffer), TT_TIME_TEXT - strlen (buffer), " %" G_GUINT64_FORMAT " %s", small,
                parts[part + 1].name);
  return buffer;
}

#define LONG_TIME_NS G_GUINT64_CONSTANT (600000000000) /* ten minutes */

char *
tt_time_auto (char buffer[TT_TIME_TEXT], gint64 ns)
{
  static const char *const names[] = { "ns", "us", "ms", "s" };
  guint64 size = ns < 0 ? -(guint64) ns : (guint64) ns;

  if (size >= LONG_TIME_NS)
    return long_time_text (buffer, ns < 0, size);
  return scaled_text (buffer, ns < 0, size, names, G_N_ELEMENTS (names));
}

#define SHOWN_DIGITS 4

/* @size: of units of which 10 to the power of @digits are a second. */
static char *
shown_text (char buffer[TT_TIME_TEXT], gboolean is_negative, tt_uint128 size, int digits)
{
  TtUnit unit = TT_UNIT_S;
  tt_uint128 rounded, step;
  int scale, decimals;

  while (unit > TT_UNIT_NS && size < power_of_ten (digits - 9 + units[unit].digits))
    unit--;
  /* Rounding up may take a digit more, and then another unit. */
  for (;;)
    {
      scale = digits - 9 + units[unit].digits;
      for (decimals = MIN (SHOWN_DIGITS - 1, scale);; decimals--)
        {
          step = power_of_ten (scale - decimals);
          rounded = size / step + (size % step >= step - size % step ? 1 : 0);
          if (decimals == 0 || rounded < power_of_ten (SHOWN_DIGITS))
            break;
        }
      if (unit == TT_UNIT_S || rounded < power_of_ten (decimals) * 1000)
        break;
      unit++;
    }

  tt_uint128 one = power_of_ten (decimals);
  put_parts (buffer, is_negative && rounded > 0, rounded / one, (guint64) (rounded % one), decimals);
  g_strlcat (buffer, " ", TT_TIME_TEXT);
  g_strlcat (buffer, tt_unit_text (unit), TT_TIME_TEXT);
  return buffer;
}

static char *
put_text (char buffer[TT_TIME_TEXT], const char *text)
{
  g_strlcpy (buffer, text, TT_TIME_TEXT);
  return buffer;
}

char *
tt_time_shown (char buffer[TT_TIME_TEXT], tt_int128 ns)
{
  if (ns == 0)
    return put_text (buffer, "0");
  return shown_text (buffer, ns < 0, ns < 0 ? -(tt_uint128) ns : (tt_uint128) ns, 9);
}

/* Means have fractions of a ns. */
char *
tt_time_shown_real (char buffer[TT_TIME_TEXT], double ns)
{
  const double min_ns = 0.001, max_ns = 1e30;
  double size = MIN (ABS (ns), max_ns);

  if (ns == 0.0)
    return put_text (buffer, "0");
  if (size < min_ns)
    return put_text (buffer, ns < 0.0 ? "> -0.001 ns" : "< 0.001 ns");
  return shown_text (buffer, ns < 0.0, (tt_uint128) (size * 1000.0 + 0.5), 12);
}

char *
tt_bytes_auto (char buffer[TT_TIME_TEXT], guint64 bytes)
{
  static const char *const names[] = { "B", "kB", "MB", "GB", "TB", "PB", "EB" };

  return scaled_text (buffer, FALSE, bytes, names, G_N_ELEMENTS (names));
}

char *
tt_count_text (char buffer[TT_TIME_TEXT], guint64 count)
{
  char *p = buffer + TT_TIME_TEXT - 1;
  guint n = 0;

  *p = '\0';
  do
    {
      if (n > 0 && n % 3 == 0)
        *--p = ',';
      *--p = (char) ('0' + count % 10);
      n++;
    }
  while ((count /= 10) != 0);
  memmove (buffer, p, (gsize) (buffer + TT_TIME_TEXT - p));
  return buffer;
}

/* -- from text -------------------------------------------------------------------------------- */

static gboolean
parse_error (const char *text, const char *end, const char *fault, GError **error)
{
  gssize len = MIN (end - text, SHOWN_IN_ERRORS);
  g_autofree char *shown = g_utf8_make_valid (text, len);

  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "'%s%s' %s", shown, end - text > SHOWN_IN_ERRORS ? "..." : "", fault);
  return FALSE;
}

/* A number's digits, without the point: @n of them from @first, times ten to @exponent. */
typedef struct
{
  gboolean is_negative;
  const char *first, *end; /* may have a point between */
  gint64 n;                /* digits from the first that is not 0 */
  gint64 exponent;
} Decimal;

/* An exponent that does not fit is as good as one of this size. */
#define HUGE_EXPONENT ((gint64) 1 << 60)

static const char *
scan_exponent (const char *p, const char *end, gint64 *exponent)
{
  gboolean is_negative = p < end && *p == '-';
  gint64 value = 0;

  if (p < end && (*p == '-' || *p == '+'))
    p++;
  if (p == end || !g_ascii_isdigit (*p))
    return NULL;
  for (; p < end && g_ascii_isdigit (*p); p++)
    value = value >= HUGE_EXPONENT / 16 ? HUGE_EXPONENT : value * 10 + (*p - '0');
  *exponent = is_negative ? -value : value;
  return p;
}

static gboolean
scan_decimal (const char *p, const char *end, Decimal *decimal)
{
  gint64 n_digits = 0, n_fraction = 0, exponent = 0;
  gboolean has_point = FALSE;

  *decimal = (Decimal){ .is_negative = p < end && *p == '-' };
  if (p < end && (*p == '-' || *p == '+'))
    p++;
  for (; p < end; p++)
    if (*p == '.' && !has_point)
      has_point = TRUE;
    else if (g_ascii_isdigit (*p))
      {
        if (decimal->first == NULL && *p != '0')
          decimal->first = p;
        decimal->n += decimal->first != NULL;
        n_fraction += has_point;
        n_digits++;
      }
    else
      break;
  decimal->end = p;
  if (n_digits == 0)
    return FALSE;
  if (p < end && (*p == 'e' || *p == 'E'))
    p = scan_exponent (p + 1, end, &exponent);
  decimal->exponent = exponent - n_fraction;
  return p == end;
}

gboolean
tt_time_parse (const char *text, gssize len, TtUnit unit, gint64 *ns, GError **error)
{
  const char *end = text + (len < 0 ? (gssize) strlen (text) : len);
  Decimal decimal;

  if (!scan_decimal (text, end, &decimal))
    return parse_error (text, end, "is not a number", error);

  /* Digits of the result before its point; what follows only rounds. */
  gint64 n_whole = decimal.n + decimal.exponent + units[unit].digits;
  guint64 value = 0, limit = (guint64) G_MAXINT64 + (decimal.is_negative ? 1 : 0);
  const char *p = decimal.first;

  if (decimal.n == 0 || n_whole < 0)
    {
      *ns = 0;
      return TRUE;
    }
  if (n_whole > 19)
    return parse_error (text, end, "is too large for a time in nanoseconds", error);

  for (gint64 i = 0; i <= n_whole; i++)
    {
      guint digit;

      if (p < decimal.end && *p == '.')
        p++;
      digit = p < decimal.end ? (guint) (*p++ - '0') : 0;
      value = i < n_whole ? value * 10 + digit : value + (digit >= 5);
    }
  if (value > limit)
    return parse_error (text, end, "is too large for a time in nanoseconds", error);

  *ns = decimal.is_negative ? (gint64) -value : (gint64) value;
  return TRUE;
}

gboolean
tt_time_parse_as_said (const char *text, TtUnit unit, gint64 *ns, GError **error)
{
  gsize len = strlen (text);

  for (TtUnit said = TT_UNIT_NS; said <= TT_UNIT_S; said++)
    {
      gsize suffix = strlen (tt_unit_text (said));
      gsize n = len > suffix && g_str_has_suffix (text, tt_unit_text (said)) ? len - suffix : 0;

      while (n > 0 && text[n - 1] == ' ')
        n--;
      if (n > 0 && (g_ascii_isdigit (text[n - 1]) || text[n - 1] == '.'))
        return tt_time_parse (text, (gssize) n, said, ns, error);
    }
  /* 1h, 2 min */
  if (g_ascii_isdigit (*text) && len > 0 && g_ascii_isalpha (text[len - 1]))
    return parse_error (text, text + len, "is not a time; its unit is ns, us, ms or s", error);
  return tt_time_parse (text, -1, unit, ns, error);
}
