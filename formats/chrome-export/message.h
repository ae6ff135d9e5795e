/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages: flow events from one span to the other, or instants where a side is missing or has no span.
 */
#pragma once

#include "formats/chrome-export/chrome.h"

/* @number: of the message in the run, whatever is shown. @send, @recv: their spans, if any. */
void tt_chrome_message (TtChrome *self, const TtMessage *message, guint64 number, const ChromeSpan *send,
                        const ChromeSpan *recv);
