/*
 * The tasks of a TtSchedule that wait at a device, the next one first; used by graphs/schedule*.c only.
 */
#pragma once

#include <glib.h>

/* A task that waits at its device. */
typedef struct
{
  gint32 priority;
  guint32 task;
  gint64 ready_ns;
  guint64 order;
} TtWaiting;

typedef struct
{
  TtWaiting *items;
  guint n, allocated;
  gboolean by_time; /* else by priority */
} TtWaitingHeap;

void tt_waiting_heap_push (TtWaitingHeap *heap, TtWaiting waiting);
/* @heap: not empty. */
TtWaiting tt_waiting_heap_pop (TtWaitingHeap *heap);
