/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSpanKeys: which spans the dictionaries count, in what order, and how long each lasts there.
 *
 * The order is that of (ts, name, pid, end). Instants, spans that only name a stretch of time, and those of category `debug` are not counted.
 */
#pragma once

#include "src/store/scan.h"
#include "src/store/store.h"

typedef struct
{
  guint64 ts_key;
  guint64 name_process; /* ranks of the name's text and of the pid */
} TtSpanKey;

typedef struct _TtSpanKeys TtSpanKeys;

/* Reads the names of @store, which is borrowed. NULL: @error. */
TtSpanKeys *tt_span_keys_new (TtStore *store, GError **error);
void tt_span_keys_free (TtSpanKeys *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtSpanKeys, tt_span_keys_free)

/* FALSE: the event is not counted. Those equal in all of *@key are in order of their ids. */
gboolean tt_span_keys_get (const TtSpanKeys *self, const TtEvent *event, TtSpanKey *key);
/* Of a span that was joined of pieces it has the gaps between these, as the original's analyzer counts them. */
gint64 tt_span_keys_duration (const TtSpanKeys *self, const TtEvent *event);
