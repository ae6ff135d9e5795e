/*
 * TtTauItems: a run as the records of a TAU trace, in the order in which they are written.
 *
 * Spans are read backwards: ids follow their ends, so that with the depths the enters and leaves of a
 * thread come out exactly nested, also where times are equal or step back. A message goes between
 * the records of the span that it belongs to. Threads are merged by time.
 */
#pragma once

#include "formats/tau-export/numbers.h"
#include "formats/tau-export/tau-export.h"
#include "src/base/sorter.h"

typedef enum
{
  TT_TAU_ITEM_ENTER, /* value: name */
  TT_TAU_ITEM_LEAVE,
  TT_TAU_ITEM_METRIC,  /* value: series; of the enter or leave before it */
  TT_TAU_ITEM_COUNTER, /* value: series */
  TT_TAU_ITEM_SEND,    /* value: node of the peer */
  TT_TAU_ITEM_RECV,
  TT_TAU_ITEM_ONESIDED_SEND, /* a, b: the parts of its id */
  TT_TAU_ITEM_ONESIDED_RECV,
} TtTauItemKind;

typedef struct
{
  guint64 high, low; /* where it stands */
  gint64 us;
  gint64 par;  /* value; bytes of a message */
  gint64 a, b; /* tag, communicator */
  guint32 thread, value;
  guint32 kind, unused;
} TtTauItem;

typedef struct _TtTauItems TtTauItems;

TtTauItems *tt_tau_items_new (TtStore *store, TtSelection *selection, TtTauReport *report, GError **error);
void tt_tau_items_free (TtTauItems *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtTauItems, tt_tau_items_free)

/* NULL: the end, or an error. */
const TtTauItem *tt_tau_items_next (TtTauItems *self, GError **error);

/* The last time of a thread; FALSE: nothing of it is written. */
gboolean tt_tau_items_last (const TtTauItems *self, guint32 thread, gint64 *us);
/* Whether a name, or a series, is that of an item. */
gboolean tt_tau_items_uses_name (const TtTauItems *self, guint32 name);
gboolean tt_tau_items_uses_series (const TtTauItems *self, guint32 series);
gboolean tt_tau_items_has_onesided (const TtTauItems *self);
/* What makes the values of a metric count from 0 on a thread. */
gint64 tt_tau_items_metric_base (const TtTauItems *self, guint32 thread, guint32 series);
