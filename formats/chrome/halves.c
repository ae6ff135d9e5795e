#include "config.h"

#include "formats/chrome/chrome.h"

#include "src/key-sort.h"

/*
 * The rule is that of the store: a channel is (source, destination, tag, communicator, one-sided or
 * not), its k-th send belongs to its k-th receive. Halves of one thread stay in file order, those of
 * several come in the order of their times.
 */

#define CACHE_BYTES ((gsize) 2 << 20)
#define SORT_BYTES ((gsize) 8 << 20)

typedef struct
{
  gint64 tag, comm, ts_ns, order_ns, bytes;
  guint32 src, dst, thread, owner;
  guint32 is_send, is_onesided;
  ChromeSpan span;
} Half;

enum
{
  FIELD_SRC,
  FIELD_DST,
  FIELD_TAG,
  FIELD_COMM,
  FIELD_ONESIDED,
  FIELD_ORDER,
  FIELD_THREAD,
  N_FIELDS,
};

struct _ChromeHalves
{
  TtSpill *halves; /* of Half, in file order, spans not yet filled in */
  guint64 n;
  TtSpill *owners; /* of ChromeSpan, by owner */
  guint32 max_owner;
  ChromeSpan last; /* of the batch before: its owner may come in the next one */
  TtKeyRange ranges[N_FIELDS];
};

static const ChromeSpan no_span = { .dur_ns = TT_NO_TIME, .step = TT_NO_STEP };

static void
half_fields (const void *record, guint64 *fields)
{
  const Half *half = record;

  fields[FIELD_SRC] = half->src;
  fields[FIELD_DST] = half->dst;
  fields[FIELD_TAG] = tt_sort_key (half->tag);
  fields[FIELD_COMM] = tt_sort_key (half->comm);
  fields[FIELD_ONESIDED] = half->is_onesided;
  fields[FIELD_ORDER] = tt_sort_key (half->order_ns);
  fields[FIELD_THREAD] = half->thread;
}

ChromeHalves *
tt_chrome_halves_new (void)
{
  ChromeHalves *self = g_new0 (ChromeHalves, 1);

  self->halves = tt_spill_new (CACHE_BYTES);
  self->owners = tt_spill_new (CACHE_BYTES);
  for (int i = 0; i < N_FIELDS; i++)
    self->ranges[i] = (TtKeyRange) TT_KEY_RANGE_INIT;
  return self;
}

void
tt_chrome_halves_free (ChromeHalves *self)
{
  if (self == NULL)
    return;
  tt_spill_free (self->halves);
  tt_spill_free (self->owners);
  g_free (self);
}

static void
add_half (ChromeHalves *self, TtChrome *chrome, const TtHalfColumns *halves, guint i)
{
  gboolean is_send = halves->is_send[i] != 0;
  Half half = {
    .tag = halves->tag[i],
    .comm = halves->comm[i],
    .ts_ns = halves->ts_ns[i],
    .order_ns = halves->ts_ns[i],
    .bytes = halves->bytes[i],
    .src = is_send ? halves->own[i] : halves->peer[i],
    .dst = is_send ? halves->peer[i] : halves->own[i],
    .thread = halves->thread[i],
    .owner = halves->owner[i],
    .is_send = is_send,
    .is_onesided = halves->is_onesided[i] != 0,
    .span = no_span,
  };
  guint64 fields[N_FIELDS];

  /* Highest times so far lie within the range of the times. */
  half_fields (&half, fields);
  for (int field = 0; field < N_FIELDS; field++)
    tt_key_range_add (&self->ranges[field], fields[field]);
  tt_spill_write (self->halves, self->n++ * sizeof half, &half, sizeof half);
  tt_chrome_see_time (chrome, half.thread, half.ts_ns);
}

static ChromeSpan
span_of_row (const TtEventColumns *events, guint i)
{
  return (ChromeSpan){
    .event = events->first_event + i,
    .ts_ns = events->ts_ns[i],
    .dur_ns = events->dur_ns[i],
    .self_ns = events->self_ns[i],
    .name = events->name[i],
    .depth = events->depth[i],
    .flags = events->flags[i],
    .step = events->step[i],
  };
}

void
tt_chrome_halves_add (ChromeHalves *self, TtChrome *chrome, const TtBatch *batch)
{
  const TtEventColumns *events = &batch->events;
  const TtOwnerColumns *owners = &batch->owners;

  for (guint i = 0; i < batch->halves.n; i++)
    add_half (self, chrome, &batch->halves, i);
  for (guint i = 0; i < owners->n; i++)
    {
      guint64 event = owners->event[i];
      ChromeSpan span = no_span;

      if (events->n > 0 && event >= events->first_event && event - events->first_event < events->n)
        span = span_of_row (events, (guint) (event - events->first_event));
      else if (self->last.event == event)
        span = self->last;
      tt_spill_write (self->owners, (guint64) owners->owner[i] * sizeof span, &span, sizeof span);
      self->max_owner = MAX (self->max_owner, owners->owner[i]);
    }
  if (events->n > 0)
    self->last = span_of_row (events, events->n - 1);
}

/* -- joining ------------------------------------------------------------------------------------------ */

static int
compare_channels (const Half *a, const Half *b)
{
  guint64 x[N_FIELDS], y[N_FIELDS];

  half_fields (a, x);
  half_fields (b, y);
  for (int i = 0; i < FIELD_ORDER; i++)
    if (x[i] != y[i])
      return x[i] < y[i] ? -1 : 1;
  return 0;
}

static void
tell (TtChrome *chrome, const Half *send, const Half *recv, gint64 ordinal)
{
  const Half *any = send != NULL ? send : recv;
  TtMessage message = {
    .src_process = any->src,
    .dst_process = any->dst,
    .src_thread = send != NULL ? send->thread : TT_NO_ID,
    .dst_thread = recv != NULL ? recv->thread : TT_NO_ID,
    .tag = any->tag,
    .comm = any->comm,
    .ordinal = ordinal,
    .send_ns = send != NULL ? send->ts_ns : TT_NO_TIME,
    .recv_ns = recv != NULL ? recv->ts_ns : TT_NO_TIME,
    .bytes = -1,
  };

  /* A receive may only know the size of its buffer. */
  if (send != NULL && send->bytes >= 0)
    message.bytes = send->bytes;
  else if (recv != NULL && recv->is_onesided)
    message.bytes = recv->bytes;
  tt_chrome_message (chrome, &message, send != NULL ? &send->span : &no_span, recv != NULL ? &recv->span : &no_span);
}

static gboolean
pair_up (TtChrome *chrome, TtKeySort *sends, TtKeySort *recvs, GError **error)
{
  g_autoptr (GError) failed = NULL;
  Half last = { 0 };
  gint64 ordinal = -1;

  if (!tt_key_sort_finish (sends, error) || !tt_key_sort_finish (recvs, error))
    return FALSE;
  const Half *send = tt_key_sort_next (sends, &failed);
  const Half *recv = failed == NULL ? tt_key_sort_next (recvs, &failed) : NULL;
  while (failed == NULL && (send != NULL || recv != NULL))
    {
      int order = send == NULL ? 1 : recv == NULL ? -1 : compare_channels (send, recv);
      const Half *any = order <= 0 ? send : recv;

      ordinal = ordinal < 0 || compare_channels (any, &last) != 0 ? 0 : ordinal + 1;
      last = *any;
      tell (chrome, order <= 0 ? send : NULL, order >= 0 ? recv : NULL, ordinal);
      if (order <= 0)
        send = tt_key_sort_next (sends, &failed);
      if (order >= 0 && failed == NULL)
        recv = tt_key_sort_next (recvs, &failed);
    }
  if (failed == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failed));
  return FALSE;
}

gboolean
tt_chrome_halves_finish (ChromeHalves *self, TtChrome *chrome, GError **error)
{
  if (self->n == 0)
    return TRUE;

  g_autoptr (TtKeySort) recvs = tt_key_sort_new (sizeof (Half), N_FIELDS, self->ranges, half_fields, SORT_BYTES);
  g_autoptr (TtKeySort) sends = tt_key_sort_new (sizeof (Half), N_FIELDS, self->ranges, half_fields, SORT_BYTES);
  g_autofree gint64 *highest = g_new (gint64, chrome->threads->len);

  for (guint i = 0; i < chrome->threads->len; i++)
    highest[i] = G_MININT64;
  for (guint64 i = 0; i < self->n; i++)
    {
      Half half;

      tt_spill_read (self->halves, i * sizeof half, &half, sizeof half);
      if (half.owner != 0 && half.owner <= self->max_owner)
        tt_spill_read (self->owners, (guint64) half.owner * sizeof half.span, &half.span, sizeof half.span);
      if (half.span.event == 0)
        half.span = no_span;
      highest[half.thread] = half.order_ns = MAX (highest[half.thread], half.ts_ns);
      tt_key_sort_add (half.is_send ? sends : recvs, &half);
    }
  return tt_spill_check (self->halves, error) && tt_spill_check (self->owners, error)
         && pair_up (chrome, sends, recvs, error);
}
