/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/imbalance/shared-time.h"

#include "src/base/compare.h"

static int
compare_payments (gconstpointer a, gconstpointer b)
{
  const TtPayment *x = a, *y = b;
  int order = TT_COMPARE (x->thread, y->thread);

  if (order == 0)
    order = TT_COMPARE (x->begin_ns, y->begin_ns);
  if (order == 0)
    order = TT_COMPARE (x->end_ns, y->end_ns);
  return order != 0 ? order : TT_COMPARE (x->event, y->event);
}

static void
note (GHashTable *shared, const TtPayment *payment, gint64 begin_ns, gint64 end_ns)
{
  gint64 *ns = g_hash_table_lookup (shared, &payment->event);

  if (ns == NULL)
    {
      gint64 *key = g_new (gint64, 1);

      *key = (gint64) payment->event;
      ns = g_new0 (gint64, 1);
      g_hash_table_insert (shared, key, ns);
    }
  *ns += end_ns - begin_ns;
}

GHashTable *
tt_shared_time_new (GArray *payments)
{
  GHashTable *shared = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  TtPayment *all = (TtPayment *) (gpointer) payments->data;
  guint n = 0; /* of @all: what is left, in order, no two of a thread at once */

  g_array_sort (payments, compare_payments);
  for (guint i = 0; i < payments->len; i++)
    {
      const TtPayment next = all[i];
      TtPayment *last = n > 0 && all[n - 1].thread == next.thread ? &all[n - 1] : NULL;

      if (last != NULL && next.end_ns < last->end_ns)
        {
          note (shared, &next, next.begin_ns, next.end_ns);
          continue;
        }
      if (last != NULL && last->end_ns > next.begin_ns)
        {
          note (shared, last, next.begin_ns, last->end_ns);
          last->end_ns = next.begin_ns;
          n -= last->end_ns <= last->begin_ns;
        }
      all[n++] = next;
    }
  return shared;
}
