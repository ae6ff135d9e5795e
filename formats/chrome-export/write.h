/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The whole file: its head, the passes over everything that was collected, its end.
 */
#pragma once

#include "formats/chrome-export/chrome.h"

gboolean tt_chrome_finish (TtChrome *self, TtOutput *out, ChromeNameFunc get_name, gpointer name_data, GError **error);
