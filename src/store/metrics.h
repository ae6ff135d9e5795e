/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Metrics with the spans that they are of.
 */
#pragma once

#include "src/store/scan.h"

typedef gboolean (
    *TtMetricEventFunc) (const TtEvent *event, guint32 series, gint64 inclusive, gint64 exclusive, gpointer data);

/* In any order: most rows stand in that of their events, some behind those of later ones. Metrics of events that are not
 * there are left out. @series: that one; TT_NO_ID: all. FALSE, with @error: it cannot be read, somebody wants to stop, or @func ended it,
 * which then has set @error. */
gboolean
tt_store_each_metric_event (TtStore *self, guint32 series, TtMetricEventFunc func, gpointer data, GError **error);
