/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work on things that do not depend on each other, beside one another: by as many threads as there are processors, at most 8.
 */
#pragma once

#include <glib.h>

typedef void (*TtBesideFunc) (guint i, gpointer data);

/* Calls @func once for each i below @n, in whatever order and thread; over when all are. What it writes for one i none reads or writes
 * for another. */
void tt_each_beside (guint n, TtBesideFunc func, gpointer data);
