/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/reader-state.h"

#include "src/base/error.h"

void
tt_pi_reader_init (TtPiReader *self, TtPiTrace *trace, guint thread, gboolean is_quiet)
{
  *self = (TtPiReader){ .trace = trace, .thread = thread, .is_quiet = is_quiet };
  self->kept = g_byte_array_new ();
  self->memory_file = g_string_new (NULL);
  tt_pi_thread_window (trace, thread, &self->window);
}

void
tt_pi_reader_clear (TtPiReader *self)
{
  tt_pi_window_clear (&self->window);
  g_clear_pointer (&self->kept, g_byte_array_unref);
  g_clear_pointer (&self->names, g_ptr_array_unref);
  g_clear_pointer (&self->pointees, g_array_unref);
  if (self->memory_file != NULL)
    g_string_free (self->memory_file, TRUE);
  self->memory_file = NULL;
}

void
tt_pi_reader_rewind (TtPiReader *self)
{
  TtPiReader fresh = {
    .trace = self->trace,
    .thread = self->thread,
    .is_quiet = self->is_quiet,
    .window = self->window,
    .kept = self->kept,
    .memory_file = self->memory_file,
  };

  g_clear_pointer (&self->names, g_ptr_array_unref);
  g_clear_pointer (&self->pointees, g_array_unref);
  /* It goes back, which reads nothing. */
  tt_pi_window_seek (&fresh.window, 0, NULL);
  g_byte_array_set_size (fresh.kept, 0);
  g_string_truncate (fresh.memory_file, 0);
  *self = fresh;
}

TtPiOutcome
tt_pi_reader_fail (TtPiReader *self, guint64 offset, GError **error, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_autofree char *reason = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: record %" G_GUINT64_FORMAT " at byte %" G_GUINT64_FORMAT ": %s",
               tt_pi_trace_thread_path (self->trace, self->thread), self->record, offset, reason);
  return TT_PI_OUTCOME_FAILED;
}

void
tt_pi_reader_warn (TtPiReader *self, TtPiWarn kind, guint32 detail, guint64 offset, const char *format, ...)
{
  va_list args;

  if (self->is_quiet)
    return;
  const TtPiPlace place = { tt_pi_trace_thread_path (self->trace, self->thread), offset, self->record };
  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  tt_pi_trace_warn (self->trace, kind, detail, &place, "%s", text);
}
