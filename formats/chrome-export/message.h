/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages: flow events from one span to the other, or instants where a side is missing or has no span.
 */
#pragma once

#include "formats/chrome-export/chrome.h"

/* @send, @recv: their spans, if any. */
void tt_chrome_message (TtChrome *self, const TtMessage *message, const ChromeSpan *send, const ChromeSpan *recv);
/* The event up to its time. */
void tt_chrome_write_message_head (TtChrome *self, const ChromeMessage *message);
/* The arguments, and the end of the event. */
void tt_chrome_write_message_args (TtChrome *self, const ChromeMessage *message);
