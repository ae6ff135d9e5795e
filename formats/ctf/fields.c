/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/event.h"

#include "formats/ctf/labels.h"
#include "src/base/append.h"
#include "src/base/digits.h"

#include <math.h>
#include <string.h>

#define MAX_TEXT_BYTES ((gsize) 1 << 16)

const TtCtfMember *
tt_ctf_scope_member (const TtCtfClass *klass, TtCtfScope scope, const char *name)
{
  for (guint i = 0; i < klass->members->len; i++)
    {
      const TtCtfMember *member = &g_array_index (klass->members, TtCtfMember, i);
      if (member->scope == scope && strcmp (member->name, name) == 0)
        return member;
    }
  return NULL;
}

gboolean
tt_ctf_class_has_sibling (const TtCtfClass *klass, const char *name)
{
  return g_hash_table_contains (klass->names, name);
}

void
tt_ctf_append_quoted (GString *json, const char *text, gsize most)
{
  gsize len = strnlen (text, most);
  const char *stop;

  g_string_append_c (json, '"');
  while (len > 0)
    {
      const char *begin = text;
      gboolean is_valid = g_utf8_validate_len (text, len, &stop);

      while (text < stop)
        {
          const char *plain = text;

          while (text < stop && *text != '"' && *text != '\\' && (guchar) *text >= 0x20)
            text++;
          tt_append (json, plain, (gsize) (text - plain));
          if (text == stop)
            break;
          if ((guchar) *text < 0x20)
            g_string_append_printf (json, "\\u%04x", (guint) *text);
          else
            g_string_append_printf (json, "\\%c", *text);
          text++;
        }
      if (is_valid)
        break;
      g_string_append (json, "\xef\xbf\xbd");
      len -= (gsize) (stop - begin) + 1;
      text = stop + 1;
    }
  g_string_append_c (json, '"');
}

/* -- values ------------------------------------------------------------------------------------------------- */

/* What the slot of a text or of JSON points to; NULL: nothing. It ends with a NUL. */
static const char *
read_text (const TtCtfEvent *event, const TtCtfMember *member, guint32 *len)
{
  guint32 place[2];

  memcpy (place, event->slots + (gsize) member->slot * 8, sizeof place);
  *len = place[1];
  if (place[0] >= event->tail_len || place[1] >= event->tail_len - place[0])
    return NULL;
  return event->tail[place[0] + place[1]] == '\0' ? event->tail + place[0] : NULL;
}

const char *
tt_ctf_text (const TtCtfEvent *event, const TtCtfMember *member)
{
  guint32 len;

  return member == NULL || member->kind != TT_CTF_TEXT ? NULL : read_text (event, member, &len);
}

#define MIN_ZERO_MEMBERS 4u

static gboolean
is_zero_member (const TtCtfEvent *event, const TtCtfMember *member)
{
  guint32 len;
  gint64 bits;
  const char *text;

  if (member->kind != TT_CTF_TEXT && member->kind != TT_CTF_OTHER)
    {
      memcpy (&bits, event->slots + (gsize) member->slot * 8, sizeof bits);
      return bits == 0;
    }
  text = read_text (event, member, &len);
  return text == NULL || (member->kind == TT_CTF_TEXT ? *text == '\0' : strpbrk (text, "123456789") == NULL);
}

gboolean
tt_ctf_event_is_zero (const TtCtfEvent *event)
{
  const GArray *members = event->klass->members;
  guint n = 0;

  for (guint i = 0; i < members->len; i++)
    {
      const TtCtfMember *member = &g_array_index (members, TtCtfMember, i);

      if (member->scope == TT_CTF_PACKET)
        continue;
      if (!is_zero_member (event, member))
        return FALSE;
      n++;
    }
  return n >= MIN_ZERO_MEMBERS;
}

/* The array is JSON: "[1700,2600]". */
gboolean
tt_ctf_element (const TtCtfEvent *event, const TtCtfMember *member, guint k, gint64 *value)
{
  guint32 len;
  const char *at = member == NULL || member->kind != TT_CTF_OTHER ? NULL : read_text (event, member, &len);
  char *end;

  if (at == NULL || *at != '[')
    return FALSE;
  for (at++; k > 0; k--)
    {
      at = strchr (at, ',');
      if (at == NULL)
        return FALSE;
      at++;
    }
  /* What is shown in base 16 is a text. */
  if (g_str_has_prefix (at, "\"0x"))
    *value = (gint64) g_ascii_strtoull (++at, &end, 16);
  else
    *value = *at == '-' ? g_ascii_strtoll (at, &end, 10) : (gint64) g_ascii_strtoull (at, &end, 10);
  return end != at;
}

/* Sixteenths below this have no more digits than a double is written with. */
#define MAX_SIXTEENTHS 1e13

/* Exact sixteenths are written without a format; @at has room for G_ASCII_DTOSTR_BUF_SIZE. Returns what follows. */
static char *
put_real (char *at, double value)
{
  double sixteenths = fabs (value) * 16;

  if (!(sixteenths < MAX_SIXTEENTHS) || sixteenths == 0 || sixteenths != floor (sixteenths))
    {
      if (!isfinite (value))
        return (char *) memcpy (at, "null", 4) + 4;
      return at + strlen (g_ascii_dtostr (at, G_ASCII_DTOSTR_BUF_SIZE, value));
    }
  guint64 left = (guint64) sixteenths / 16;
  guint fraction = (guint) ((guint64) sixteenths % 16) * 625;

  if (value < 0)
    *at++ = '-';
  return tt_put_fraction (tt_put_decimal (at, left), fraction, 1000);
}

void
tt_ctf_append_real (GString *json, double value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  tt_append (json, digits, (gsize) (put_real (digits, value) - digits));
}

char *
tt_ctf_put_integer (char *at, guint64 value, gboolean is_signed, gboolean is_hex)
{
  if (!is_hex)
    return is_signed ? tt_put_signed (at, (gint64) value) : tt_put_decimal (at, value);
  *at++ = '"';
  at = tt_put_hex (at, value);
  *at++ = '"';
  return at;
}

char *
tt_ctf_put_number (const TtCtfEvent *event, const TtCtfMember *member, char *at)
{
  guint64 value;
  double real;

  memcpy (&value, event->slots + (gsize) member->slot * 8, sizeof value);
  if (member->kind == TT_CTF_REAL)
    {
      memcpy (&real, &value, sizeof real);
      return put_real (at, real);
    }
  return tt_ctf_put_integer (at, value, member->kind == TT_CTF_SIGNED, member->is_hex);
}

/* FALSE: the value has none. */
static gboolean
append_label (GString *json, const TtCtfType *type, guint64 value)
{
  g_autofree char *made = NULL;
  const char *label;

  if (type->is_bool)
    {
      g_string_append (json, value != 0 ? "true" : "false");
      return TRUE;
    }
  label = tt_ctf_label (type, value, &made);
  if (label != NULL)
    tt_ctf_append_quoted (json, label, MAX_TEXT_BYTES);
  return label != NULL;
}

void
tt_ctf_append_json (const TtCtfEvent *event, const TtCtfMember *member, GString *json)
{
  const char *text;
  guint32 len;
  guint64 value;
  char digits[TT_CTF_MOST_DIGITS];

  switch (member->kind)
    {
    case TT_CTF_UNSIGNED:
    case TT_CTF_SIGNED:
    case TT_CTF_REAL:
      memcpy (&value, event->slots + (gsize) member->slot * 8, sizeof value);
      if (member->labels == NULL || !append_label (json, member->labels, value))
        tt_append (json, digits, (gsize) (tt_ctf_put_number (event, member, digits) - digits));
      break;
    case TT_CTF_TEXT:
      text = read_text (event, member, &len);
      tt_ctf_append_quoted (json, text == NULL ? "" : text, MAX_TEXT_BYTES);
      break;
    case TT_CTF_OTHER:
      text = read_text (event, member, &len);
      tt_append (json, text == NULL ? "null" : text, text == NULL ? 4 : len);
      break;
    }
}
