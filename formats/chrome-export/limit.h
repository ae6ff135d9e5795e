/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --max-size: which spans are left out, the shortest first.
 */
#pragma once

#include <glib.h>

typedef struct _ChromeLimit ChromeLimit;

ChromeLimit *tt_chrome_limit_new (void);
void tt_chrome_limit_free (ChromeLimit *self);
void tt_chrome_limit_add_span (ChromeLimit *self, gint64 dur_ns, guint32 depth, guint64 bytes);
void tt_chrome_limit_add_point (ChromeLimit *self, guint64 bytes);
/* Fixes what fits into @max_bytes. FALSE: not even @fixed_bytes does. */
gboolean tt_chrome_limit_fix (ChromeLimit *self, guint64 max_bytes, guint64 fixed_bytes);
gboolean tt_chrome_limit_keeps_span (const ChromeLimit *self, gint64 dur_ns, guint32 depth);
gboolean tt_chrome_limit_keeps_points (const ChromeLimit *self);
