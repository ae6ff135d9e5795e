/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/notes.h"

void
tt_notes_init (TtNotes *self)
{
  self->texts = g_ptr_array_new_with_free_func (g_free);
}

void
tt_notes_clear (TtNotes *self)
{
  g_clear_pointer (&self->texts, g_ptr_array_unref);
}

void
tt_notes_add (TtNotes *self, const char *format, ...)
{
  va_list values;

  va_start (values, format);
  g_ptr_array_add (self->texts, g_strdup_vprintf (format, values));
  va_end (values);
}
