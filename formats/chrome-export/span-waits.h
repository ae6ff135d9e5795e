/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long spans wait, for their arguments.
 */
#pragma once

#include "formats/chrome-export/chrome.h"

/* Whether the event waits; asked in the order of ids. */
gboolean tt_chrome_has_wait (TtChrome *self, guint64 event);
/* NULL: it does not. */
const TtExportWait *tt_chrome_wait_of (const TtChrome *self, guint64 event);
