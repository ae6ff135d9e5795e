/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spans, instants and counters: whether they are shown, and where.
 */
#pragma once

#include "formats/chrome-export/chrome.h"

/* The facts of an event, wherever they lie. */
ChromeExtra tt_chrome_extra (const TtChrome *self, const ChromeRecord *record);
void tt_chrome_write_record (TtChrome *self, const ChromeRecord *record);
