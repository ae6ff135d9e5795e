/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The time of the selected runs dealt out, so that several can read the events of a part each.
 */
#pragma once

#include "src/store/handle.h"

/* @begins[i]: where part @i of @n begins, G_MININT64 for the first; it ends before the next begins. About as many events begin in each,
 * as far as the pieces tell that an import notes. *@are_known FALSE: a source has none, or there are no events. */
gboolean tt_store_time_shares (TtStore *self, guint n, gint64 *begins, gboolean *are_known, GError **error);
