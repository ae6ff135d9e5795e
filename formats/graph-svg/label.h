/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text of a picture: escaped for XML, cut where it is too long, and how much room it takes.
 */
#pragma once

#include <glib.h>

/* Appends at most @most characters of @text, of more the begin and the end. What XML cannot hold becomes blanks. */
void tt_label_append (GString *xml, const char *text, guint most);
/* About how many pixels the first @most characters of @text take, in a sans-serif font of 11 pixels. */
gint32 tt_label_width (const char *text, guint most);
