/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2/receives.h"

#define MOST_HELD (1u << 18)

typedef struct
{
  guint64 request;
  gboolean is_done, is_cancelled;
  TtOtf2Receive receive;
} Held;

struct _TtOtf2Receives
{
  TtSink *sink;
  guint32 thread, process;
  GQueue *held;         /* of Held, in the order of posting */
  GHashTable *requests; /* &request -> Held that is open; borrows them */
};

TtOtf2Receives *
tt_otf2_receives_new (TtSink *sink)
{
  TtOtf2Receives *self = g_new0 (TtOtf2Receives, 1);

  self->sink = sink;
  self->held = g_queue_new ();
  self->requests = g_hash_table_new (g_int64_hash, g_int64_equal);
  return self;
}

void
tt_otf2_receives_free (TtOtf2Receives *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->requests);
  g_queue_free_full (self->held, g_free);
  g_free (self);
}

static void
write_half (TtOtf2Receives *self, const TtOtf2Receive *receive)
{
  const TtNestHalf *half = &receive->half;

  tt_sink_half (self->sink, FALSE, FALSE, self->thread, self->process, half->peer, half->tag, half->comm, half->ts_ns,
                half->bytes, receive->owner);
}

static void
write_first (TtOtf2Receives *self)
{
  Held *first = g_queue_pop_head (self->held);

  if (first->is_done)
    write_half (self, &first->receive);
  else if (g_hash_table_lookup (self->requests, &first->request) == first)
    g_hash_table_remove (self->requests, &first->request);
  g_free (first);
}

static void
write_done (TtOtf2Receives *self)
{
  const Held *first;

  while ((first = g_queue_peek_head (self->held)) != NULL && (first->is_done || first->is_cancelled))
    write_first (self);
}

static Held *
hold (TtOtf2Receives *self, guint64 request)
{
  Held *held = g_new0 (Held, 1);

  if (g_queue_get_length (self->held) >= MOST_HELD)
    {
      write_first (self);
      write_done (self);
    }
  held->request = request;
  g_queue_push_tail (self->held, held);
  return held;
}

void
tt_otf2_receives_begin (TtOtf2Receives *self, guint32 thread, guint32 process)
{
  tt_otf2_receives_finish (self);
  self->thread = thread;
  self->process = process;
}

void
tt_otf2_receives_post (TtOtf2Receives *self, guint64 request)
{
  Held *held = hold (self, request);

  /* The key lies in the value: an older one of the same number must not stay the key. */
  g_hash_table_replace (self->requests, &held->request, held);
}

void
tt_otf2_receives_complete (TtOtf2Receives *self, guint64 request, const TtOtf2Receive *receive)
{
  Held *held = g_hash_table_lookup (self->requests, &request);

  if (held == NULL && g_queue_is_empty (self->held))
    {
      write_half (self, receive);
      return;
    }
  if (held == NULL)
    held = hold (self, request);
  else
    g_hash_table_remove (self->requests, &request);
  held->is_done = TRUE;
  held->receive = *receive;
  write_done (self);
}

gboolean
tt_otf2_receives_cancel (TtOtf2Receives *self, guint64 request)
{
  Held *held = g_hash_table_lookup (self->requests, &request);

  if (held == NULL)
    return FALSE;
  g_hash_table_remove (self->requests, &request);
  held->is_cancelled = TRUE;
  write_done (self);
  return TRUE;
}

void
tt_otf2_receives_finish (TtOtf2Receives *self)
{
  while (!g_queue_is_empty (self->held))
    write_first (self);
}
