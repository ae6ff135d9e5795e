/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/output.h"

void
tt_nl_output_init (TtNlOutput *self, const TtNlUnit *unit)
{
  self->comment = g_string_new (NULL);
  self->n_registers = 0;
  self->n_sections = unit->sections->len;
  self->sections = g_new0 (TtNlSectionText, self->n_sections);
  for (guint i = 0; i < self->n_sections; i++)
    {
      self->sections[i].before = g_string_new (NULL);
      self->sections[i].after = g_string_new (NULL);
    }
}

void
tt_nl_output_clear (TtNlOutput *self)
{
  for (guint i = 0; i < self->n_sections; i++)
    {
      g_string_free (self->sections[i].before, TRUE);
      g_string_free (self->sections[i].after, TRUE);
    }
  g_clear_pointer (&self->sections, g_free);
  if (self->comment != NULL)
    g_string_free (self->comment, TRUE);
  self->n_sections = 0;
  self->comment = NULL;
}

void
tt_nl_output_prepend (TtNlOutput *self, guint section, const GString *head)
{
  GString *before = self->sections[section].before;

  if (head->len > 0 && before->len > 0)
    g_string_prepend_c (before, '\n');
  g_string_prepend_len (before, head->str, (gssize) head->len);
}

void
tt_nl_line (GString *text, const char *format, ...)
{
  va_list arguments;

  if (text->len > 0)
    g_string_append_c (text, '\n');
  va_start (arguments, format);
  g_string_append_vprintf (text, format, arguments);
  va_end (arguments);
}
