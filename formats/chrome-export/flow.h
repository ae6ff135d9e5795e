/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flows: pairs of flow events, from one span to the next; and, for convert, the joining of their points.
 */
#pragma once

#include "formats/chrome-export/chrome.h"
#include "formats/chrome-export/owners.h"
#include "src/trace/flow-join.h"

/* @number: of the flow in the run, whatever is shown. */
void tt_chrome_flow (TtChrome *self, const TtFlow *flow, guint64 number, const ChromeSpan *from, const ChromeSpan *to);

/* Joins points as the store does, for convert. */
typedef struct _ChromeFlows ChromeFlows;
ChromeFlows *tt_chrome_flows_new (void);
void tt_chrome_flows_free (ChromeFlows *self);
void tt_chrome_flows_add (ChromeFlows *self, const TtBatch *batch);
gboolean tt_chrome_flows_end_source (ChromeFlows *self, ChromeOwners *owners, TtRepairs *repairs, GError **error);
gboolean tt_chrome_flows_finish (ChromeFlows *self, TtChrome *chrome, GError **error);
