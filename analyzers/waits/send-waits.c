/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/send-waits.h"

#include "src/base/compare.h"

typedef struct
{
  gint64 begin_ns;
  guint32 thread;
} Receive;

struct _TtSendWaits
{
  GArray *calls;    /* of TtWaitSpan, by (thread, end) */
  GArray *receives; /* of Receive, by (thread, begin) */
};

TtSendWaits *
tt_send_waits_new (void)
{
  TtSendWaits *self = g_new0 (TtSendWaits, 1);

  self->calls = g_array_new (FALSE, FALSE, sizeof (TtWaitSpan));
  self->receives = g_array_new (FALSE, FALSE, sizeof (Receive));
  return self;
}

void
tt_send_waits_free (TtSendWaits *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->calls);
  g_array_unref (self->receives);
  g_free (self);
}

void
tt_send_waits_take (TtSendWaits *self, TtCallClass call_class, const TtWaitSpan *span)
{
  if ((call_class == TT_CALL_COMPLETE || call_class == TT_CALL_COMPLETE_ALL) && span->begin_ns < span->end_ns)
    g_array_append_val (self->calls, *span);
  if (call_class == TT_CALL_BEGIN_RECEIVE)
    {
      const Receive receive = { span->begin_ns, span->thread };

      g_array_append_val (self->receives, receive);
    }
}

static int
compare_calls (gconstpointer a, gconstpointer b)
{
  const TtWaitSpan *x = a, *y = b;
  int order = TT_COMPARE (x->thread, y->thread);

  if (order == 0)
    order = TT_COMPARE (x->end_ns, y->end_ns);
  return order != 0 ? order : TT_COMPARE (x->event, y->event);
}

static int
compare_receives (gconstpointer a, gconstpointer b)
{
  const Receive *x = a, *y = b;
  int order = TT_COMPARE (x->thread, y->thread);

  return order != 0 ? order : TT_COMPARE (x->begin_ns, y->begin_ns);
}

void
tt_send_waits_finish (TtSendWaits *self)
{
  g_array_sort (self->receives, compare_receives);
  g_array_sort (self->calls, compare_calls);
}

gboolean
tt_send_waits_find_receive (const TtSendWaits *self, guint32 thread, gint64 begin_ns, gint64 end_ns, gint64 *came_ns)
{
  const Receive key = { end_ns, thread };
  guint low = 0, high = self->receives->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (compare_receives (&g_array_index (self->receives, Receive, middle), &key) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0)
    return FALSE;
  const Receive *receive = &g_array_index (self->receives, Receive, low - 1);
  *came_ns = receive->begin_ns;
  return receive->thread == thread && receive->begin_ns > begin_ns;
}

const TtWaitSpan *
tt_send_waits_find (const TtSendWaits *self, guint32 thread, gint64 sent_ns, gint64 came_ns)
{
  guint low = 0, high = self->calls->len;

  /* The first that ends later than the receiver comes. */
  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const TtWaitSpan *call = &g_array_index (self->calls, TtWaitSpan, middle);

      if (call->thread < thread || (call->thread == thread && call->end_ns <= came_ns))
        low = middle + 1;
      else
        high = middle;
    }
  if (low == self->calls->len)
    return NULL;
  const TtWaitSpan *call = &g_array_index (self->calls, TtWaitSpan, low);
  return call->thread == thread && call->begin_ns >= sent_ns && call->begin_ns < came_ns ? call : NULL;
}
