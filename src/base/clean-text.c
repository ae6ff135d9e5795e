/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/clean-text.h"

#include <string.h>

static gboolean
is_plain (const char *text)
{
  while (*text >= 0x20 && *text < 0x7f)
    text++;
  return *text == '\0';
}

static gboolean
steers (gunichar c)
{
  switch (g_unichar_type (c))
    {
    case G_UNICODE_CONTROL:
    case G_UNICODE_FORMAT:
    case G_UNICODE_LINE_SEPARATOR:
    case G_UNICODE_PARAGRAPH_SEPARATOR:
    case G_UNICODE_SURROGATE:
      return TRUE;
    default:
      return FALSE;
    }
}

static void
append_escape (GString *out, gunichar c)
{
  static const char letters[] = { ['\t'] = 't', ['\n'] = 'n', ['\r'] = 'r' };

  if (c < sizeof letters && letters[c] != '\0')
    g_string_append_printf (out, "\\%c", letters[c]);
  else
    g_string_append_printf (out, c < 0x100 ? "\\x%02x" : c < 0x10000 ? "\\u%04x" : "\\U%08x", c);
}

static void
append (GString *out, const char *text, gboolean keeps_lines)
{
  if (is_plain (text))
    {
      g_string_append (out, text);
      return;
    }
  while (*text != '\0')
    {
      gunichar c = g_utf8_get_char_validated (text, -1);

      if (c >= 0x110000)
        append_escape (out, (guchar) *text++);
      else
        {
          if (steers (c) && !(keeps_lines && c == '\n'))
            append_escape (out, c);
          else
            g_string_append_unichar (out, c);
          text = g_utf8_next_char (text);
        }
    }
}

void
tt_clean_append (GString *out, const char *text)
{
  append (out, text, FALSE);
}

void
tt_clean_append_lines (GString *out, const char *text)
{
  append (out, text, TRUE);
}

gsize
tt_clean_append_piece (GString *out, const char *bytes, gsize len, gboolean is_last)
{
  const char *p = bytes, *end = bytes + len;

  while (p < end)
    {
      gunichar c = *p == '\0' ? 0 : g_utf8_get_char_validated (p, end - p);

      if (c == (gunichar) -2 && !is_last)
        break;
      if (c >= 0x110000)
        append_escape (out, (guchar) *p++);
      else
        {
          if (steers (c) && c != '\n' && c != '\t')
            append_escape (out, c);
          else
            g_string_append_unichar (out, c);
          p += c == 0 ? 1 : g_utf8_next_char (p) - p;
        }
    }
  return (gsize) (p - bytes);
}

/* -- formats ------------------------------------------------------------------------------------------------------ */

typedef struct
{
  char spec[64]; /* "%-10.3l", without the conversion */
  gsize len;
  int precision; /* -1: none */
  guint n_longs; /* of long long: 2 */
  gboolean is_size;
} Directive;

/* *@p stands after the percent sign, and afterwards at the conversion. An asterisk becomes its number. */
static void
read_directive (Directive *self, const char **p, va_list *arguments)
{
  gboolean is_precision = FALSE;

  *self = (Directive){ .spec = "%", .len = 1, .precision = -1 };
  for (; **p != '\0' && strchr ("-+ #0123456789.*lz", **p) != NULL && self->len < sizeof self->spec - 16; (*p)++)
    if (**p == '*')
      {
        int value = va_arg (*arguments, int);

        self->len += (gsize) g_snprintf (self->spec + self->len, 12, "%d", value);
        if (is_precision)
          self->precision = value;
      }
    else
      {
        if (is_precision && g_ascii_isdigit (**p))
          self->precision = MAX (self->precision, 0) * 10 + g_ascii_digit_value (**p);
        if (**p == '.')
          {
            is_precision = TRUE;
            self->precision = 0;
          }
        self->n_longs += **p == 'l';
        self->is_size |= **p == 'z';
        self->spec[self->len++] = **p;
      }
}

/* The precision counts bytes of the text as it was, which may have no end; what is left of the format is the width. */
static void
append_string (GString *out, Directive *directive, const char *text)
{
  g_autofree char *part = text == NULL                ? g_strdup ("(null)")
                          : directive->precision >= 0 ? g_strndup (text, (gsize) directive->precision)
                                                      : NULL;
  g_autoptr (GString) clean = g_string_new (NULL);
  gboolean is_left = directive->spec[1] == '-';
  gint64 width = g_ascii_strtoll (directive->spec + (is_left ? 2 : 1), NULL, 10);

  tt_clean_append (clean, part != NULL ? part : text);
  gint64 n_spaces = width - (gint64) clean->len;
  for (gint64 i = 0; !is_left && i < n_spaces; i++)
    g_string_append_c (out, ' ');
  g_string_append_len (out, clean->str, (gssize) clean->len);
  for (gint64 i = 0; is_left && i < n_spaces; i++)
    g_string_append_c (out, ' ');
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static void
append_number (GString *out, Directive *directive, char conversion, va_list *arguments)
{
  directive->spec[directive->len++] = conversion;
  directive->spec[directive->len] = '\0';
  if (strchr ("fgeFGE", conversion) != NULL)
    g_string_append_printf (out, directive->spec, va_arg (*arguments, double));
  else if (directive->is_size)
    g_string_append_printf (out, directive->spec, va_arg (*arguments, gsize));
  else if (directive->n_longs > 1)
    g_string_append_printf (out, directive->spec, va_arg (*arguments, long long));
  else if (directive->n_longs > 0)
    g_string_append_printf (out, directive->spec, va_arg (*arguments, long));
  else
    g_string_append_printf (out, directive->spec, va_arg (*arguments, int));
}

#pragma GCC diagnostic pop

void
tt_clean_append_vprintf (GString *out, const char *format, va_list *arguments)
{
  for (const char *p = format; *p != '\0'; p++)
    {
      Directive directive;

      if (*p != '%' || p[1] == '%')
        {
          g_string_append_c (out, *p);
          p += *p == '%';
          continue;
        }
      p++;
      read_directive (&directive, &p, arguments);
      if (*p == '\0')
        return;
      if (*p == 's')
        append_string (out, &directive, va_arg (*arguments, const char *));
      else
        append_number (out, &directive, *p, arguments);
    }
}
