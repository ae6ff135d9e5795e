#include "config.h"

#include "graphs/schedule/heap.h"

static inline gboolean
waits_before (const TtWaitingHeap *heap, const TtWaiting *a, const TtWaiting *b)
{
  if (!heap->by_time && a->priority != b->priority)
    return a->priority < b->priority;
  if (a->ready_ns != b->ready_ns)
    return a->ready_ns < b->ready_ns;
  return a->order < b->order;
}

void
tt_waiting_heap_push (TtWaitingHeap *heap, TtWaiting waiting)
{
  if (heap->n == heap->allocated)
    {
      heap->allocated = heap->allocated == 0 ? 8 : 2 * heap->allocated;
      heap->items = g_renew (TtWaiting, heap->items, heap->allocated);
    }
  guint i = heap->n++;
  for (; i > 0 && waits_before (heap, &waiting, &heap->items[(i - 1) / 2]); i = (i - 1) / 2)
    heap->items[i] = heap->items[(i - 1) / 2];
  heap->items[i] = waiting;
}

TtWaiting
tt_waiting_heap_pop (TtWaitingHeap *heap)
{
  TtWaiting top = heap->items[0], last = heap->items[--heap->n];
  guint i = 0, child;

  while ((child = 2 * i + 1) < heap->n)
    {
      if (child + 1 < heap->n && waits_before (heap, &heap->items[child + 1], &heap->items[child]))
        child++;
      if (!waits_before (heap, &heap->items[child], &last))
        break;
      heap->items[i] = heap->items[child];
      i = child;
    }
  heap->items[i] = last;
  return top;
}
