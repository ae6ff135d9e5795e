/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/record-export/details.h"

#include "src/base/tape.h"

#include <string.h>

#define MEMORY ((gsize) 8 << 20)
#define AHEAD 16384u /* bytes that are read at a time: those asked for next are mostly near */
#define TOLD_AGAIN (TT_FLAG_RECURSIVE | TT_FLAG_COLLECTIVE)

struct _TtRecordExportDetails
{
  TtTape *tape;
  guint8 ahead[AHEAD];
  guint64 first, end; /* which of the tape they are; end = 0: none */
};

TtRecordExportDetails *
tt_record_export_details_new (void)
{
  TtRecordExportDetails *self = g_new0 (TtRecordExportDetails, 1);

  self->tape = tt_tape_new (MEMORY);
  return self;
}

void
tt_record_export_details_free (TtRecordExportDetails *self)
{
  if (self == NULL)
    return;
  tt_tape_free (self->tape);
  g_free (self);
}

guint32
tt_record_export_own_flags (guint32 flags)
{
  return flags & ~(guint32) TOLD_AGAIN;
}

gint64
tt_record_export_details_add (TtRecordExportDetails *self,
                              const TtEvent *event,
                              const TtRecordExportBeside *beside,
                              gboolean is_needed,
                              guint64 *n_left_out)
{
  TtRecordExportDetail detail = {
    .flags = event->flags,
    .step = event->step,
    .depth = event->depth,
    .args_len = event->args == NULL ? 0 : (guint32) event->args_len,
    .dur_ns = event->dur_ns,
    .self_ns = event->self_ns,
    .beside = *beside,
  };

  *n_left_out += event->args == NULL && event->args_len > 0;
  if (!is_needed && beside->activity.role == TT_ACTIVITY_NONE && tt_record_export_own_flags (detail.flags) == 0 &&
      detail.step == TT_NO_STEP && detail.args_len == 0)
    return 0;
  self->end = 0;
  guint64 at = tt_tape_append (self->tape, &detail, sizeof detail);
  tt_tape_append (self->tape, event->args, detail.args_len);
  return (gint64) at + 1;
}

static void
read_some (TtRecordExportDetails *self, guint64 from, void *bytes, gsize len)
{
  if (len > AHEAD)
    {
      tt_tape_read (self->tape, from, bytes, len);
      return;
    }
  if (from < self->first || from + len > self->end)
    {
      self->first = from;
      self->end = MIN (from + AHEAD, MAX (tt_tape_size (self->tape), from + len));
      tt_tape_read (self->tape, from, self->ahead, (gsize) (self->end - from));
    }
  memcpy (bytes, self->ahead + (from - self->first), len);
}

void
tt_record_export_details_get (TtRecordExportDetails *self, gint64 at, TtRecordExportDetail *detail, GString *args)
{
  guint64 from = (guint64) at - 1;

  read_some (self, from, detail, sizeof *detail);
  g_string_set_size (args, detail->args_len);
  read_some (self, from + sizeof *detail, args->str, detail->args_len);
}

gboolean
tt_record_export_details_check (const TtRecordExportDetails *self, GError **error)
{
  return tt_tape_check (self->tape, error);
}
