/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages and flows in JSON: the ends of arrows, what they are tied to, and sides without arrows.
 */
#pragma once

#include "formats/chrome-export/chrome.h"

void tt_chrome_json_half (TtChrome *self, const ChromeMessage *side, const ChromeTrack *track);
void tt_chrome_json_anchor (TtChrome *self, const ChromeMessage *side, const ChromeTrack *track);
void tt_chrome_json_arrow_end (TtChrome *self, const ChromeMessage *side, const ChromeTrack *track);
