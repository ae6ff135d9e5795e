/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino-trace/lines.h"

#include <string.h>

#define BLOCK ((gsize) 65536)

void
tt_neutrino_lines_init (TtNeutrinoLines *self, TtInput *input)
{
  *self = (TtNeutrinoLines){ .input = input, .text = g_string_new (NULL), .block = g_malloc (BLOCK) };
}

void
tt_neutrino_lines_clear (TtNeutrinoLines *self)
{
  if (self->text != NULL)
    g_string_free (self->text, TRUE);
  g_free (self->block);
  *self = (TtNeutrinoLines){ 0 };
}

static void
append (TtNeutrinoLines *self, const guint8 *bytes, gsize len)
{
  gsize room = TT_NEUTRINO_LONGEST_LINE - self->text->len;

  self->is_cut |= len > room;
  g_string_append_len (self->text, (const char *) bytes, (gssize) MIN (len, room));
}

static void
clean (GString *text)
{
  if (text->len > 0 && text->str[text->len - 1] == '\r')
    g_string_truncate (text, text->len - 1);
  for (char *nul = memchr (text->str, '\0', text->len); nul != NULL;
       nul = memchr (nul, '\0', (gsize) (text->str + text->len - nul)))
    *nul = ' ';
}

gboolean
tt_neutrino_lines_next (TtNeutrinoLines *self, GError **error)
{
  self->offset = tt_input_offset (self->input) - (self->filled - self->at);
  self->has_newline = self->is_cut = FALSE;
  self->number++;
  g_string_truncate (self->text, 0);
  for (gboolean has_some = FALSE; !self->has_newline;)
    {
      if (self->at == self->filled)
        {
          gssize n = tt_input_read (self->input, self->block, BLOCK, error);
          if (n < 0 || (n == 0 && !has_some))
            return FALSE;
          if (n == 0)
            break;
          self->at = 0;
          self->filled = (gsize) n;
        }
      const guint8 *from = self->block + self->at;
      const guint8 *newline = memchr (from, '\n', self->filled - self->at);
      gsize len = newline == NULL ? self->filled - self->at : (gsize) (newline - from);

      append (self, from, len);
      self->has_newline = newline != NULL;
      self->at += len + (newline != NULL ? 1 : 0);
      has_some = TRUE;
    }
  clean (self->text);
  return TRUE;
}
