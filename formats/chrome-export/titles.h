/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Titles: what viewers call processes and threads. They show nothing but one name and a number each, so the label
 * stands in the name; neither is ever empty (Perfetto calls that an error).
 */
#pragma once

#include "formats/chrome-export/chrome.h"

/* "python (GPU 0)", "rank 3", "node3: worker"; with " [ticks]" where times are no times. Valid until the next call. */
const char *tt_chrome_process_title (TtChrome *self, guint32 process);
/* "stream 7", "thread 0". Valid until the next call. */
const char *tt_chrome_thread_title (TtChrome *self, const ChromeThread *thread);
/* What an event is called: its standard name, or that of the source. */
const char *tt_chrome_shown_name (const TtChrome *self, const TtStoredName *name);
/* FALSE: readers find the raw name in the name shown. Characters that separate the parts of a standard name are replaced
 * there. */
gboolean tt_chrome_has_raw_name (const TtChrome *self, const TtStoredName *name);
