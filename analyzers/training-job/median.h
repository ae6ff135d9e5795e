/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The median of times.
 */
#pragma once

#include <glib.h>

/* Sorts @times, of gint64. Of an even number the later of the two in the middle; 0 of none. */
gint64 tt_median_ns (GArray *times);
