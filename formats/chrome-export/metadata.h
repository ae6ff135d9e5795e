/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Metadata events: texts, labels and order of processes and threads.
 */
#pragma once

#include "formats/chrome-export/chrome.h"

void tt_chrome_write_metadata (TtChrome *self);
/* Of one of its tids. */
void tt_chrome_write_thread (TtChrome *self, const ChromeThread *thread, guint32 tid);
