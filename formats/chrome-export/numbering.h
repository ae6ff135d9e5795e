/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers for pids and tids: viewers want numbers. The rank, or the number that the text is, where it is free.
 */
#pragma once

#include "formats/chrome-export/chrome.h"

void tt_chrome_number (TtChrome *self);
/* One flag a process: some of its threads are written. Free it. */
gboolean *tt_chrome_wanted_processes (TtChrome *self);
