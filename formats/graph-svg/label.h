/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much room a text takes in the picture of a graph, whose face is not a typewriter's.
 */
#pragma once

#include <glib.h>

/* About how many pixels the first @most characters of @text take, in a sans-serif font of 11 pixels. */
gint32 tt_label_width (const char *text, guint most);
