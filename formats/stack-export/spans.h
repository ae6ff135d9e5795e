/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The selected spans of a run with their parents, a span before those inside it.
 */
#pragma once

#include "analyzers/spans/parents.h"
#include "analyzers/spans/shared-scan.h"
#include "formats/stack-export/stack-export.h"

typedef struct
{
  TtStore *store;
  TtSelection *selection; /* bound; NULL: all */
  TtStackReport *report;
  gsize payload_size;
  /* A span. @payload: its own, zeroed; @parent: that of the selected span that contains it, or NULL. An asynchronous
   * span has neither. */
  void (*add) (const TtEvent *event, gpointer payload, gconstpointer parent, gpointer data);
  TtSpanClosed closed; /* of one that is not asynchronous: no more spans inside it follow; or NULL */
  gpointer data;
  TtSharedScan *shared; /* NULL, or the part that is read, and what is around it, which is not counted */
} TtStackSpans;

gboolean tt_stack_spans_read (const TtStackSpans *self, GError **error);
