/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/messages.h"

#include <string.h>

/* Longer lines are shown around the place only. */
#define WIDEST_LINE 160u

typedef struct
{
  gsize offset;
  guint number; /* in the order in which they were reported */
  gboolean is_error;
  char *text;
} Message;

struct _TtNlMessages
{
  const char *name, *source;
  gsize len;
  GArray *messages; /* of Message */
  guint n_errors;
};

static void
message_clear (gpointer data)
{
  g_free (((Message *) data)->text);
}

TtNlMessages *
tt_nl_messages_new (const char *name, const char *text, gsize len)
{
  TtNlMessages *self = g_new0 (TtNlMessages, 1);

  self->name = name;
  self->source = text;
  self->len = len;
  self->messages = g_array_new (FALSE, FALSE, sizeof (Message));
  g_array_set_clear_func (self->messages, message_clear);
  return self;
}

void
tt_nl_messages_free (TtNlMessages *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->messages);
  g_free (self);
}

static void G_GNUC_PRINTF (4, 0)
    add (TtNlMessages *self, gboolean is_error, gsize offset, const char *format, va_list arguments)
{
  if (is_error && ++self->n_errors > TT_NL_MAX_ERRORS)
    return;

  Message message = {
    .offset = MIN (offset, self->len),
    .number = self->messages->len,
    .is_error = is_error,
    .text = g_strdup_vprintf (format, arguments),
  };
  g_array_append_val (self->messages, message);
}

void
tt_nl_error (TtNlMessages *self, gsize offset, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  add (self, TRUE, offset, format, arguments);
  va_end (arguments);
}

void
tt_nl_warning (TtNlMessages *self, gsize offset, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  add (self, FALSE, offset, format, arguments);
  va_end (arguments);
}

guint
tt_nl_messages_n_errors (const TtNlMessages *self)
{
  return self->n_errors;
}

static gint
by_place (gconstpointer left, gconstpointer right)
{
  const Message *a = left, *b = right;

  if (a->offset != b->offset)
    return a->offset < b->offset ? -1 : 1;
  return a->number < b->number ? -1 : a->number > b->number;
}

/* Bytes that do not continue a character. */
static gsize
count_characters (const char *text, gsize len)
{
  gsize n = 0;

  for (gsize i = 0; i < len; i++)
    n += ((guchar) text[i] & 0xc0) != 0x80;
  return n;
}

/* Tabs stay, so that the caret's line is as wide; what a terminal could act on is shown as '?'. */
static void
print_line (const char *line, gsize len, gsize at, GString *text)
{
  gsize first = at > WIDEST_LINE / 2 && len > WIDEST_LINE ? at - WIDEST_LINE / 2 : 0;
  gsize end = MIN (len, first + WIDEST_LINE);

  while (first > 0 && first < at && ((guchar) line[first] & 0xc0) == 0x80)
    first++;
  g_string_append (text, "    ");
  for (gsize i = first; i < end;)
    {
      gunichar character = g_utf8_get_char_validated (line + i, (gssize) (end - i));
      gsize bytes = character >= (gunichar) -2 ? 1 : (gsize) g_utf8_skip[(guchar) line[i]];

      if (line[i] == '\t' || (character < (gunichar) -2 && g_unichar_isprint (character)))
        g_string_append_len (text, line + i, (gssize) bytes);
      else
        g_string_append_c (text, '?');
      i += bytes;
    }
  g_string_append (text, "\n    ");
  for (gsize i = first; i < MIN (at, end); i++)
    if (line[i] == '\t')
      g_string_append_c (text, '\t');
    else if (((guchar) line[i] & 0xc0) != 0x80)
      g_string_append_c (text, ' ');
  g_string_append (text, "^\n");
}

void
tt_nl_messages_print (TtNlMessages *self, GString *text)
{
  const char *bom = self->len >= 3 && memcmp (self->source, "\xef\xbb\xbf", 3) == 0 ? self->source + 3 : self->source;
  const char *line = bom, *end = self->source + self->len;
  guint number = 1;

  g_array_sort (self->messages, by_place);
  for (guint i = 0; i < self->messages->len; i++)
    {
      const Message *message = &g_array_index (self->messages, Message, i);
      const char *place = MAX (self->source + message->offset, line), *next;

      while ((next = memchr (line, '\n', (gsize) (place - line))) != NULL)
        {
          line = next + 1;
          number++;
        }
      const char *line_end = memchr (line, '\n', (gsize) (end - line));
      line_end = line_end != NULL ? line_end : end;
      while (line_end > line && line_end[-1] == '\r')
        line_end--;
      g_string_append_printf (text, "%s:%u:%zu: %s: %s\n", self->name, number,
                              count_characters (line, (gsize) (place - line)) + 1,
                              message->is_error ? "error" : "warning", message->text);
      print_line (line, (gsize) (line_end - line), (gsize) (place - line), text);
    }
  if (self->n_errors > TT_NL_MAX_ERRORS)
    g_string_append_printf (text, "%s: %u more errors are not shown\n", self->name, self->n_errors - TT_NL_MAX_ERRORS);
}
