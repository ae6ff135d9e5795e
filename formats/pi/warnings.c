/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* Warnings of a trace: one for each kind and detail, with a count. */
#include "formats/pi/trace-private.h"

void
tt_pi_trace_warn (TtPiTrace *self,
                  TtPiWarn kind,
                  guint32 detail,
                  const TtPiPlace *place,
                  const char *format,
                  ...)
{
  guint64 key = (guint64) kind << 32 | detail;
  TtPiWarning *warning = g_hash_table_lookup (self->warned, &key);
  va_list args;

  if (warning == NULL)
    {
      warning = g_new0 (TtPiWarning, 1);
      warning->kind = kind;
      va_start (args, format);
      warning->text = g_strdup_vprintf (format, args);
      va_end (args);
      warning->path = g_strdup (place->path);
      warning->offset = place->offset;
      warning->record = place->record;
      g_ptr_array_add (self->warnings, warning);
      g_hash_table_insert (self->warned, g_memdup2 (&key, sizeof key), warning);
    }
  warning->count++;
}

void
tt_pi_warning_free (gpointer data)
{
  TtPiWarning *warning = data;

  g_free (warning->text);
  g_free (warning->path);
  g_free (warning);
}

const GPtrArray *
tt_pi_trace_warnings (const TtPiTrace *self)
{
  return self->warnings;
}
