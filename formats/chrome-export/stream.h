/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All that was collected, in order.
 */
#pragma once

#include "formats/chrome-export/chrome.h"

typedef struct
{
  void (*record) (TtChrome *self, const ChromeRecord *record, gpointer data);
  /* Takes the first of @n records at once, and returns how many. They are earlier than the message that comes next. NULL:
   * they come one by one. */
  guint (*records) (TtChrome *self, const ChromeRecord *records, guint n);
  void (*message) (TtChrome *self, const ChromeMessage *message, gpointer data);
  gpointer data;
} ChromeVisitor;

/* Once; the sorters are empty then. @label: of the progress bar. */
gboolean tt_chrome_each (TtChrome *self, const ChromeVisitor *visitor, const char *label, GError **error);
