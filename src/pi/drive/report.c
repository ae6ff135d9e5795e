/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* Differences as lines of text, one at a time. */
#include "src/pi/drive/private.h"

static void
write_line (TtDriver *self, const char *line)
{
  g_mutex_lock (&self->lock);
  self->job->on_difference (line, self->job->data);
  g_mutex_unlock (&self->lock);
}

void
tt_drive_report_damage (TtDriver *self, const TtDriveLane *lane, gsize at, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  g_autofree char *line = g_strdup_printf ("thread %s, damaged at byte %" G_GSIZE_FORMAT ": %s", lane->name, at, text);
  write_line (self, line);
}

void
tt_drive_report (TtDriver *self, const TtDriveLane *lane, const TtDriveCall *call, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  g_autofree char *line = g_strdup_printf ("thread %s, record %" G_GUINT64_FORMAT ", %s: %s", lane->name, call->record,
                                           call->function->name, text);
  write_line (self, line);
}
