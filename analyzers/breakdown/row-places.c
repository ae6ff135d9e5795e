/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/breakdown/row-places.h"

#include "analyzers/process-order.h"

typedef struct
{
  TtStore *store;
  const TtThread *threads;
} ThreadOrder;

static int
compare_threads (gconstpointer a, gconstpointer b, gpointer data)
{
  const ThreadOrder *order = data;
  const TtThread *first = &order->threads[*(const guint *) a], *second = &order->threads[*(const guint *) b];
  const TtProcess *own = tt_store_process (order->store, first->process);
  const TtProcess *other = tt_store_process (order->store, second->process);
  int by_rank = tt_process_order (order->store, own->owner, other->owner);

  if (by_rank != 0)
    return by_rank;
  return first->id < second->id ? -1 : first->id > second->id;
}

void
tt_row_places_find (TtStore *store,
                    const TtDeviceRoles *roles,
                    TtBreakdownRows rows,
                    TtBreakdownPlace where,
                    const TtThreadPlaces *found,
                    GArray *places)
{
  guint n;
  const TtThread *threads = tt_store_threads (store, &n);
  g_autofree guint8 *has_device = g_new0 (guint8, (gsize) tt_store_max_process (store) + 1);
  g_autofree guint *order = g_new (guint, n);
  ThreadOrder by = { store, threads };

  for (guint i = 0; i < n; i++)
    {
      order[i] = i;
      if (roles->is_queue != NULL && roles->is_queue[threads[i].id])
        has_device[tt_store_process (store, threads[i].process)->owner] = 1;
    }
  g_qsort_with_data (order, (int) n, sizeof *order, compare_threads, &by);
  for (guint i = 0; i < n; i++)
    {
      const TtThread *thread = &threads[order[i]];
      guint32 owner = tt_store_process (store, thread->process)->owner;
      TtRowPlace place = { owner, rows == TT_BREAKDOWN_STREAM ? thread->id : TT_NO_ID, 0, FALSE };
      gboolean is_queue = roles->is_queue != NULL && roles->is_queue[thread->id];

      place.is_device = where == TT_BREAKDOWN_DEVICE || (where == TT_BREAKDOWN_AUTO && has_device[owner]);
      if (place.is_device != is_queue)
        continue;
      TtRowPlace *last = places->len == 0 ? NULL : &g_array_index (places, TtRowPlace, places->len - 1);
      if (last == NULL || last->process != owner || last->thread != place.thread)
        {
          g_array_append_val (places, place);
          last = &g_array_index (places, TtRowPlace, places->len - 1);
        }
      last->n_threads++;
      found->place[thread->id] = places->len;
      found->is_device[thread->id] = is_queue;
    }
}
