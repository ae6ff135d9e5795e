/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One side of a message or flow, at its place in the file.
 *
 * Viewers know no span of an arrow's end: Perfetto ties it to the span that began last on that line, ended or not, and
 * Catapult to the innermost one. Perfetto also turns the arrow round where the receiver's span began before the
 * sender's. So where the true span is not what a viewer would take, the end is tied to an event without length at the
 * true time, of category "arrow".
 */
#pragma once

#include "formats/chrome-export/chrome.h"

void tt_chrome_write_side (TtChrome *self, const ChromeMessage *message);
