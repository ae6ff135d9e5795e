/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pictures of numbers in a terminal: bars, and lines of small ones. Of block characters, each an eighth of a column or a row
 * finer than the one before, where the locale has UTF-8, else of ASCII.
 */
#pragma once

#include <glib.h>

#define TT_BAR_WIDTH 12u

/* Appends a bar of up to TT_BAR_WIDTH columns; @share: 0 to 1, what is beyond counts as that. What is above 0 shows. */
void tt_bar_append (GString *text, double share);
/* Appends a column a value, at most @width of them: of more values the greatest of each stretch. Heights begin at 0. */
void tt_spark_append (GString *text, const double *values, guint n, guint width);
