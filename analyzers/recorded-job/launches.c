/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/recorded-job/launches.h"

#include "src/base/compare.h"

/* Communication is passed over no further than this. */
#define MAX_BACK 4096

static int
compare_by_queue (gconstpointer a, gconstpointer b, gpointer work)
{
  guint i = *(const guint *) a, k = *(const guint *) b;
  const TtDeviceSpan *x = tt_device_span_at (work, i), *y = tt_device_span_at (work, k);
  int order = TT_COMPARE (x->thread, y->thread);

  order = order != 0 ? order : TT_COMPARE (tt_device_span_launch (x), tt_device_span_launch (y));
  return order != 0 ? order : TT_COMPARE (i, k);
}

static int
compare_by_caller (gconstpointer a, gconstpointer b, gpointer work)
{
  guint i = *(const guint *) a, k = *(const guint *) b;
  const TtDeviceSpan *x = tt_device_span_at (work, i), *y = tt_device_span_at (work, k);
  int order = TT_COMPARE (x->call_thread, y->call_thread);

  order = order != 0 ? order : TT_COMPARE (x->call_begin_ns, y->call_begin_ns);
  return order != 0 ? order : TT_COMPARE (i, k);
}

void
tt_launch_order_init (TtLaunchOrder *self, const TtDeviceWork *work)
{
  guint n = work->spans->len;

  *self = (TtLaunchOrder){ .work = work, .by_queue = g_new (guint, n + 1), .by_caller = g_new (guint, n + 1) };
  for (guint i = 0; i < n; i++)
    {
      self->by_queue[i] = i;
      if (tt_device_span_at (work, i)->call != 0)
        self->by_caller[self->n_callers++] = i;
    }
  g_qsort_with_data (self->by_queue, (gint) n, sizeof (guint), compare_by_queue, (gpointer) work);
  g_qsort_with_data (self->by_caller, (gint) self->n_callers, sizeof (guint), compare_by_caller, (gpointer) work);
}

void
tt_launch_order_clear (TtLaunchOrder *self)
{
  g_clear_pointer (&self->by_queue, g_free);
  g_clear_pointer (&self->by_caller, g_free);
}

guint
tt_launch_order_before (const TtLaunchOrder *self, guint32 thread, gint64 ns, gboolean but_comm)
{
  guint low = 0, high = self->n_callers;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const TtDeviceSpan *span = tt_device_span_at (self->work, self->by_caller[middle]);
      if (span->call_thread < thread || (span->call_thread == thread && span->call_begin_ns < ns))
        low = middle + 1;
      else
        high = middle;
    }
  for (guint back = 0; low > 0 && back < MAX_BACK; low--, back++)
    {
      const TtDeviceSpan *span = tt_device_span_at (self->work, self->by_caller[low - 1]);
      if (span->call_thread != thread)
        break;
      if (!but_comm || !span->is_communication)
        return self->by_caller[low - 1];
    }
  return G_MAXUINT;
}

void
tt_launch_order_each_queue (const TtLaunchOrder *self, guint32 source, gint64 ns, GArray *numbers)
{
  guint n = self->work->spans->len;

  for (guint first = 0, next; first < n; first = next)
    {
      const TtDeviceSpan *span = tt_device_span_at (self->work, self->by_queue[first]);
      guint low = first, high;
      /* The spans of a queue are together in both orders. */
      for (next = n, low = first + 1; low < next;)
        {
          guint middle = low + (next - low) / 2;
          if (tt_device_span_at (self->work, self->by_queue[middle])->thread > span->thread)
            next = middle;
          else
            low = middle + 1;
        }
      if (span->source != source)
        continue;
      for (low = first, high = next; low < high;)
        {
          guint middle = low + (high - low) / 2;
          if (tt_device_span_launch (tt_device_span_at (self->work, self->by_queue[middle])) < ns)
            low = middle + 1;
          else
            high = middle;
        }
      if (low > first)
        g_array_append_val (numbers, self->by_queue[low - 1]);
    }
}
