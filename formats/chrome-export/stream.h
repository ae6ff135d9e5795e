/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All that was collected, in order.
 */
#pragma once

#include "formats/chrome-export/chrome.h"

typedef struct
{
  void (*record) (TtChrome *self, const ChromeRecord *record, gpointer data);
  void (*message) (TtChrome *self, const ChromeMessage *message, gpointer data);
  gpointer data;
} ChromeVisitor;

/* Once; the sorters are empty then. @label: of the progress bar. */
gboolean tt_chrome_each (TtChrome *self, const ChromeVisitor *visitor, const char *label, GError **error);
