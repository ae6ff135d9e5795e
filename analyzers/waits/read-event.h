/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An event that a scan of a time window does not come to.
 */
#pragma once

#include "src/store/store.h"
#include "src/trace/event.h"

/* FALSE: it cannot be read; a scan of all events tells why. *@is_span: it is one of those of which threads are full. */
static inline gboolean
tt_read_event (TtStore *store, guint64 id, TtEvent *event, gboolean *is_span)
{
  if (!tt_store_event (store, id, event, NULL))
    return FALSE;
  *is_span = event->dur_ns != TT_NO_TIME && (event->flags & TT_FLAG_ASYNC) == 0;
  return TRUE;
}
