/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2/transfers.h"

#include "formats/otf2/facts.h"
#include "formats/otf2/lanes.h"
#include "formats/otf2/names.h"

/* Places of values of all three records; the sizes of an atomic operation come after its kind. */
#define WINDOW 0
#define REMOTE 1
#define BYTES 2
#define BYTES_SENT 3
#define BYTES_RECEIVED 4

/* The process at the other end; TT_NO_ID: it is not known. */
static guint32
find_peer (const TtOtf2Location *self, const TtOtf2Event *event, gint64 *comm)
{
  const TtOtf2Session *session = self->session;
  const guint64 *window = tt_otf2_find (session->definitions, TT_OTF2_RMA_WIN, event->values[WINDOW]);

  if (window == NULL)
    return TT_NO_ID;
  *comm = tt_otf2_comm_number (session, window[TT_OTF2_RMA_WIN_COMM]);
  return tt_otf2_process_of_rank (session, window[TT_OTF2_RMA_WIN_COMM], event->values[REMOTE], self->process);
}

/* -- on a host -------------------------------------------------------------------------------------------------------- */

static void
tell_side (TtOtf2Location *self, const TtOtf2Event *event, gboolean is_put, guint64 bytes)
{
  gboolean is_unknown = self->session->is_own && self->own.has_no_size;
  TtNestHalf half = { .ts_ns = self->ts_ns,
                      .tag = tt_otf2_window_number (self->session, event->values[WINDOW]),
                      .bytes = is_unknown || bytes > G_MAXINT64 ? -1 : (gint64) bytes,
                      .is_send = is_put,
                      .onesided = is_put ? TT_ONESIDED_PUT : TT_ONESIDED_GET };

  half.peer = find_peer (self, event, &half.comm);
  if (self->session->is_own && self->own.is_pair)
    {
      half.onesided = TT_ONESIDED;
      half.tag = self->own.tag;
      half.comm = self->own.pair_comm;
    }
  if (half.peer == TT_NO_ID)
    tt_sink_repair_of (self->session->sink, self->process, TT_REPAIR_WILDCARD, event->offset);
  else
    tt_nest_half (self->session->nest, self->nest, &half);
}

void
tt_otf2_transfer_tell (TtOtf2Location *self, const TtOtf2Event *event)
{
  if (event->kind == TT_OTF2_EVENT_RMA_PUT || event->kind == TT_OTF2_EVENT_RMA_GET)
    {
      tell_side (self, event, event->kind == TT_OTF2_EVENT_RMA_PUT, event->values[BYTES]);
      return;
    }
  if (event->values[BYTES_SENT] > 0)
    tell_side (self, event, TRUE, event->values[BYTES_SENT]);
  if (event->values[BYTES_RECEIVED] > 0)
    tell_side (self, event, FALSE, event->values[BYTES_RECEIVED]);
}

gboolean
tt_otf2_transfer_tell_pair (TtOtf2Location *self)
{
  const TtOtf2Own *own = &self->own;
  const TtNestHalf half = { .ts_ns = self->ts_ns,
                            .tag = own->tag,
                            .comm = own->pair_comm,
                            .bytes = own->bytes,
                            .peer = own->peer,
                            .onesided = TT_ONESIDED };

  if (!self->session->is_own || !own->is_pair || own->peer == TT_NO_ID)
    return FALSE;
  tt_nest_half (self->session->nest, self->nest, &half);
  return TRUE;
}

/* -- on a stream ------------------------------------------------------------------------------------------------------ */

/* It gets from the host or puts there; with another stream it stays on devices. */
void
tt_otf2_transfer_begin_copy (TtOtf2Location *self, const TtOtf2Event *event)
{
  static const char *const kinds[][2] = { { "copy from device", "D2H" },
                                          { "copy to device", "H2D" },
                                          { "copy between devices", "D2D" } };
  TtOtf2Session *session = self->session;
  TtNestSpan span = { .ts_ns = self->ts_ns, .offset = event->offset, .step = TT_NO_STEP };
  gint64 comm;
  guint32 peer = find_peer (self, event, &comm);
  guint kind = tt_otf2_is_device (session, peer) ? 2 : event->kind == TT_OTF2_EVENT_RMA_GET ? 1 : 0;

  span.name = tt_otf2_own_name (session, "copy", kinds[kind][0], "MEM", kinds[kind][1]);
  span.args = tt_otf2_event_args (session, event);
  span.activity =
      tt_sink_hold_activity (session->sink, &(TtActivity){ .role = TT_ACTIVITY_COPY, .queue = self->thread });
  tt_nest_begin (session->nest, self->nest, &span);
}

gboolean
tt_otf2_transfer_end_copy (TtOtf2Location *self, const TtOtf2Event *event)
{
  const TtNestSpan span = { .ts_ns = self->ts_ns, .offset = event->offset, .step = TT_NO_STEP };

  return tt_nest_end (self->session->nest, self->nest, &span);
}
