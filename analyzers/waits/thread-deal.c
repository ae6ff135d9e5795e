/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/threads-private.h"

#include "analyzers/process-order.h"
#include "src/base/compare.h"

/* The last span of a thread to end. */
typedef struct
{
  TtThreadEnd end;
  guint32 thread;
} OneEnd;

gboolean
tt_thread_waits_has (const TtThreadWaits *self, guint32 thread)
{
  return thread <= self->max_thread && self->ends[thread].event != 0;
}

static void
deal_spans (const TtThreadWaits *self, const TtWaitDeal *deal, GArray *spans, gboolean are_of_all, GByteArray **bytes)
{
  g_auto (TtDealt) dealt = { NULL };

  tt_dealt_init (&dealt, deal->crew->n, sizeof (TtWaitSpan));
  for (guint i = 0; i < spans->len; i++)
    {
      const TtWaitSpan *span = &g_array_index (spans, TtWaitSpan, i);
      const guint rank =
          are_of_all ? 0 : tt_wait_deal_of_process (deal, tt_process_of_thread (self->store, span->thread));

      g_array_append_vals (dealt.of[rank], span, 1);
    }
  g_array_set_size (spans, 0);
  tt_dealt_give (&dealt, deal->crew->rank, bytes, spans);
}

static void
deal_ends (const TtThreadWaits *self, const TtWaitDeal *deal, GByteArray **bytes)
{
  g_auto (TtDealt) dealt = { NULL };
  g_autoptr (GArray) own = g_array_new (FALSE, FALSE, sizeof (OneEnd));

  tt_dealt_init (&dealt, deal->crew->n, sizeof (OneEnd));
  for (guint32 i = 0; i <= self->max_thread; i++)
    if (self->ends[i].event != 0)
      {
        const OneEnd one = { self->ends[i], i };
        g_array_append_val (dealt.of[tt_wait_deal_of_process (deal, tt_process_of_thread (self->store, i))], one);
      }
  tt_dealt_give (&dealt, deal->crew->rank, bytes, own);
}

void
tt_thread_waits_deal (TtThreadWaits *self, const TtWaitDeal *deal, GByteArray **bytes)
{
  deal_spans (self, deal, self->joins, FALSE, bytes);
  deal_spans (self, deal, self->locks, FALSE, bytes);
  deal_spans (self, deal, self->barriers, FALSE, bytes);
  deal_spans (self, deal, self->finalizes, TRUE, bytes);
  deal_ends (self, deal, bytes);
}

static int
compare_events (gconstpointer a, gconstpointer b)
{
  return TT_COMPARE (((const TtWaitSpan *) a)->event, ((const TtWaitSpan *) b)->event);
}

static gboolean
add_spans (const TtThreadWaits *self, TtUnpack *from, GArray *spans)
{
  const guint n = spans->len;

  if (!tt_dealt_take (from, spans))
    return FALSE;
  for (guint i = n; i < spans->len; i++)
    {
      const TtWaitSpan *span = &g_array_index (spans, TtWaitSpan, i);
      if (span->thread > self->max_thread || span->name > tt_store_max_name (self->store))
        return FALSE;
    }
  /* As a scan of all comes to them. */
  if (spans->len > n)
    g_array_sort (spans, compare_events);
  return TRUE;
}

gboolean
tt_thread_waits_add (TtThreadWaits *self, TtUnpack *from)
{
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (OneEnd));

  if (!add_spans (self, from, self->joins) || !add_spans (self, from, self->locks) ||
      !add_spans (self, from, self->barriers) || !add_spans (self, from, self->finalizes) ||
      !tt_dealt_take (from, ends))
    return FALSE;
  for (guint i = 0; i < ends->len; i++)
    {
      const OneEnd *one = &g_array_index (ends, OneEnd, i);

      if (one->thread > self->max_thread)
        return FALSE;
      self->ends[one->thread] = one->end;
    }
  return TRUE;
}
