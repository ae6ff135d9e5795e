/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The event of one side of a message or flow.
 */
#pragma once

#include "formats/chrome-export/chrome.h"

void tt_chrome_write_side (TtChrome *self, const ChromeMessage *message);
