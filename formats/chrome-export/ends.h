/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Joins the messages and flows of the store with their spans while the events are scanned, for export.
 */
#pragma once

#include "formats/chrome-export/chrome.h"

typedef struct _ChromeEnds ChromeEnds;
ChromeEnds *tt_chrome_ends_new (TtChrome *chrome, TtStore *store, const TtEventScan *scan, GError **error);
void tt_chrome_ends_free (ChromeEnds *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ChromeEnds, tt_chrome_ends_free)
/* Every event of the scan, in id order. */
gboolean tt_chrome_ends_event (ChromeEnds *self, const TtEvent *event, GError **error);
gboolean tt_chrome_ends_finish (ChromeEnds *self, GError **error);
