/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/halves.h"

#include "formats/chrome-export/collect.h"
#include "formats/chrome-export/message.h"

#include "src/trace/message-join.h"

#define CACHE_BYTES ((gsize) 2 << 20)
#define SORT_BYTES ((gsize) 8 << 20)

typedef struct
{
  TtMessageHalf half;
  ChromeSpan span;
} Half;

typedef struct
{
  TtChrome *chrome;
  guint64 n; /* messages so far */
} Pairing;

struct _ChromeHalves
{
  TtSpill *halves; /* of Half, in file order, spans not yet filled in */
  guint64 n;
  TtKeyRange ranges[TT_N_HALF_FIELDS];
  TtLostOrder *lost;
};

static const ChromeSpan no_span = CHROME_NO_SPAN;

ChromeHalves *
tt_chrome_halves_new (void)
{
  ChromeHalves *self = g_new0 (ChromeHalves, 1);

  self->halves = tt_spill_new (CACHE_BYTES);
  tt_message_half_ranges_init (self->ranges);
  self->lost = tt_lost_order_new ();
  return self;
}

void
tt_chrome_halves_free (ChromeHalves *self)
{
  if (self == NULL)
    return;
  tt_spill_free (self->halves);
  tt_lost_order_free (self->lost);
  g_free (self);
}

static void
add_half (ChromeHalves *self, TtChrome *chrome, const TtHalfColumns *halves, guint i)
{
  Half half = { .half = tt_message_half_of_row (halves, i), .span = no_span };

  tt_message_half_widen (self->ranges, &half.half);
  tt_spill_write (self->halves, self->n++ * sizeof half, &half, sizeof half);
  tt_chrome_see_time (chrome, half.half.thread, half.half.ts_ns);
}

void
tt_chrome_halves_metadata (ChromeHalves *self, guint32 process, const char *key, const char *value)
{
  if (g_strcmp0 (key, TT_ORDER_LOST_KEY) == 0)
    tt_lost_order_lose_text (self->lost, process, value);
}

void
tt_chrome_halves_add (ChromeHalves *self, TtChrome *chrome, const TtBatch *batch)
{
  for (guint i = 0; i < batch->halves.n; i++)
    add_half (self, chrome, &batch->halves, i);
}

/* -- joining ------------------------------------------------------------------------------------------ */

static gboolean
on_pair (gconstpointer send_record, gconstpointer recv_record, gint64 ordinal, gpointer data, GError **error)
{
  const Half *send = send_record, *recv = recv_record;
  Pairing *pairing = data;
  const Half *any = send != NULL ? send : recv;
  TtMessage message = {
    .src_process = any->half.src,
    .dst_process = any->half.dst,
    .src_thread = send != NULL ? send->half.thread : TT_NO_ID,
    .dst_thread = recv != NULL ? recv->half.thread : TT_NO_ID,
    .tag = any->half.tag,
    .comm = any->half.comm,
    .ordinal = ordinal,
    .send_ns = send != NULL ? send->half.ts_ns : TT_NO_TIME,
    .recv_ns = recv != NULL ? recv->half.ts_ns : TT_NO_TIME,
    .bytes = tt_message_half_bytes (send_record, recv_record),
  };

  tt_chrome_message (pairing->chrome, &message, ++pairing->n, send != NULL ? &send->span : &no_span,
                     recv != NULL ? &recv->span : &no_span);
  return TRUE;
}

gboolean
tt_chrome_halves_finish (ChromeHalves *self, TtChrome *chrome, ChromeOwners *owners, GError **error)
{
  if (self->n == 0)
    return TRUE;

  g_autoptr (TtKeySort) recvs =
      tt_key_sort_new (sizeof (Half), TT_N_HALF_FIELDS, self->ranges, tt_message_half_fields, SORT_BYTES);
  g_autoptr (TtKeySort) sends =
      tt_key_sort_new (sizeof (Half), TT_N_HALF_FIELDS, self->ranges, tt_message_half_fields, SORT_BYTES);
  Pairing pairing = { chrome, 0 };
  g_autofree gint64 *highest = g_new (gint64, chrome->threads->len);

  for (guint i = 0; i < chrome->threads->len; i++)
    highest[i] = G_MININT64;
  for (guint64 i = 0; i < self->n; i++)
    {
      Half half;

      tt_spill_read (self->halves, i * sizeof half, &half, sizeof half);
      half.span = tt_chrome_owners_span (owners, half.half.owner);
      highest[half.half.thread] = half.half.order_ns = MAX (highest[half.half.thread], half.half.ts_ns);
      if (tt_lost_order_has_any (self->lost))
        tt_lost_order_count (self->lost, &half.half);
      tt_key_sort_add (half.half.is_send ? sends : recvs, &half);
    }
  return tt_spill_check (self->halves, error) && tt_chrome_owners_check (owners, error) &&
         tt_message_half_pair (sends, recvs, self->lost, on_pair, &pairing, NULL, error);
}
