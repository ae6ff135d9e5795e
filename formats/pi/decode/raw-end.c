/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/decode/raw-end.h"

#define MAX_BACKEND 8u

gboolean
tt_pi_raw_is_plausible (const TtPiReader *self, const TtPiRawHeader *header)
{
  const TtPiKnown *known = tt_pi_trace_known (self->trace, header->id);

  return known->function != NULL && header->start <= header->end && header->n_inputs == 0 &&
         header->n_outputs <= TT_PI_MAX_OUTPUTS && header->backend <= MAX_BACKEND &&
         header->args_size <= self->trace->raw.prefix + known->function->packed + TT_PI_RAW_MAX_TEXT;
}

static void
warn_cut (TtPiReader *self, guint64 offset, guint64 bytes, const char *name)
{
  tt_pi_reader_warn (self, TT_PI_WARN_SHORT_RECORD, 0, offset,
                     "the last record%s%s is cut after %" G_GUINT64_FORMAT " bytes; left out",
                     name == NULL ? "" : " of ", name == NULL ? "" : name, bytes);
}

TtPiOutcome
tt_pi_raw_end_early (TtPiReader *self,
                     const TtPiRawHeader *header,
                     const char *what,
                     guint64 wanted,
                     guint64 left,
                     GError **error)
{
  if (!tt_pi_raw_is_plausible (self, header) || wanted > TT_PI_MAX_RECORD)
    return tt_pi_reader_fail (self, header->at, error,
                              "its %s should have %" G_GUINT64_FORMAT " bytes, %" G_GUINT64_FORMAT " are left", what,
                              wanted, left);
  warn_cut (self, header->at, self->window.size - header->at, self->trace->known[header->id].function->name);
  return TT_PI_OUTCOME_END;
}

TtPiOutcome
tt_pi_raw_end_in_header (TtPiReader *self, guint64 left, TtPiCall *call, GError **error)
{
  const TtPiRawLayout *layout = &self->trace->raw;
  guint64 at = self->window.offset;
  TtPiRawHeader header;

  const guint8 *bytes = tt_pi_window_need (&self->window, (gsize) left, error);
  if (bytes == NULL)
    return TT_PI_OUTCOME_FAILED;
  if (!layout->has_times || left != tt_pi_raw_stub_size (layout))
    {
      warn_cut (self, at, left, NULL);
      return TT_PI_OUTCOME_END;
    }
  tt_pi_raw_header_begin (layout, bytes, &header);
  call->id = header.id;
  call->backend = layout->has_backend ? header.backend : -1;
  call->start_ns = call->end_ns = header.start;
  call->flags = TT_PI_CALL_IN_PROGRESS;
  call->result = 0;
  call->n_args = call->n_outputs = 0;
  tt_pi_window_advance (&self->window, (gsize) left);
  return TT_PI_OUTCOME_CALL;
}
